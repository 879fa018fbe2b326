"""A-Mem as its paper describes it: notes, links and their evolution."""
