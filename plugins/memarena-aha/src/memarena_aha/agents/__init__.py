"""Agents that play the parts of the suite: scripted ones, one that acts by what it reads, and any model or program."""

from memarena_aha.agents.context import PlayContext

__all__ = ["PlayContext"]
