"""How fast Euler tasks are drawn, solved and played.

    python tests/bench/bench_euler.py [--seconds 0.2]

Prints, in one run and by processor time: for each family the draws of valid slots with their statement, the whole draws
(the taught and the held-out answer solved, degenerate ones refused), and how many times longer the slow solver takes
than the fast one on the same fifty small instances; then graphs, pairs with all their plans, and a program in the
sandbox. Fails where fewer than 10,000 tasks a second are drawn and worded over all families.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from memarena_aha.euler import PART, sandbox
from memarena_aha.euler.draws import draw, sample, streams_of
from memarena_aha.euler.family import Family
from memarena_aha.euler.graph_tasks import graph_task
from memarena_aha.euler.graphs import DEPTHS
from memarena_aha.euler.register import all_families
from memarena_aha.euler.values import Params

TARGET = 10_000
"""Tasks drawn and worded a second, one of each family after the other."""


class Row(NamedTuple):
    """Microseconds for one family."""

    family_id: str
    worded: float
    whole: float
    brute: float
    """Times that the slow solver takes of the fast one."""


def microseconds(work: Callable[[int], int], seconds: float) -> float:
    """Processor time for each thing that `work` makes; it is called with 0, 1, ... and says how many it made."""
    begun, made, call = time.process_time(), 0, 0
    while time.process_time() - begun < seconds or not made:
        made += work(call)
        call += 1
    return (time.process_time() - begun) / made * 1e6


def measured(one: Family, seconds: float) -> Row:
    """The figures of one family."""

    def worded(index: int) -> int:
        params = sample(one, streams_of(one, 1, index, "test"), "test", (0,))
        if params is None:
            return 0
        one.statement(params, "test", index % len(one.test_skins))
        return 1

    def whole(index: int) -> int:
        draw(one, 1, index, "test")
        return 1

    small = [
        params for index in range(80) if (params := sample(one, streams_of(one, 1, index, "small"), "small", (0,)))
    ]

    fast, slow = (solved_in(solver, small[:50]) for solver in (one.solve_fast, one.solve_brute))
    return Row(one.family_id, microseconds(worded, seconds / 4), microseconds(whole, seconds), slow / fast)


def solved_in(solver: Callable[..., int], instances: Sequence[Params]) -> float:
    """Seconds for all instances."""
    begun = time.process_time()
    for params in instances:
        solver(**params)
    return time.process_time() - begun


def graphs_of(depth: int, seconds: float) -> float:
    """Microseconds for a pair of graphs."""

    def graph(index: int) -> int:
        graph_task(1, index, depth, "code")
        return 1

    return microseconds(graph, 5 * seconds)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=0.2, help="for each figure of a family")
    chosen = parser.parse_args()
    rows = [measured(one, chosen.seconds) for one in all_families()]
    print(f"{'family':8}{'worded us':>11}{'whole us':>11}{'slow/fast':>11}")
    for row in rows:
        print(f"{row.family_id:8}{row.worded:11.0f}{row.whole:11.0f}{row.brute:11.1f}")
    worded = 1e6 * len(rows) / sum(row.worded for row in rows)
    whole = 1e6 * len(rows) / sum(row.whole for row in rows)
    quick = sorted(row.whole for row in rows)[len(rows) // 2]
    print(f"all {len(rows)} families in turn: {worded:,.0f} drawn and worded a second (target {TARGET:,}),")
    print(f"{whole:,.0f} with both answers solved; the family in the middle: {1e6 / quick:,.0f}")
    for depth in DEPTHS:
        print(f"graphs of {depth} parts, taught and held out: {1e6 / graphs_of(depth, chosen.seconds):,.0f} a second")
    for track in ("closed", "code") if not sandbox.problem() else ("closed",):
        begun = time.process_time()
        PART.pairs(1, 120, {"track": track})
        print(f"120 pairs with six plans, {track} track: {time.process_time() - begun:.2f} s")
    if not sandbox.problem():
        begun = time.perf_counter()
        for _ in range(10):
            sandbox.run("print(1)")
        print(f"a program in the sandbox: {(time.perf_counter() - begun) * 100:.0f} ms")
    if worded < TARGET:
        print(f"FAILED: {worded:,.0f} draws a second are below {TARGET:,}")
    return int(worded < TARGET)


if __name__ == "__main__":
    sys.exit(main())
