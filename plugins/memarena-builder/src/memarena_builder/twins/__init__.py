"""Pairs of samples that differ in one fact, so that the right answer must follow it."""
