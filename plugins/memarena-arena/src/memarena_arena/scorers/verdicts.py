"""Labels as a scorer may trust them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from memarena.records import Label


def read(labels: Mapping[str, Label | None], name: str, count: int, allowed: Collection[str]) -> list[str | None]:
    """The `count` verdicts of the label `name`; None where the judgement failed.

    A label with another number of verdicts has failed as a whole, since its verdicts belong to nothing; a verdict that
    is not `allowed` has failed alone.
    """
    label = labels.get(name)
    if label is None or len(label.verdicts) != count:
        return [None] * count
    return [verdict if verdict in allowed else None for verdict in label.verdicts]
