"""What a scorer asks for and what rows it gives."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import msgspec
import pluggy

from memarena.errors import PluginError
from memarena.records import JudgementRequest, Label, Metric, Stat
from memarena.scoring import AnyRecord, Scorers
from memarena.testing.checks import CheckFailed, Skipped, Stage, expect
from memarena.testing.contracts.naming import expect_named
from memarena.testing.contracts.verdicts import label_of
from memarena.testing.output import captured
from memarena.testing.tiny_records import tiny_records

_VARIANTS = {"", "paper", "release", "strict"}


def named(stage: Stage) -> None:
    """It has a name, a revision, and `metrics` from each metric's name to its Metric.

    If this fails: set `name = "..."`, `revision = 1` and `metrics = {"...": Metric(title=..., stage=...)}`.
    """
    expect_named(stage)
    metrics = getattr(stage.plugin(), "metrics", None)
    expect(isinstance(metrics, Mapping) and metrics, "it names no metrics")
    for name, metric in dict(metrics or {}).items():
        expect(isinstance(name, str) and isinstance(metric, Metric), f"metrics[{name!r}] is no Metric")


def hooks_decorated(stage: Stage) -> None:
    """`score`, and `judgement_requests` where it is there, are hooks of ScorerSpec.

    If this fails: decorate them with `@memarena.hookimpl`, and take only `record` and `labels`.
    """
    scorer = stage.plugin()
    for method in ("score", "judgement_requests"):
        if hasattr(scorer, method) or method == "score":
            expect(_is_hook(scorer, method), f"{method} is not decorated with @hookimpl")
    try:
        Scorers([scorer])
    except (PluginError, TypeError) as error:
        raise CheckFailed(str(error)) from None


def requests_typed(stage: Stage) -> None:
    """`judgement_requests` gives named requests of the right types.

    If this fails: return a dict from a name of your choice to a JudgementRequest, or an empty one.
    """
    scorers = _scorers(stage)
    for record in tiny_records():
        for (_, name), request in scorers.requests(record).items():
            _survives_json(request, JudgementRequest, f"request {name!r}")


def rows_typed(stage: Stage) -> None:
    """Each row names this scorer and one of its metrics, and its numbers are finite or both None.

    If this fails: make rows with `Stat.of(record, self, metric=..., n=..., d=...)`; leave a row out, or give n and d as
    None, where there is nothing to measure.
    """
    scorer = stage.plugin()
    for record, stat in _all_rows(stage):
        where = f"row {stat.metric!r} of {record.unit}"
        _survives_json(stat, Stat, where)
        expect((stat.scorer, stat.revision) == (scorer.name, scorer.revision), f"{where} names another scorer")
        expect(stat.variant in _VARIANTS, f"{where}: no variant {stat.variant!r}")
        expect((stat.n is None) == (stat.d is None), f"{where}: of n and d one is None")
        numbers = [number for number in (stat.n, stat.d, stat.weight) if number is not None]
        expect(all(map(math.isfinite, numbers)), f"{where}: n, d or weight is not finite")


def failed_judgements_are_invalid(stage: Stage) -> None:
    """Where a judgement failed (None), a row of the record counts it as invalid.

    If this fails: for each label that is None give a row with `n=None, d=None, invalid=1`; never a zero or a one.
    """
    scorers = _scorers(stage)
    for record in tiny_records():
        requests = scorers.requests(record)
        if requests:
            rows = list(scorers.rows(record, dict.fromkeys(requests)))
            expect(any(row.invalid for row in rows), f"{record.kind} {record.unit}: no row says invalid")


def same_rows_twice(stage: Stage) -> None:
    """The same record and labels give the same requests and rows, from another instance too.

    If this fails: keep no state between calls, draw no random numbers, iterate no sets.
    """
    first = [stat for _, stat in _all_rows(stage)]
    again = [stat for _, stat in _all_rows(stage)]
    expect(first == again, "two passes over the same records differ")


def no_stray_output(stage: Stage) -> None:
    """Nothing is written to stdout or stderr.

    If this fails: remove prints and use `logging`.
    """
    with captured(stage.folder) as output:
        for _ in _all_rows(stage):
            pass
    expect(not output.text, f"{len(output.text)} characters were written, beginning with {output.text[:60]!r}")


def _scorers(stage: Stage) -> Scorers:
    scorer = stage.plugin()
    unfit = Skipped("it cannot be registered: see named and hooks_decorated")
    if not _is_hook(scorer, "score"):
        raise unfit
    try:
        return Scorers([scorer])
    except (AttributeError, TypeError, pluggy.PluginValidationError):
        raise unfit from None


def _is_hook(scorer: object, method: str) -> bool:
    return hasattr(getattr(type(scorer), method, None), "memarena_impl")


def _all_rows(stage: Stage) -> Iterator[tuple[AnyRecord, Stat]]:
    scorers = _scorers(stage)
    for record in tiny_records():
        labels: dict[tuple[str, str], Label | None] = {
            name: label_of(request, place) for place, (name, request) in enumerate(scorers.requests(record).items())
        }
        try:
            for stat in scorers.rows(record, labels):
                yield record, stat
        except PluginError as error:
            raise CheckFailed(str(error)) from None


def _survives_json(record: msgspec.Struct, kind: type[msgspec.Struct], where: str) -> None:
    try:
        msgspec.json.decode(msgspec.json.encode(record), type=kind)
    except (TypeError, ValueError) as error:
        raise CheckFailed(f"{where}: {error}") from None
