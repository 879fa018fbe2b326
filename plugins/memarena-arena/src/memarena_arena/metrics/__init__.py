"""The scores as pure functions: texts, rankings, units, and means over samples.

Nothing here reads a file, calls a model or keeps a state that could be seen from outside.
"""
