"""Builds data sets of hidden worlds: sessions, gold, pictures and questions, from a seed and with no model."""
