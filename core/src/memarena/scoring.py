"""Judgements and scores: what scorers ask is judged once; their rows are written sorted, without times and paths."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any

import pluggy

from memarena import codec, scorefile
from memarena.errors import PluginError
from memarena.hookspecs import ScorerSpec
from memarena.judgements import Judgements
from memarena.protocols import Judge
from memarena.records import JudgementRequest, Label, Metric, QuestionRecord, SampleRecord, SessionRecord, Stat
from memarena.store import CellLabel, CellSpec, RunStore

AnyRecord = SessionRecord | QuestionRecord | SampleRecord


class Scorers:
    """The scorers of a run, each in a manager of its own, so that its rows and requests stay its own."""

    def __init__(self, scorers: Sequence[Any]) -> None:
        self.scorers = tuple(sorted(scorers, key=lambda scorer: str(scorer.name)))
        self._hooks = []
        for scorer in self.scorers:
            manager = pluggy.PluginManager("memarena")
            manager.add_hookspecs(ScorerSpec)
            manager.register(scorer)
            manager.check_pending()
            self._hooks.append(manager.hook)

    def metrics(self) -> dict[str, Metric]:
        """All metrics by name; raises PluginError where two scorers claim one."""
        found: dict[str, Metric] = {}
        for scorer in self.scorers:
            for name, metric in _metrics_of(scorer).items():
                if name in found:
                    raise PluginError(f"two scorers give the metric {name!r}; one of them is {scorer.name!r}")
                found[name] = metric
        return found

    def requests(self, record: AnyRecord) -> dict[tuple[str, str], JudgementRequest]:
        """What is to be judged for `record`: (scorer, name) -> request."""
        found: dict[tuple[str, str], JudgementRequest] = {}
        for scorer, hook in zip(self.scorers, self._hooks, strict=True):
            for named in hook.judgement_requests(record=record):
                found.update(((scorer.name, name), request) for name, request in named.items())
        return found

    def rows(self, record: AnyRecord, labels: Mapping[tuple[str, str], Label | None]) -> Iterator[Stat]:
        """The rows of all scorers for `record`."""
        for scorer, hook in zip(self.scorers, self._hooks, strict=True):
            own = {name: label for (owner, name), label in labels.items() if owner == scorer.name}
            named = _metrics_of(scorer)
            for stats in hook.score(record=record, labels=own):
                for stat in stats:
                    if stat.metric not in named:
                        raise PluginError(
                            f"scorer {scorer.name!r} gives rows of {stat.metric!r}, which its `metrics` does not name"
                        )
                    yield stat


def _metrics_of(scorer: Any) -> Mapping[str, Metric]:
    """The metrics of a scorer; one that names none has a single one, called as itself."""
    named: Mapping[str, Metric] | None = getattr(scorer, "metrics", None)
    return {scorer.name: Metric(title=scorer.name, stage="use")} if named is None else named


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
    with ThreadPoolExecutor(max_workers=judge_jobs or jobs, thread_name_prefix="judge") as pool:
        judgements = Judgements(store.path / "judgements.sqlite", judge, identity, pool)
        try:
            part = store.path / ".scores.part"
            with codec.storing(part), part.open("wb") as stream:
                for spec, lines in _in_order(done, lambda spec: score_cell(spec, store, everyone, judgements), jobs):
                    stream.writelines(line + b"\n" for line in lines)
                    tick(spec)
            with codec.storing(part):
                part.replace(store.path / "scores.jsonl")
        finally:
            judgements.close()
    codec.write_whole(store.path / "metrics.json", codec.encode(metrics))
    return judgements


def _in_order(
    specs: Sequence[CellSpec], work: Callable[[CellSpec], list[bytes]], jobs: int
) -> Iterator[tuple[CellSpec, list[bytes]]]:
    """`work` of each cell, in order, never more than `jobs` ahead, so that memory stays flat."""
    waiting: deque[Future[list[bytes]]] = deque()
    with ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="score") as pool:
        try:
            ahead = iter(specs)
            waiting.extend(pool.submit(work, spec) for spec in islice(ahead, jobs))
            for spec in specs:
                lines = waiting.popleft().result()
                waiting.extend(pool.submit(work, spec) for spec in islice(ahead, 1))
                yield spec, lines
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
