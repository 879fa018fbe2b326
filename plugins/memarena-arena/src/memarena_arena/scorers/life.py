"""The life of facts: live, superseded, lost, come back, session by session (metrics, section 1: State)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memarena import hookimpl
from memarena.records import GoldPoint, JudgementRequest, Label, MemoryItem, Metric, Sample, SampleRecord, Stat
from memarena_arena.metrics import softmatch
from memarena_arena.metrics.units import Ratio
from memarena_arena.scorers import facets, facts
from memarena_arena.scorers.facts import Holding, Support
from memarena_arena.scorers.rows import AnyRecord, Better, Rows
from memarena_arena.scorers.updates import FORMS, form_of


def _state(title: str, about: str, better: Better = "high", *, pooled: bool = True) -> Metric:
    return Metric(title=title, stage="maintain", better=better, pooled=pooled, about=about)


METRICS: Mapping[str, Metric] = {
    "live_recall": _state("Live facts kept", "Facts that are true and active, of all that are true.", pooled=False),
    "stale_held": _state("Superseded kept", "Replaced facts that are still active.", "low", pooled=False),
    "came_back": _state("Came back", "Facts that were superseded and gone, and are active again.", "low"),
    "fact_lost": _state("Lost a session", "Facts lost without cause / sessions at risk.", "low"),
    "fact_written": _state("Facts written", "Facts that were active at some time while they were true."),
    "fact_returned": _state("Facts returned", "Facts written that some retrieval returned."),
    **{f"update_{form}": _state(f"Update: {form}", f"{about} (fig. 4b).", "neither") for form, about in FORMS.items()},
}  # fmt: skip


class LifeScorer:
    """Follows each gold fact over the sessions: rows a session and, for its life, a row a fact.

    A fact is live from the session that tells it until an update replaces it. `fact_lost` has 1 in its numerator where
    a fact was lost, and in its denominator the sessions through which it was at risk: pooled it is a hazard, and with
    its denominators a survival curve (Kaplan and Meier 1958).
    """

    name = "life"
    revision = 1
    metrics = METRICS

    @hookimpl
    def judgement_requests(self, record: AnyRecord) -> Mapping[str, JudgementRequest]:
        """Which facts each text that was kept supports."""
        if not isinstance(record, SampleRecord) or not record.capabilities.state:
            return {}
        return facts.requests(record)

    @hookimpl
    def score(self, record: AnyRecord, labels: Mapping[str, Label | None]) -> Sequence[Stat]:
        """The rows of a sample."""
        if not isinstance(record, SampleRecord) or not record.capabilities.state:
            return ()
        support = Support(record, labels)
        holdings = support.holdings(record)
        told = [life for life in lives(record.sample, support) if life.since < len(record.sessions)]
        return [
            *self._session_rows(record, told, holdings),
            *self._fact_rows(record, told, holdings, _returned(record, support)),
            *self._update_rows(record, support, holdings),
        ]

    def _session_rows(self, record: SampleRecord, told: Sequence[Life], holdings: Sequence[Holding]) -> Sequence[Stat]:
        stats: list[Stat] = []
        for session, holding in zip(record.sessions, holdings, strict=True):
            rows = Rows(session, self, facets.of_session(session))
            now = session.index
            live = [life for life in told if life.since <= now < life.until]
            over = [life for life in told if life.until <= now < life.again]
            gone = [life for life in over if _was_gone(life, holdings[int(life.until) : now])]
            rows.add("live_recall", _held(live, holding))
            rows.add("stale_held", _held(over, holding))
            rows.add("came_back", _held(gone, holding))
            stats += rows.stats
        return stats

    def _fact_rows(
        self,
        record: SampleRecord,
        told: Sequence[Life],
        holdings: Sequence[Holding],
        returned: frozenset[int] | None,
    ) -> Sequence[Stat]:
        stats: list[Stat] = []
        complete = holdings[-1].complete if holdings else True
        for life in told:
            session = record.sessions[life.since]
            own = facets.of_point(session, life.point)
            rows = Rows(session, self, own)
            unit = f"{session.unit}:{life.point.memory_id}"
            if not complete:
                rows.add("fact_written", Ratio(None, None, 1), unit=unit)
                stats += rows.stats
                continue
            risk = _at_risk(life, holdings)
            rows.add("fact_written", Ratio(float(risk is not None), 1.0), unit=unit)
            if risk is not None:
                if risk.sessions:
                    rows.add("fact_lost", Ratio(float(risk.lost), float(risk.sessions)), unit=unit)
                if returned is not None:
                    rows.add("fact_returned", Ratio(float(life.place in returned), 1.0), unit=unit)
            stats += rows.stats
        return stats

    def _update_rows(self, record: SampleRecord, support: Support, holdings: Sequence[Holding]) -> Sequence[Stat]:
        stats: list[Stat] = []
        for session, holding in zip(record.sessions, holdings, strict=True):
            before = holdings[session.index - 1] if session.index else None
            for point in session.session.gold("update"):
                rows = Rows(session, self, facets.of_point(session, point))
                form = form_of(point, session.changes, support, before, holding) if holding.complete else None
                for each in FORMS:
                    ratio = Ratio(None, None, 1) if form is None else Ratio(float(form == each), 1.0)
                    rows.add(f"update_{each}", ratio, unit=f"{session.unit}:{point.memory_id}")
                stats += rows.stats
        return stats


class Life(NamedTuple):
    """The time during which one gold fact is true."""

    place: int
    """Its number among the facts of the sample."""
    point: GoldPoint
    since: int
    """Place of the session that tells it."""
    until: float
    """Place of the session that replaces it; infinite where none does."""
    again: float
    """Place of the session that makes it true again; infinite where none does."""


def lives(sample: Sample, support: Support) -> list[Life]:
    """The life of every new and every update point of a sample, in order of telling."""
    told: dict[str, list[int]] = {}
    replaced: dict[str, list[int]] = {}
    for at, session in enumerate(sample.sessions):
        for point in session.gold("new", "update"):
            told.setdefault(softmatch.passage(point.content).joined, []).append(at)
            for old in point.replaces:
                replaced.setdefault(softmatch.passage(old).joined, []).append(at)
    found: list[Life] = []
    for at, session in enumerate(sample.sessions):
        for point in session.gold("new", "update"):
            place = support.facts.place(point.content)
            if place is None:
                continue
            name = softmatch.passage(point.content).joined
            until = min((each for each in replaced.get(name, ()) if each > at), default=math.inf)
            again = min((each for each in told[name] if each >= until), default=math.inf)
            found.append(Life(place, point, at, until, again))
    return found


class Risk(NamedTuple):
    """How long a fact was at risk of being lost."""

    sessions: int
    lost: bool


def _at_risk(life: Life, holdings: Sequence[Holding]) -> Risk | None:
    """From the first session that holds a fact while it is live; None where none does."""
    end = int(min(life.until, len(holdings)))
    held = [life.place in holdings[at].active for at in range(life.since, end)]
    if True not in held:
        return None
    after = held[held.index(True) + 1 :]
    if False in after:
        return Risk(after.index(False) + 1, True)
    return Risk(len(after), False)


def _was_gone(life: Life, holdings: Sequence[Holding]) -> bool:
    return any(life.place not in holding.active for holding in holdings)


def _held(many: Sequence[Life], holding: Holding) -> Ratio | None:
    """Share of facts that are active; None where there are none."""
    if not many:
        return None
    if not holding.complete:
        return Ratio(None, None, 1)
    return Ratio(float(sum(life.place in holding.active for life in many)), float(len(many)))


def _returned(record: SampleRecord, support: Support) -> frozenset[int] | None:
    """The facts that some retrieval returned; None where the system retrieves nothing that can be seen."""
    if record.capabilities.answers:
        return None
    found: set[int] = set()
    kept: dict[int, dict[str, MemoryItem]] = {}
    for question in record.questions:
        at = question.session_index
        if at not in kept:
            kept[at] = {item.memory_id: item for item in record.sessions[at].snapshot}
        for item in question.retrieval.items:
            found |= support.of_retrieved(item, kept[at]) or frozenset()
    return frozenset(found)
