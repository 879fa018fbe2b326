"""Agents as memory systems of their own: real programs, each conversation in a root and a jail of its own."""
