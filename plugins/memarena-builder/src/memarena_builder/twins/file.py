"""`twins.json`: which samples are twins, and the answers that the fact which differs makes right in each.

Readers of the layout put each sample's part into `Sample.meta["twin"]`; systems see nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from memarena.records import Record
from memarena_builder.layout import HIDDEN
from memarena_builder.order import Order, TwinOrder
from memarena_builder.twins.choose import Difference

NAME = "twins.json"
ROW = "twin"
"""The row of the hidden log of a twin that tells the difference."""


class Side(Record, frozen=True, kw_only=True):
    """What a sample is told of its twin."""

    pair: str
    """Id of the sample that the twin was made from."""
    other: str
    """Id of the other sample."""
    answers: dict[str, str]
    """By question that must follow the fact: the answer that is right in the other world, and wrong in this one."""


class _Row(msgspec.Struct, tag_field="row", tag=ROW):
    base: str
    difference: Difference


def write(root: Path, orders: Iterable[Order]) -> None:
    """Write the file for the twins among `orders`, all of which are made; none where there is no twin."""
    sides = {name: side for order in orders if isinstance(order, TwinOrder) for name, side in _sides(root, order)}
    if sides:
        (root / NAME).write_bytes(msgspec.json.format(msgspec.json.encode(sides, order="sorted"), indent=1) + b"\n")


def _sides(root: Path, order: TwinOrder) -> Iterator[tuple[str, Side]]:
    base, twin = order.base.sample_id, order.sample_id
    answers = difference_of(root, twin).answers
    here = {name: pair[0] for name, pair in answers.items()}
    there = {name: pair[1] for name, pair in answers.items()}
    yield base, Side(pair=base, other=twin, answers=there)
    yield twin, Side(pair=base, other=base, answers=here)


def difference_of(root: Path, sample_id: str) -> Difference:
    """What tells the twin `sample_id` of the data set in `root` from its base; raises OSError where it is not there."""
    line = (root / HIDDEN / f"{sample_id}.jsonl").read_bytes().rstrip(b"\n").rpartition(b"\n")[2]
    return msgspec.json.decode(line, type=_Row).difference


def side_of(meta: Any) -> Side | None:
    """The part of a sample, from `Sample.meta`; None where it has no twin."""
    raw = meta.get("twin")
    return None if raw is None else msgspec.convert(raw, Side)
