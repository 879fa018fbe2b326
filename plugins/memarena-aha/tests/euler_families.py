"""What the tests of all families share: their ids, drawn instances and known answers."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from memarena_aha.euler.draws import Instance, Track, draw, sample, streams_of
from memarena_aha.euler.family import Split
from memarena_aha.euler.register import family
from memarena_aha.euler.values import Params

SEED = 7


@cache
def drawn(family_id: str, split: Split, count: int, track: Track = "code") -> list[Instance]:
    """The first instances of a split."""
    if split != "test":
        return [draw(family(family_id), SEED, index, split, track) for index in range(count)]
    taught = drawn(family_id, "teach", count, track)
    return [draw(family(family_id), SEED, index, split, track, one) for index, one in enumerate(taught)]


@cache
def small(family_id: str, count: int) -> list[Params]:
    """Slots within reach of the slow solver."""
    one, found = family(family_id), list[Params]()
    for index in range(20 * count):
        params = sample(one, streams_of(one, SEED, index, "small"), "small", (0,))
        if params is not None:
            found.append(params)
        if len(found) == count:
            break
    return found


def known() -> dict[str, list[tuple[dict[str, object], int]]]:
    """Known answers by family, from all `euler_known_*` modules."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("euler_known_*.py"))
    return {key: rows for name in names for key, rows in import_module(name).KNOWN.items()}
