"""Number tasks whose method carries over: families with a taught and a held-out side, and graphs of them."""

from memarena_aha.euler.episode import EulerEpisode
from memarena_aha.euler.part import EulerOptions, EulerPart
from memarena_aha.euler.register import all_families, family, family_ids

__all__ = ["PART", "EulerEpisode", "EulerOptions", "EulerPart", "all_families", "family", "family_ids"]

PART = EulerPart()
