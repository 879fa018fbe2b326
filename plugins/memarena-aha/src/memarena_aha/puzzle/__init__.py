"""Situation puzzles: a host knows the story, and yes or no is nearly all it says."""
