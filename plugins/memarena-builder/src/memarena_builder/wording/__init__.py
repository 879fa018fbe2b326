"""From events to turns: mentions, clauses, openers, chit-chat."""

from memarena_builder.wording.speak import Speaker
from memarena_builder.wording.turns import Line, Spoken

__all__ = ["Line", "Speaker", "Spoken"]
