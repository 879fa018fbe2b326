"""How far the evidence of a question came: written, kept, retrieved, shown, used (metrics, section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from memarena.records import Evidence, JudgementRequest, Label, QuestionRecord, RetrievedItem, ShownItem
from memarena_arena.scorers import evidence, verdicts
from memarena_arena.scorers.answers import label_of
from memarena_arena.scorers.answers import request as answer_request
from memarena_arena.scorers.facts import Holding, Support
from memarena_arena.scorers.retrieval import coverage_request, says_something

WRITE, MAINTAIN, RETRIEVE, SHOW, USE = "write", "maintain", "retrieve", "show", "use"
UNSEEN = "unseen"
"""Lost before or at retrieval, in a system whose state nobody sees."""
FARTHER = (WRITE, MAINTAIN, UNSEEN, RETRIEVE, SHOW, None, USE)
"""The stages at which evidence can end, the earliest first. None: a judgement failed, so it may have ended at any
stage; only a set that surely came to `use` counts as farther."""


class Journey(NamedTuple):
    """How far the evidence of one question came. None: not known."""

    label: str | None
    """The label of the answer; None where its judgement failed."""
    points: tuple[Evidence, ...]
    """What is followed: of the sets of evidence that are each enough, what can be judged of the one that came
    farthest."""
    found: tuple[tuple[bool | None, bool | None], ...]
    """Of each point whether it was in the list, and in what was shown of it."""
    written: bool | None
    kept: bool | None
    retrieved: bool | None
    shown: bool | None
    seen: bool
    """The state of the system is visible."""
    looked_up: bool
    """What it retrieved is visible."""
    stale: bool
    """Some evidence was kept only as a version that a later update had replaced."""
    aside: bool
    """Some evidence is true and was active, and is kept only as archived or suppressed."""

    @property
    def lost_at(self) -> str | None:
        """The first stage that lost it; "" where the answer is Correct, None where a judgement failed."""
        if self.label is None:
            return None
        return "" if self.label == "Correct" else self.ends_at

    @property
    def ends_at(self) -> str | None:
        """The stage that the evidence did not pass, whatever was answered; `use` where all of it was shown, None where
        a judgement failed."""
        steps = [(WRITE, self.written), (MAINTAIN, self.kept)] if self.seen else []
        if self.looked_up:
            steps += [(RETRIEVE if self.seen else UNSEEN, self.retrieved), (SHOW, self.shown)]
        for stage, passed in steps:
            if passed is None:
                return None
            if not passed:
                return stage
        return USE


def requests(record: QuestionRecord) -> dict[str, JudgementRequest]:
    """The judgements that `journey` reads, by name; they are those of the other scorers, and judged once."""
    found: dict[str, JudgementRequest] = {}
    if record.answer.text.strip():
        found[f"answer:{record.unit}"] = answer_request(record)
    for number, points in () if record.capabilities.answers else _sets(record):
        if says_something(record.retrieval.items):
            found[_judgement("retrieved", record, number)] = coverage_request(record, record.retrieval.items, points)
        if _is_cut(record) and says_something(record.shown.items):
            found[_judgement("shown", record, number)] = coverage_request(record, _handed(record), points)
    return found


def _judgement(name: str, record: QuestionRecord, number: int) -> str:
    """The name of the judgement of what was `retrieved` or `shown` of a set of evidence."""
    return f"{name}:{record.unit} {number}" if number else f"{name}:{record.unit}"


def answered(record: QuestionRecord, labels: Mapping[str, Label | None]) -> str | None:
    """The label of the answer; None where its judgement failed."""
    return label_of(record, labels, f"answer:{record.unit}")


def journey(
    record: QuestionRecord, labels: Mapping[str, Label | None], support: Support, holdings: Sequence[Holding]
) -> Journey | None:
    """How far the evidence of a question came; None where it has none that can be followed.

    What was shown was retrieved, what was retrieved was kept, and what was kept was written, whatever the judge says
    of an earlier stage alone. Of several sets that are each enough, the one that came farthest is followed.
    """
    ways = [_journey(record, labels, support, holdings, *numbered) for numbered in _sets(record)]
    return max(ways, key=lambda way: FARTHER.index(way.ends_at), default=None)


def _sets(record: QuestionRecord) -> list[tuple[int, tuple[Evidence, ...]]]:
    """The sets of evidence of which something can be followed, each with its number and what that is."""
    found = enumerate(map(evidence.with_content, record.question.evidence_sets))
    return [(number, points) for number, points in found if points]


def _journey(
    record: QuestionRecord,
    labels: Mapping[str, Label | None],
    support: Support,
    holdings: Sequence[Holding],
    number: int,
    points: tuple[Evidence, ...],
) -> Journey:
    seen, looked_up = record.capabilities.state, not record.capabilities.answers
    nowhere: list[bool | None] = [False] * len(points)

    def covered(name: str, listed: Sequence[RetrievedItem | ShownItem]) -> list[bool | None]:
        if not says_something(listed):
            return nowhere
        found = verdicts.read(labels, _judgement(name, record, number), len(points), ("yes", "no"))
        return [None if verdict is None else verdict == "yes" for verdict in found]

    retrieved = covered("retrieved", record.retrieval.items) if looked_up else nowhere
    shown = retrieved
    if looked_up and _is_cut(record):
        shown = covered("shown", record.shown.items)
        retrieved = [_either(*pair) for pair in zip(retrieved, shown, strict=True)]
    written, kept, stale, aside = nowhere, nowhere, False, False
    if seen:
        holding = holdings[record.session_index]
        states = [_state(point, support, holding) for point in points]
        kept = [_either(state.kept, there) for state, there in zip(states, retrieved, strict=True)]
        written = [_either(state.written, there) for state, there in zip(states, kept, strict=True)]
        lost = [state for state, there in zip(states, kept, strict=True) if not there]
        stale, aside = any(state.stale for state in lost), any(state.aside for state in lost)
    return Journey(
        label=answered(record, labels),
        points=points,
        found=tuple(zip(retrieved, shown, strict=True)) if looked_up else ((None, None),) * len(points),
        written=_all(written) if seen else None,
        kept=_all(kept) if seen else None,
        retrieved=_all(retrieved) if looked_up else None,
        shown=_all(shown) if looked_up else None,
        seen=seen,
        looked_up=looked_up,
        stale=stale,
        aside=aside,
    )


class _State(NamedTuple):
    written: bool | None
    kept: bool | None
    stale: bool
    aside: bool


def _state(point: Evidence, support: Support, holding: Holding) -> _State:
    place = support.facts.of(point)
    olds = {support.facts.place(old) for old in point.replaces}
    stale = place not in holding.active and not olds.isdisjoint(holding.active)
    unknown = None if not holding.complete else False
    written = place in holding.written or unknown
    aside = place in holding.aside
    kept = (place in holding.held and not stale and not aside) or unknown
    return _State(written, kept, stale, aside)


def _is_cut(record: QuestionRecord) -> bool:
    """Whether the answerer saw less than what was retrieved."""
    shown = record.shown
    return bool(shown.cut_items or shown.cut_tokens or shown.cut_pictures)


def _handed(record: QuestionRecord) -> list[ShownItem]:
    """What was shown; an item whose picture was cut carries none."""
    paths = {item.image_id for item in record.shown.items if item.image_path}
    had = {item.image_id for item in record.retrieval.items if item.image_path}
    return [
        replace(item, image_id="") if item.image_id in had and item.image_id not in paths else item
        for item in record.shown.items
    ]


def _either(one: bool | None, other: bool | None) -> bool | None:
    return True if one or other else None if None in (one, other) else False


def _all(many: Sequence[bool | None]) -> bool | None:
    return False if False in many else None if None in many else True
