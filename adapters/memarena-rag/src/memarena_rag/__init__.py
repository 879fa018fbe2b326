"""Retrieval over the rounds of a dialogue: BM25, embeddings, and both fused."""
