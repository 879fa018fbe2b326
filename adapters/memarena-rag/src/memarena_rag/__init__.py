"""Retrieval over the rounds of a dialogue: BM25 by bm25s."""
