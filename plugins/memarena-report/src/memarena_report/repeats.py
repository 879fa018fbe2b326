"""How far the repeats of a run lie apart, and which stage makes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from math import sqrt
from statistics import stdev
from typing import TYPE_CHECKING

from memarena.records import Metric
from memarena.store import RunStore
from memarena_report.frame import Frame
from memarena_report.levels import LEVELS, default_level, measure
from memarena_report.scores import Number, Scores, System
from memarena_report.table import STAGES, Column, Row, Table, metric_column
from memarena_report.tables import main_metrics

if TYPE_CHECKING:
    from memarena_report.frame import Floats

DRAWN = {"write": "Write", "retrieve": "Retrieve", "answer": "Answer", "judge": "Judge"}
"""What is drawn anew in a repeat, in the order in which it happens."""
RUN = "run"


def repeats_table(scores: Scores, variant: str = "paper") -> Table | None:
    """The standard deviation of each score over the repeats; None for a run with one repeat."""
    if scores.settings["repeats"] < 2:
        return None
    metrics = main_metrics(scores)
    rows = [
        Row(system.label, system.role, tuple(_spread(scores, system.label, metric, variant) for metric in metrics))
        for system in scores.systems
    ]
    columns = tuple(metric_column(scores, metric) for metric in metrics)
    title = "Standard deviation over repeats"
    return Table("repeats", title, columns, tuple(rows), variant, LEVELS[default_level(variant)])


def variance_table(scores: Scores, variant: str = "paper", metric: str = "qa_c") -> Table | None:
    """How much each stage makes `metric` vary from repeat to repeat, as standard deviations whose squares add up.

    None for a run in which nothing was drawn again.
    """
    folders = {stage: scores.store.path / "redrawn" / stage for stage in DRAWN if stage != "write"}
    if not scores.has(metric) or not all((folder / "scores.jsonl").exists() for folder in folders.values()):
        return None
    frame = Frame()
    for name, store in {RUN: scores.store, **{stage: RunStore.open(one) for stage, one in folders.items()}}.items():
        frame.add((row for row in store.stats() if row.stat.metric == metric), f"{name}:")
    about, repeats = scores.metrics[metric], scores.settings["repeats"]
    rows = []
    for system in scores.systems:
        means = {
            name: [_means(frame, f"{name}:{system.label}", metric, variant, about, repeat) for repeat in range(repeats)]
            for name in (RUN, *folders)
        }
        rows.append(Row(system.label, system.role, tuple(_deviations(split(means), system))))
    group = STAGES.get(about.stage, about.stage)
    titles = {"all": "All", **DRAWN}
    columns = tuple(Column(name, title, group, about.unit, "low") for name, title in titles.items())
    title = f"{about.title}: standard deviation over repeats, by what makes it"
    return Table("variance", title, columns, tuple(rows), variant, LEVELS["samples"])


def split(means: Mapping[str, list[Floats]]) -> dict[str, tuple[float, int, int]]:
    """The variance of the mean over samples that each stage makes: its value, pairs that it rests on, and samples.

    `means`: `run`, `retrieve`, `answer` and `judge` -> by repeat the mean of each sample (NaN where it has none). Half
    the mean squared difference of two draws that share all before a stage is the variance of that stage and of those
    after it; the differences of these are unbiased, so that one may be below 0 where little varies. For `write`, the
    run is paired with the retrievals drawn again of *other* repeats, which share no memory and no label.
    """
    repeats = range(len(means[RUN]))
    apart = {
        stage: _half_squares((means[RUN][one], means[stage][one]) for one in repeats)
        for stage in DRAWN
        if stage in means
    }
    others = [(one, two) for one, two in product(repeats, repeats) if one != two]
    apart["write"] = _half_squares((means[RUN][one], means["retrieve"][two]) for one, two in others)
    found: dict[str, tuple[float, int, int]] = {"all": apart["write"]}
    stages = list(DRAWN)
    for stage, after in zip(stages, [*stages[1:], ""], strict=True):
        value, pairs, samples = apart[stage]
        found[stage] = value - (apart[after][0] if after else 0.0), pairs, samples
    return found


def _half_squares(pairs: Iterable[tuple[Floats, Floats]]) -> tuple[float, int, int]:
    """Half the mean squared difference over samples and pairs / samples: of a mean over so many samples."""
    import numpy as np

    differences = np.array([one - two for one, two in pairs])
    seen = ~np.isnan(differences)
    samples = int(seen.any(axis=0).sum())
    if not samples:
        return float("nan"), 0, 0
    return float(np.mean(differences[seen] ** 2) / 2 / samples), int(seen.sum()), samples


def _deviations(found: Mapping[str, tuple[float, int, int]], system: System) -> Iterable[Number]:
    for name, (value, pairs, samples) in found.items():
        if not pairs:
            yield Number(None, note="fewer than two draws have a value")
        elif name in ("retrieve", "answer") and system.capabilities.answers:
            yield Number(None, note="answers by itself: part of what it writes")
        else:
            note = "below 0: too little varies to tell" if value < -1e-12 else "n counts pairs of draws"
            yield Number(sqrt(max(0.0, value)), n=pairs, samples=samples, note=note)


def _means(frame: Frame, label: str, metric: str, variant: str, about: Metric, repeat: int) -> Floats:
    """The mean of each sample in one repeat; NaN where it has none."""
    import numpy as np

    samples = len(frame.samples)
    column = frame.column(label, metric, variant)
    if column is None:
        return np.full(samples, np.nan)
    (part,) = measure(column.take(column.repeat == repeat), samples, 0, about, "samples").parts
    means: Floats = np.divide(part.num, part.den, out=np.full(samples, np.nan), where=part.den > 0)
    return means


def _spread(scores: Scores, label: str, metric: str, variant: str) -> Number:
    column = scores.frame.column(label, metric, variant)
    if column is None:
        return Number(None, note="nothing to measure")
    about, samples, level = scores.metrics[metric], len(scores.frame.samples), default_level(variant)
    seen = [
        measure(column.take(column.repeat == repeat), samples, 0, about, level).value
        for repeat in range(scores.settings["repeats"])
    ]
    values = [value for value in seen if value is not None]
    if len(values) < 2:
        return Number(None, note="fewer than two repeats have a value")
    return Number(stdev(values), n=len(values), note="n counts repeats")
