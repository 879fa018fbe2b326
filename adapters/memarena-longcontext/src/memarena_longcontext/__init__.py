"""The whole history up to a token budget, answered over the whole: the long-context row of every table."""

from __future__ import annotations

from memarena_longcontext.adapter import LongContext, LongContextOptions

__all__ = ["LongContext", "LongContextOptions"]
