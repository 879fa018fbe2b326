"""Reading text by rules: words, values, dates, clauses. No model, no network, nothing learnt from data."""
