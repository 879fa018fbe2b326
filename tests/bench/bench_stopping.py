"""Where comparisons of recorded runs stop, over 200 orders of the questions, and how often they are decided wrongly.

    python tests/bench/bench_stopping.py [RUN] [--seeds 200] [--error 0.05] [--metric qa_c]

Without RUN, seven systems are run over a data set that was built (`sim:small@7`: 8 samples, 439 questions). A pair is
separated where all questions together show a difference (sign flips over samples, p below 0.05), and clear where it is
separated by at least 15 points. Fails where a separated pair is decided the other way in more than `error` of the
orders, or the clear pairs need more than a quarter of the questions on average.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from memarena.store import RunStore
from memarena_report.frame import Frame
from memarena_report.pairing import Pair, pairs
from memarena_report.stopping import Rule, Stopped, stop_early

SYSTEMS = ("bm25", "turns=bm25", "longcontext", "verbatim", "last-session", "constant", "nothing")
CLEAR = 0.15
MOST = 0.25


class Seen(NamedTuple):
    """One pair, compared with all questions and in every order."""

    pair: Pair
    looks: list[Stopped]

    @property
    def separated(self) -> bool:
        seen = self.pair.difference
        return seen is not None and seen.p is not None and seen.p < 0.05

    @property
    def clear(self) -> bool:
        return self.separated and abs(self.pair.difference.value) >= CLEAR  # type: ignore[union-attr]

    @property
    def higher(self) -> str:
        return self.pair.left if self.pair.difference.value > 0 else self.pair.right  # type: ignore[union-attr]

    @property
    def wrong(self) -> float:
        """Share of the orders that decide for the other one."""
        return fmean(look.higher not in ("", self.higher) for look in self.looks)

    @property
    def undecided(self) -> float:
        return fmean(look.higher == "" for look in self.looks)

    @property
    def asked(self) -> float:
        """Share of the questions that are asked, on average."""
        return fmean(look.asked / max(1, look.questions) for look in self.looks)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("run", nargs="?", type=Path)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--error", type=float, default=0.05)
    parser.add_argument("--metric", default="qa_c")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = given.run or _recorded(Path(folder) / "run")
        seen = list(_compared(RunStore.open(run), given.metric, given.seeds, given.error))
    print(f"{'left':>14} {'right':>14} {'difference':>10} {'p':>7} {'asked':>7} {'wrong':>6} {'undecided':>9}")
    for one in seen:
        difference = one.pair.difference
        if difference is not None:
            kind = "clear" if one.clear else "separated" if one.separated else ""
            print(
                f"{one.pair.left:>14} {one.pair.right:>14} {100 * difference.value:>+10.1f} {difference.p or 0:>7.3f} "
                f"{one.asked:>7.1%} {one.wrong if one.separated else 0:>6.1%} {one.undecided:>9.1%} {kind}"
            )
    separated, clear = [one for one in seen if one.separated], [one for one in seen if one.clear]
    worst = max((one.wrong for one in separated), default=0.0)
    need = fmean(one.asked for one in clear) if clear else 1.0
    print(f"{len(separated)} pairs separated: decided the other way in at most {worst:.1%} of {given.seeds} orders")
    print(f"{len(clear)} pairs clear: {need:.1%} of the questions on average")
    return int(worst > given.error or need > MOST)


def _recorded(out: Path) -> Path:
    words = [word for name in SYSTEMS for word in ("-a", name)]
    options = ("-o", "turns.unit=turn", "--answerer", "sim-reader", "--quiet", "--out", str(out))
    command = (sys.executable, "-m", "memarena", "run", "-d", "sim:small@7", *words, *options)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return out


def _compared(store: RunStore, metric: str, seeds: int, error: float) -> Iterator[Seen]:
    frame = Frame.read(store.stats())
    about = store.metrics()[metric]
    labels = [row["label"] for row in store.header["adapters"]]
    columns = [(label, column) for label in labels if (column := frame.column(label, metric, "paper")) is not None]
    found = pairs(frame, [label for label, _ in columns], metric, "paper", about=about)
    looks = [
        stop_early(metric, columns, rule=Rule(error, seed), level="samples", pooled=about.pooled)
        for seed in range(seeds)
    ]
    for place, pair in enumerate(found):
        yield Seen(pair, [one[place] for one in looks])


if __name__ == "__main__":
    sys.exit(main())
