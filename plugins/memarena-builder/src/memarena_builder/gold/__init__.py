"""Gold points of a session, by construction: new, update, interference."""

from memarena_builder.gold.points import Point, gold

__all__ = ["Point", "gold"]
