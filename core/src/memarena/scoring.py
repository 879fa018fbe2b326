"""Judgements and scores: what scorers ask is judged once; their rows are written sorted, without times and paths."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pluggy

from memarena import codec, scorefile
from memarena.cells import CellLabel, CellSpec
from memarena.daemons import Daemons
from memarena.errors import MemarenaError, PluginError, first_line, is_ctrl_c, one_line
from memarena.hookspecs import ScorerSpec
from memarena.judgements import Judgements
from memarena.protocols import Judge
from memarena.records import JudgementRequest, Label, Metric, QuestionRecord, SampleRecord, SessionRecord, Stat
from memarena.store import RunStore

AnyRecord = SessionRecord | QuestionRecord | SampleRecord


class Scorers:
    """The scorers of a run, each in a manager of its own, so that its rows and requests stay its own."""

    def __init__(self, scorers: Sequence[Any]) -> None:
        named = [(_name_of(scorer), scorer) for scorer in scorers]
        self.scorers = tuple(scorer for _, scorer in sorted(named, key=lambda pair: pair[0]))
        self._hooks = [_hooks_of(scorer) for scorer in self.scorers]

    def metrics(self) -> dict[str, Metric]:
        """All metrics by name; raises PluginError where two scorers claim one, or one of them is no Metric."""
        found: dict[str, Metric] = {}
        for scorer in self.scorers:
            own: Any = _metrics_of(scorer)
            if not isinstance(own, Mapping) or not all(isinstance(metric, Metric) for metric in own.values()):
                raise PluginError(f"scorer {scorer.name!r}: its `metrics` is to map names to Metric")
            for name, metric in own.items():
                if name in found:
                    raise PluginError(f"two scorers give the metric {name!r}; one of them is {scorer.name!r}")
                found[name] = metric
        return found

    def requests(self, record: AnyRecord) -> dict[tuple[str, str], JudgementRequest]:
        """What is to be judged for `record`: (scorer, name) -> request."""
        found: dict[tuple[str, str], JudgementRequest] = {}
        for scorer, hook in zip(self.scorers, self._hooks, strict=True):
            with _blamed(scorer, "judgement_requests", record):
                for named in hook.judgement_requests(record=record):
                    for name, request in named.items():
                        if not isinstance(request, JudgementRequest):
                            raise TypeError(f"{name!r} is a {type(request).__name__}, not a JudgementRequest")
                        found[scorer.name, name] = request
        return found

    def rows(self, record: AnyRecord, labels: Mapping[tuple[str, str], Label | None]) -> Iterator[Stat]:
        """The rows of all scorers for `record`."""
        for scorer, hook in zip(self.scorers, self._hooks, strict=True):
            own = {name: label for (owner, name), label in labels.items() if owner == scorer.name}
            named = _metrics_of(scorer)
            with _blamed(scorer, "score", record):
                stats = [stat for given in hook.score(record=record, labels=own) for stat in given]
            for stat in stats:
                if not isinstance(stat, Stat):
                    raise PluginError(f"scorer {scorer.name!r} gives a {type(stat).__name__} where a Stat belongs")
                if stat.metric not in named:
                    raise PluginError(
                        f"scorer {scorer.name!r} gives rows of {stat.metric!r}, which its `metrics` does not name"
                    )
            yield from stats


def _name_of(scorer: Any) -> str:
    name, revision = getattr(scorer, "name", None), getattr(scorer, "revision", None)
    if not isinstance(name, str) or not isinstance(revision, int):
        kind = type(scorer)
        raise PluginError(f"scorer {kind.__module__}.{kind.__qualname__}: it needs a `name` (a text) and a `revision`")
    return name


def _hooks_of(scorer: Any) -> pluggy.HookRelay:
    manager = pluggy.PluginManager("memarena")
    manager.add_hookspecs(ScorerSpec)
    try:
        manager.register(scorer)
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        raise PluginError(f"scorer {scorer.name!r}: {one_line(error)}") from error
    return manager.hook


def _metrics_of(scorer: Any) -> Mapping[str, Metric]:
    """The metrics of a scorer; one that names none has a single one, called as itself."""
    named: Mapping[str, Metric] | None = getattr(scorer, "metrics", None)
    return {scorer.name: Metric(title=scorer.name, stage="use")} if named is None else named


@contextmanager
def _blamed(scorer: Any, hook: str, record: AnyRecord) -> Iterator[None]:
    """What a scorer raises is a PluginError that names it and the record; what was recorded is kept."""
    try:
        yield
    except MemarenaError:
        raise
    except BaseException as error:
        if is_ctrl_c(error):
            raise
        raise PluginError(
            f"scorer {scorer.name!r} failed in {hook} of {record.kind} {record.unit!r} of {record.sample_id}: "
            f"{first_line(error)}; mend or remove it, then go on with memarena score"
        ) from error


def score_cell(spec: CellSpec, store: RunStore, scorers: Scorers, judgements: Judgements) -> list[bytes]:
    """The score lines of one cell, sorted; its labels are kept beside its journal."""
    history = store.history(spec.cell_id)
    records: list[AnyRecord] = [*history.sessions, *history.questions, history]
    asked = [scorers.requests(record) for record in records]
    labels = iter(judgements.label([request for requests in asked for request in requests.values()]))
    kept: list[CellLabel] = []
    stats: list[Stat] = []
    for record, requests in zip(records, asked, strict=True):
        own = {name: next(labels) for name in requests}
        kept += [CellLabel(unit=record.unit, request=name, label=label) for (_, name), label in own.items()]
        stats += scorers.rows(record, own)
    store.save_labels(spec.cell_id, kept)
    return scorefile.lines(spec, stats)


def score_run(
    store: RunStore,
    scorers: Sequence[Any],
    judge: Judge,
    identity: Mapping[str, object],
    *,
    jobs: int,
    judge_jobs: int | None = None,
    tick: Callable[[CellSpec], None] = lambda spec: None,
) -> Judgements:
    """Score every cell that is done, and write `scores.jsonl` and `metrics.json`.

    `identity` says which judge it is (name, revision, version, options): its labels are kept under it.
    """
    everyone = Scorers(scorers)
    metrics = everyone.metrics()
    done = sorted(
        (spec for spec in store.specs() if store.cell(spec).status == "done"),
        key=lambda spec: (spec.label, spec.sample_id, spec.repeat),
    )
    if hasattr(judge, "keep_failures"):
        judge.keep_failures(store.path)
    with Daemons(judge_jobs or jobs, "judge") as pool:
        judgements = Judgements(store.path / "judgements.sqlite", judge, identity, pool)
        try:
            scored = _in_order(done, lambda spec: score_cell(spec, store, everyone, judgements), jobs)
            write_scores(store, scored, metrics, tick)
        finally:
            judgements.close()
    return judgements


def write_scores(
    store: RunStore,
    scored: Iterable[tuple[CellSpec, list[bytes]]],
    metrics: Mapping[str, Metric],
    tick: Callable[[CellSpec], None] = lambda spec: None,
) -> None:
    """Write the lines of each cell, in the order in which they come, to `scores.jsonl`, and then `metrics.json`."""
    part = store.path / ".scores.part"
    with codec.storing(part), part.open("wb") as stream:
        for spec, lines in scored:
            stream.writelines(line + b"\n" for line in lines)
            tick(spec)
    with codec.storing(part):
        part.replace(store.path / "scores.jsonl")
    codec.write_whole(store.path / "metrics.json", codec.encode(metrics))


def _in_order(
    specs: Sequence[CellSpec], work: Callable[[CellSpec], list[bytes]], jobs: int
) -> Iterator[tuple[CellSpec, list[bytes]]]:
    """`work` of each cell, in order, never more than `jobs` ahead, so that memory stays flat."""
    waiting: deque[Future[list[bytes]]] = deque()
    with Daemons(jobs, "score") as pool:
        ahead = iter(specs)
        waiting.extend(pool.submit(work, spec) for spec in islice(ahead, jobs))
        for spec in specs:
            lines = waiting.popleft().result()
            waiting.extend(pool.submit(work, spec) for spec in islice(ahead, 1))
            yield spec, lines
