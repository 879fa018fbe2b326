"""The story of each question of a sample: what was told, kept, returned, shown and answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memarena.explanations import EvidenceStory, Explanation, Held, ListedItem, SessionStory, ToldTurn
from memarena.records import Evidence, Label, MemoryItem, QuestionRecord, SampleRecord, Session, SessionRecord, Turn
from memarena_arena.metrics import softmatch
from memarena_arena.scorers import reasons, stages
from memarena_arena.scorers.facts import Holding, Support

UNANSWERABLE = "made up"


def explanations(record: SampleRecord, labels: Mapping[str, Label | None]) -> Iterator[Explanation]:
    """One explanation a question."""
    support = Support(record, labels)
    holdings = support.holdings(record) if record.capabilities.state else []
    for question in record.questions:
        yield _explanation(question, record, labels, support, holdings)


def _explanation(
    question: QuestionRecord,
    record: SampleRecord,
    labels: Mapping[str, Label | None],
    support: Support,
    holdings: Sequence[Holding],
) -> Explanation:
    way = stages.journey(question, labels, support, holdings)
    verdict = stages.answered(question, labels)
    told = labels.get(f"answer:{question.unit}")
    lost_at: str | None = ""
    reason = ""
    if way is not None:
        lost_at = way.lost_at
        reason = reasons.of(question, record.sample, way)
    elif not question.question.answerable and verdict not in (None, "Correct"):
        lost_at = UNANSWERABLE
    elif verdict != "Correct":
        lost_at = None
    points = way.points if way is not None else ()
    listed = _items(question, points, record, support)
    return Explanation(
        label=question.label,
        sample_id=question.sample_id,
        question_id=question.unit,
        checkpoint_id=question.checkpoint_id,
        after_session=record.sessions[question.session_index].unit,
        question=question.question.text,
        type=question.question.type,
        reference=question.question.right,
        answer=question.answer.text,
        answer_error=question.answer.error,
        verdict=verdict,
        verdict_reason=told.reason if told is not None else "",
        lost_at=lost_at,
        reason=reason,
        evidence=tuple(
            _story(point, found, question, record, support, holdings, listed)
            for point, found in zip(points, way.found if way is not None else (), strict=True)
        ),
        items=listed,
        cut=_cut(question),
    )


def _story(
    point: Evidence,
    found: tuple[bool | None, bool | None],
    question: QuestionRecord,
    record: SampleRecord,
    support: Support,
    holdings: Sequence[Holding],
    listed: Sequence[ListedItem],
) -> EvidenceStory:
    sessions = record.sample.sessions
    since = next((at for at, each in enumerate(sessions) if each.session_id == point.session_id), 0)
    retrieved, shown = found
    return EvidenceStory(
        evidence_id=point.evidence_id,
        content=point.content or "",
        image_id=point.image_id,
        session_id=point.session_id,
        replaces=point.replaces,
        told=_told(point, sessions[since]) if point.session_id else (),
        sessions=tuple(
            _session(point, record.sessions[at], support, holdings[at])
            for at in range(since, question.session_index + 1 if holdings else since)
        ),
        ranks=tuple(item.rank for item in listed if point.evidence_id in item.evidence),
        retrieved=retrieved,
        shown=shown,
    )


def _told(point: Evidence, session: Session) -> tuple[ToldTurn, ...]:
    """The turns that told `point`: those the data set names, those with its picture, else those that have most of its
    words."""
    named = [turn for turn in session.turns if turn.turn_id in point.turn_ids]
    pictured = [turn for turn in session.turns if any(each.image_id == point.image_id for each in turn.attachments)]
    turns = named or (pictured if point.image_id else _nearest(point.content or "", session))
    return tuple(
        ToldTurn(turn_id=turn.turn_id, session_id=turn.session_id, time=turn.time, text=turn.text) for turn in turns
    )


def _nearest(content: str, session: Session) -> list[Turn]:
    wanted = softmatch.passage(content).words
    shares = [len(wanted & softmatch.passage(turn.text).words) for turn in session.turns]
    most = max(shares, default=0)
    return [turn for turn, share in zip(session.turns, shares, strict=True) if share == most and most]


def _session(point: Evidence, session: SessionRecord, support: Support, holding: Holding) -> SessionStory:
    place = support.facts.of(point)
    olds = {support.facts.place(old) for old in point.replaces}
    either = {place, *olds}
    changes = tuple(change for change in session.changes if not either.isdisjoint(support.of_change(change.text) or ()))
    return SessionStory(session_id=session.unit, held=_held(place, olds, holding), changes=changes)


def _held(place: int | None, olds: set[int | None], holding: Holding) -> Held:
    if place in holding.active:
        return "active"
    if not olds.isdisjoint(holding.active):
        return "stale"
    if place in holding.held:
        return "kept"
    return "absent" if holding.complete else "unknown"


def _items(
    question: QuestionRecord, points: Sequence[Evidence], record: SampleRecord, support: Support
) -> tuple[ListedItem, ...]:
    kept: dict[str, MemoryItem] = {item.memory_id: item for item in record.sessions[question.session_index].snapshot}
    shown = {item.rank for item in question.shown.items}
    places = {point.evidence_id: support.facts.of(point) for point in points}
    found = []
    for rank, item in enumerate(question.retrieval.items, 1):
        supported = support.of_retrieved(item, kept) or frozenset()
        found.append(
            ListedItem(
                rank=rank,
                memory_id=item.memory_id,
                text=item.text,
                score=item.score,
                image_id=item.image_id,
                sources=question.sources[rank - 1] if rank <= len(question.sources) else (),
                evidence=tuple(name for name, place in places.items() if place in supported),
                shown=rank in shown,
            )
        )
    return tuple(found)


def _cut(question: QuestionRecord) -> str:
    shown = question.shown
    counted = ((shown.cut_items, "items"), (shown.cut_tokens, "tokens"), (shown.cut_pictures, "pictures"))
    return ", ".join(f"{count} {what}" for count, what in counted if count)
