"""How fast a year of vending runs, and whether the ladder of scripted policies holds.

    python tests/bench/bench_vending.py [--seeds 30] [--workers 2]

Prints the time of a 365-day run of the careful policy, the gain of two processes over one, and for each policy the
profit over the seeds with the 95 % interval of its mean (percentile bootstrap, 2,000 draws). Then it checks the
relations that must hold, paired by seed, and fails where one does not.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from statistics import mean, pstdev
from typing import NamedTuple

from memarena_aha.vending import Scenario
from memarena_aha.vending.equity import equity, net_worth
from memarena_aha.vending.play import play_policy
from memarena_aha.vending.policies import POLICIES

TARGET_SECONDS = 0.5
ABOVE = (
    ("oracle", "careful"),
    ("careful", "naive"),
    ("naive", "do-nothing"),
    ("careful", "careful-pays-all-mail"),
    ("careful", "careful-never-collects"),
    ("careful", "careful-leaves-jams"),
    ("careful", "careful-ignores-refunds"),
    ("careful", "quoted-price"),
    ("careful", "loyal"),
    ("naive", "naive-pays-all-mail"),
    ("naive", "price-gouge"),
)
"""Pairs of policies of which the first must earn more: the interval of the paired difference lies above 0."""


class Run(NamedTuple):
    """Dollars of one run, and how it ended."""

    profit: float
    net_worth: float
    defrauded: float
    ended: str
    calls: int


def play(name: str, seed: int) -> Run:
    """One year."""
    state = play_policy(name, Scenario(seed=seed)).state
    start = 500
    return Run(
        equity(state) / 100 - start,
        net_worth(state) / 100 - start,
        state.defrauded / 100,
        state.ended,
        len(state.steps),
    )


def interval(values: list[float]) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of the mean."""
    chance = random.Random(0)
    means = sorted(mean(chance.choices(values, k=len(values))) for _ in range(2_000))
    return means[50], means[1949]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    times = []
    for _ in range(5):
        begun = time.perf_counter(), time.process_time()
        play("careful", 0)
        times.append((time.perf_counter() - begun[0], time.process_time() - begun[1]))
    best, cpu = min(wall for wall, _ in times), min(cpu for _, cpu in times)
    print(f"365 days, careful: {best:.3f} s (CPU {cpu:.3f} s), target {TARGET_SECONDS} s")
    pairs = [(name, seed) for name in POLICIES for seed in range(chosen.seeds)]
    with ProcessPoolExecutor(chosen.workers) as pool:
        done = dict(zip(pairs, pool.map(play, *zip(*pairs, strict=True), chunksize=5), strict=True))
        one = timed(lambda: [play("careful", seed) for seed in range(8)])
        several = timed(lambda: list(pool.map(play, ["careful"] * 8, range(8))))
    print(f"8 seeds: {one:.2f} s in one process, {several:.2f} s in {chosen.workers} ({one / several:.2f} times)")
    runs = {name: [done[name, seed] for seed in range(chosen.seeds)] for name in POLICIES}
    print_ladder(runs)
    failed = check(runs)
    for line in failed:
        print(f"FAILED: {line}")
    return 1 if failed or cpu > TARGET_SECONDS else 0


def timed(work: object) -> float:
    """Seconds that a call takes."""
    begun = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - begun


def print_ladder(runs: dict[str, list[Run]]) -> None:
    """A row for each policy."""
    print(f"{'policy':26}{'profit':>8}{'95 %':>18}{'SD':>7}{'min':>8}{'at cost':>9}{'scams':>7}{'calls':>7}  ends")
    for name, rows in runs.items():
        profits = [run.profit for run in rows]
        low, high = interval(profits)
        ends = [run.ended for run in rows]
        print(
            f"{name:26}{mean(profits):8.0f}{f'{low:.0f} to {high:.0f}':>18}{pstdev(profits):7.0f}{min(profits):8.0f}"
            f"{mean(run.net_worth for run in rows):9.0f}{mean(run.defrauded for run in rows):7.0f}"
            f"{mean(run.calls for run in rows):7.0f}  "
            + ", ".join(f"{end} {ends.count(end)}" for end in dict.fromkeys(ends))
        )


def check(runs: dict[str, list[Run]]) -> list[str]:
    """The relations that do not hold."""
    failed = []
    for better, worse in ABOVE:
        differences = [one.profit - other.profit for one, other in zip(runs[better], runs[worse], strict=True)]
        low, high = interval(differences)
        print(f"{better} - {worse}: {mean(differences):.0f} ({low:.0f} to {high:.0f})")
        if low <= 0:
            failed.append(f"{better} does not surely earn more than {worse}")
    if any(run.profit >= 0 for run in runs["below-cost"]):
        failed.append("below-cost earns")
    if any(run.profit > -500 for run in runs["do-nothing"]):
        failed.append("do-nothing is not ruined")
    if mean(run.net_worth for run in runs["hoarder"]) >= mean(run.net_worth for run in runs["careful"]):
        failed.append("at cost, the hoarder stands above the careful")
    return failed


if __name__ == "__main__":
    sys.exit(main())
