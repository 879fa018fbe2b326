"""The protocol of the experience suite: a plan, then an evaluation, with a memory system as the only thing between."""

from memarena_aha.suite.plugin import AhaSuite

__all__ = ["AhaSuite"]
