"""The hidden world: who is there, what is true when, and when it was told."""
