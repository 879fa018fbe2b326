"""UniversalRAG (arXiv:2504.20734) as a memory: questions are routed to corpora by modality and granularity."""
