"""What a scorer says of each question of a cell: from recorded histories and labels, with the system long gone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from memarena import catalog

if TYPE_CHECKING:
    from memarena.explanations import Explainer, Explanation
    from memarena.records import Label, SampleRecord


def explainer_of(metrics: Collection[str]) -> Explainer | None:
    """The first installed scorer that can explain and that a run with these metrics was scored with.

    Raises PluginLoadError where a scorer that is installed cannot be loaded.
    """
    for row in catalog.entries("scorers"):
        scorer: Any = row.load()
        own = getattr(scorer, "metrics", None) or (row.name,)
        if hasattr(scorer, "explain") and set(own) <= set(metrics):
            made: Explainer = catalog.make(scorer, {}, who=str(row))
            return made
    return None


def explained(
    explainer: Explainer | None, history: SampleRecord, labels: Mapping[str, Mapping[str, Label | None]]
) -> dict[str, Explanation]:
    """Question id -> its explanation; `labels` are those of the cell: unit -> name of the request -> label."""
    if explainer is None:
        return {}
    return {one.question_id: one for one in explainer.explain(history, labels.get(history.unit, {}))}
