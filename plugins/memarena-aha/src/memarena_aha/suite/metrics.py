"""The scores of the suite by name: what each row of scores.jsonl is. Scores of 0 to 100 stand there as shares."""

from __future__ import annotations

from collections.abc import Mapping

from memarena.records import Metric

__all__ = ["METRICS"]

METRICS: Mapping[str, Metric] = {
    "p": Metric(title="P", stage="use", about="Score of the evaluation after the plan, with the memory of the arm."),
    "lift": Metric(
        title="Lift",
        stage="use",
        unit="points",
        about="P - B on the same instance: what experience was worth through this memory.",
    ),
    "s": Metric(title="Score", stage="use", about="Score of one evaluation; its facet `condition` says of which."),
    "poison": Metric(
        title="Poison",
        stage="maintain",
        unit="points",
        about="P after one false lesson more - P: below 0 where the memory passes it on.",
    ),
    "foreign": Metric(
        title="Foreign",
        stage="retrieve",
        unit="points",
        about="P with experience of something else - B: 0 where it neither helps nor harms.",
    ),
    "write": Metric(title="Written", stage="write", about="Lessons that some change of the store holds."),
    "keep": Metric(title="Kept", stage="maintain", about="Lessons that the store holds right before the evaluation."),
    "retrieve": Metric(title="Retrieved", stage="retrieve", about="Lessons that the agent was shown."),
    "used": Metric(title="Used", stage="use", about="Lessons that applied and were acted by more often than not."),
    "memory_errors": Metric(
        title="Memory errors",
        stage="cost",
        better="low",
        pooled=True,
        about="Calls to the memory that failed; an arm is not valid in which more than 10 % of its retrievals failed, "
        "or of the calls that it learns from.",
    ),
    "shown_tokens": Metric(
        title="Shown", stage="cost", unit="tokens", better="low", about="Tokens of memory that a decision was shown."
    ),
}
