"""The four stage scorers: memory (write and maintain), retrieval, answers, selectivity."""
