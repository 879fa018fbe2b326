"""The metrics that follow evidence and facts through a memory (scorers `diagnosis` and `life`), by what they tell."""

from __future__ import annotations

from collections.abc import Mapping

LOST: Mapping[str, str] = {
    "lost_write": "write",
    "lost_maintain": "maintain",
    "lost_retrieve": "retrieve",
    "lost_unseen": "unseen",
    "lost_show": "show",
    "lost_use": "use",
}
"""Metric -> the stage at which it counts questions as lost, in the order of the stages."""

CORRECT = "correct"
"""What no stage has lost."""
BY_AGE = "correct_by_age"
MADE_UP = "made_up"
HAZARD = "fact_lost"

REACHED = (
    "reach_written",
    "reach_kept",
    "reach_retrieved",
    "reach_shown",
    "reach_used",
    "kept_if_written",
    "retrieved_if_kept",
    "correct_if_retrieved",
)
CHAIN = REACHED[5:]
"""Of those that came so far, those that came one stage further (paper, figure 4c)."""
BESIDE = (MADE_UP, "lucky", "grounded")

STATE = ("live_recall", "stale_held", "came_back", "fact_written", "fact_returned")
BY_SESSION = STATE[:3]
"""Those of `STATE` that have a row a session."""
UPDATE_FORMS = ("update_appended", "update_revised", "update_replaced", "update_merged", "update_nothing")
