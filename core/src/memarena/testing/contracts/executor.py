"""How an executor gets its work done."""

from __future__ import annotations

import time
from collections.abc import Iterator

from memarena.testing.checks import Stage, expect
from memarena.testing.contracts.naming import expect_named

_MANY = 50
_PAUSE = 0.01
"""Seconds that a cell takes, so that results do not overtake the caller."""
_TRIES = 5
"""On a busy machine they may overtake it once; whoever takes all cells at once does so each time."""


def named(stage: Stage) -> None:
    """It has a name and a revision.

    If this fails: set `name = "..."` and `revision = 1`.
    """
    expect_named(stage)


def each_cell_once(stage: Stage) -> None:
    """Every cell is worked on once and its result comes out once, in any order.

    If this fails: yield each result as it is there, and wait for the last ones.
    """
    done = sorted(stage.plugin().map(_square, iter(range(20))))
    expect(done == [number**2 for number in range(20)], f"20 cells gave {len(done)} results, or other ones")


def nothing_to_do_accepted(stage: Stage) -> None:
    """No cells give no results.

    If this fails: end where the iterator is empty from the start.
    """
    expect(list(stage.plugin().map(_square, iter(()))) == [], "no cells gave results")


def cells_taken_lazily(stage: Stage) -> None:
    """The first result comes before the last cell is asked for.

    If this fails: take a cell where a worker is free, never `list(cells)`.
    """
    lazy = any(_asked_before_the_first(stage) < _MANY for _ in range(_TRIES))
    expect(lazy, f"all {_MANY} cells were taken before the first result")


def failure_comes_out(stage: Stage) -> None:
    """What the work raises is raised to the caller.

    If this fails: pass errors of workers on; the work itself turns failures of a system into results.
    """
    try:
        list(stage.plugin().map(_fail, iter(range(3))))
    except ZeroDivisionError:
        return
    expect(False, "the work raised, and nothing came out")


def _asked_before_the_first(stage: Stage) -> int:
    """How many cells are asked for until the first result is there."""
    asked = 0

    def cells() -> Iterator[int]:
        nonlocal asked
        for number in range(_MANY):
            asked += 1
            yield number

    results = stage.plugin().map(_slow, cells())
    next(results)
    before = asked
    for _ in results:
        pass
    return before


def _square(number: int) -> int:
    return number * number


def _slow(number: int) -> int:
    time.sleep(_PAUSE)
    return number


def _fail(number: int) -> int:
    return number // 0
