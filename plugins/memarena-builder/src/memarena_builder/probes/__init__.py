"""Shortcuts that would answer without memory, measured on a whole data set and held below a gate."""
