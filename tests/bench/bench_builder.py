"""What building data costs: sessions, pictures and questions a second by kind, each validator, and more processes.

    python tests/bench/bench_builder.py [--samples 2]

Kinds whose environment is not installed are left out, and named. Times are of the processor; of the desk they are of
the wall, since its browser works in processes of its own. The first sample of a kind is made once before, so that
imports do not count. A validator's time is that of its function within the building of samples of dialogue. With
several jobs the samples of `tiny` are built, by the wall; the ratio is to one job.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from memarena.errors import UsageError
from memarena_builder import lifelong
from memarena_builder.build import build
from memarena_builder.makers import Made, make, require
from memarena_builder.order import Order
from memarena_builder.presets import orders
from memarena_builder.validators import answers, balance, chains, coverage, distractors, shape

KINDS = {
    "dialogue, project": "lifelong/project/software",
    "dialogue, life": "lifelong/personal",
    "house": "agent/embodied/eb_nav_base",
    "valley": "agent/embodied/minecraft",
    "desk": "agent/gui/excel",
}
"""By name: the folder of its samples."""
VALIDATORS: tuple[tuple[str, Any, str], ...] = (
    ("V1 points", coverage, "points_are_told"),
    ("V1 V8 pictures", lifelong, "pictured"),
    ("V2 captions", coverage, "captions_are_neutral"),
    ("V3 distractors", distractors, "have_one_cue"),
    ("V4 chains", chains, "updates_are_consistent"),
    ("V5 evidence", answers, "evidence_is_minimal"),
    ("V6 answers", answers, "answer_is_one"),
    ("V7 time", answers, "nothing_is_known_early"),
    ("V8 words", answers, "modality_is_true"),
    ("V9 quota", shape, "session_fits"),
    ("V10 ids", shape, "ids_lead_somewhere"),
    ("V11 twins", balance, "twins_are_there"),
)
"""Name, module, function."""
JOBS = (1, 2)


def count(made: Made, *starts: str) -> int:
    """How much of what a sample has, by the beginnings of the names of its counts."""
    return sum(number for name, number in made.counts.items() if name.startswith(starts))


def by_kind(name: str, place: str, samples: int) -> None:
    """Print what the samples of one kind cost."""
    wanted = [order for order in orders("paper", 0) if order.place == place][: samples + 1]
    try:
        require(wanted)
    except UsageError as error:
        print(f"{name:20} left out: {error}")
        return
    with tempfile.TemporaryDirectory() as root:
        clock = perf_counter if name == "desk" else process_time
        make(wanted[0], Path(root))
        begun = clock()
        made = [make(order, Path(root)) for order in wanted[1:]]
        spent = clock() - begun
    rates = {
        "sessions": sum(count(each, "sessions") for each in made) / spent,
        "pictures": sum(count(each, "pictures") for each in made) / spent,
        "questions": sum(count(each, "questions ") for each in made) / spent,
    }
    told = ", ".join(f"{rate:6.1f} {thing}/s" for thing, rate in rates.items())
    print(f"{name:20} {spent / len(made):6.2f} s a sample: {told}")


@contextmanager
def clocked() -> Iterator[dict[str, list[float]]]:
    """The seconds of each call of each validator meanwhile."""
    spent: dict[str, list[float]] = defaultdict(list)
    real = [getattr(module, function) for _, module, function in VALIDATORS]

    def timed(name: str, check: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            begun = process_time()
            found = check(*arguments, **options)
            if isinstance(found, Iterator):
                found = list(found)
            spent[name].append(process_time() - begun)
            return found

        return run

    for (name, module, function), check in zip(VALIDATORS, real, strict=True):
        setattr(module, function, timed(name, check))
    try:
        yield spent
    finally:
        for (_, module, function), check in zip(VALIDATORS, real, strict=True):
            setattr(module, function, check)


def validators(wanted: list[Order]) -> None:
    """Print what each validator costs in the building of samples."""
    with tempfile.TemporaryDirectory() as root, clocked() as spent:
        begun = process_time()
        for order in wanted:
            make(order, Path(root))
        whole = process_time() - begun
    for name, _, _ in VALIDATORS:
        calls = spent[name]
        mean = sum(calls) / max(len(calls), 1) * 1e6
        print(f"{name:20} {sum(calls):6.2f} s of {whole:.1f} s ({sum(calls) / whole:5.1%}), {mean:8.0f} us a call")


def scaling() -> None:
    """Print how long `tiny` takes with more processes."""
    seconds = []
    for jobs in JOBS:
        with tempfile.TemporaryDirectory() as root:
            begun = perf_counter()
            build(Path(root) / "sim", "tiny", 7, jobs)
            seconds.append(perf_counter() - begun)
        print(f"--jobs {jobs:<13} {seconds[-1]:6.2f} s for tiny, {seconds[0] / seconds[-1]:.2f} times as fast as one")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--samples", type=int, default=2, help="samples of a kind")
    samples = parser.parse_args().samples
    for name, place in KINDS.items():
        by_kind(name, place, samples)
    validators(
        [order for order in orders("paper", 0, "lifelong") if order.place == KINDS["dialogue, project"]][:samples]
    )
    scaling()


if __name__ == "__main__":
    main()
