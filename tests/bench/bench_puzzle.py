"""How fast the hosts of puzzles answer, how well the free one reads, and whether the ladder of scripted agents holds.

    python tests/bench/bench_puzzle.py [--seeds 20] [--pairs 6]

Prints the time of an answer of each host, the agreement with the banks, and for each agent the mean score over all
pairs with its 95 % interval (percentile bootstrap over puzzles, 2,000 draws). Then it checks the relations that must
hold, paired by instance, and fails where one does not.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from statistics import mean
from typing import Any

from memarena_aha.agents.context import PlayContext
from memarena_aha.parts import Episode, Pair
from memarena_aha.puzzle import PART, PuzzleEpisode, puzzle_ids
from memarena_aha.puzzle.agents import CopyLast, OracleExpert, RandomStructured, SurfaceGuess, Sweep8, TraceParrot
from memarena_aha.puzzle.course import host_of
from memarena_aha.puzzle.loader import SKINS
from memarena_aha.puzzle.proof import mistakes
from memarena_aha.puzzle.reader import LessonReader

TARGET_SECONDS = 0.0002
"""For an answer of the structured host, with all that an episode does around it."""
ABOVE = (
    ("oracle_expert", "supported reader"),
    ("supported reader", "reader after the course"),
    ("sweep_8", "random_structured"),
    ("sweep_8", "trace_parrot"),
    ("random_structured", "surface_guess"),
    ("reader after the course", "reader after half"),
    ("reader after half", "reader without memory"),
    ("reader without memory", "misled reader"),
)
"""Of each two the first must score more: the interval of the paired difference lies above 0."""


def play(episode: Episode, agent: Any, memory: str, seed: int) -> float:
    """The score of `agent` with `memory` before its eyes."""
    privileged = getattr(agent, "privileged", False)
    agent.begin(PlayContext(part="puzzle", seed=seed, episode=episode if privileged else None))
    while not episode.ended:
        episode.act(agent.act({**episode.observe(), "memory": memory}, episode.tools()))
    return episode.score().score


def heard(pair: Pair, keep: Callable[[int], bool]) -> str:
    """What a memory holds that keeps every word of some units of the course."""
    texts = []
    for number, unit in enumerate(pair.plans["course"]):
        assert unit.play is not None
        assert unit.after is not None
        if keep(number):
            texts += [said.text for said in (*unit.told, *unit.after(unit.play()))]
    return "\n".join(texts)


def interval(values: Sequence[float], blocks: Sequence[str]) -> tuple[float, float]:
    """The 95 % interval of the mean; values of one block are drawn together."""
    by_block: dict[str, list[float]] = {}
    for value, block in zip(values, blocks, strict=True):
        by_block.setdefault(block, []).append(value)
    groups, draw = list(by_block.values()), random.Random(0)
    means = sorted(mean(v for group in draw.choices(groups, k=len(groups)) for v in group) for _ in range(2_000))
    return means[49], means[1949]


def measure(pairs: Sequence[Pair]) -> dict[str, list[float]]:
    """Scores of all agents on all pairs."""
    full = [heard(pair, lambda _: True) for pair in pairs]
    half = [heard(pair, lambda number: number % 2 == 0) for pair in pairs]
    traces = [text.partition("The truth:")[0] for text in full]
    nothing = [""] * len(pairs)
    runs: dict[str, tuple[type[Any], list[str], str]] = {
        "oracle_expert": (OracleExpert, nothing, ""),
        "supported reader": (LessonReader, full, "supported"),
        "sweep_8": (Sweep8, nothing, ""),
        "reader after the course": (LessonReader, full, ""),
        "reader after half": (LessonReader, half, ""),
        "trace_parrot": (TraceParrot, traces, ""),
        "random_structured": (RandomStructured, nothing, ""),
        "reader without memory": (LessonReader, nothing, ""),
        "surface_guess": (SurfaceGuess, nothing, ""),
        "copy_last": (CopyLast, full, ""),
        "misled reader": (LessonReader, [f"{text}\n{pair.poison}" for text, pair in zip(full, pairs, strict=True)], ""),
    }
    return {
        name: [
            play(pair.evaluate(support), agent(), text, pair.instance["seed"])
            for pair, text in zip(pairs, texts, strict=True)
        ]
        for name, (agent, texts, support) in runs.items()
    }


def answers() -> tuple[float, float, float]:
    """Seconds of a structured and of a free answer, and the least agreement with a bank."""
    asked, count = 0.0, 0
    for puzzle_id in puzzle_ids():
        host = host_of(puzzle_id, 0)
        forms = [form._asdict() for form in list(host.graph.table)[:15] if form.value]
        actions = [{"tool": "ask", "args": form} for form in forms]
        episode = PuzzleEpisode(host)
        start = time.perf_counter()
        for action in actions:
            episode.act(action)
        asked += time.perf_counter() - start
        count += len(actions)
    hosts = [host_of(puzzle_id, skin) for puzzle_id in puzzle_ids() for skin in range(SKINS)]
    start = time.perf_counter()
    wrong = [len(mistakes(host)) for host in hosts]
    free = (time.perf_counter() - start) / (60 * len(hosts))
    return asked / count, free, 1 - max(wrong) / 60


def main() -> int:
    """1 where a relation or the target does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=6)
    arguments = parser.parse_args()
    structured, free, agreement = answers()
    print(f"structured answer {structured * 1e6:.0f} us (target {TARGET_SECONDS * 1e6:.0f}), free {free * 1e6:.0f} us")
    print(f"least agreement with a bank of 60: {agreement:.1%} (needed 95 %), {len(puzzle_ids())} puzzles")
    pairs = [pair for seed in range(arguments.seeds) for pair in PART.pairs(seed, arguments.pairs, {})]
    scores, blocks = measure(pairs), [pair.block for pair in pairs]
    print(f"\n{'agent':26}{'mean':>7}{'95 %':>18}   pairs {len(pairs)}")
    for name, values in scores.items():
        low, high = interval(values, blocks)
        print(f"{name:26}{mean(values):7.1f}{low:10.1f} to {high:.1f}")
    failed = ["the target"] * (structured > TARGET_SECONDS) + ["the banks"] * (agreement < 0.95)
    for upper, lower in ABOVE:
        low, high = interval([a - b for a, b in zip(scores[upper], scores[lower], strict=True)], blocks)
        print(f"{upper} above {lower}: {low:.1f} to {high:.1f}")
        failed += [f"{upper} above {lower}"] * (low <= 0)
    if set(scores["copy_last"]) != {0.0}:
        print(f"copy_last earned something {sum(score > 0 for score in scores['copy_last'])} times")
    print("\nfailed: " + ", ".join(failed) if failed else "\nall relations hold")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
