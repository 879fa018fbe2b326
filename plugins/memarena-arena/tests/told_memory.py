"""A small world by hand, and memories of it of which every stage is known: what they keep, return, show and answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memarena.memory import MemoryState
from memarena.records import (
    Answer,
    Capabilities,
    Evidence,
    GoldPoint,
    JudgementRequest,
    Label,
    MemoryChange,
    MemoryItem,
    Question,
    QuestionRecord,
    Retrieval,
    RetrievedItem,
    Sample,
    SampleRecord,
    Session,
    SessionRecord,
    Shown,
    ShownItem,
    Stat,
)

HOME = "Ana lives in Boston."
DOG = "Ana's dog is called Bruno."
MOVED = "Ana lives in Leeds."
PHONE = "Ana's phone number ends in 4471."
JOKE = "Ana owns a dragon called Smaug."

_KINDS = {HOME: "new", DOG: "new", PHONE: "new", MOVED: "update", JOKE: "interference"}
_TOLD = (("S00", (HOME, DOG)), ("S01", (MOVED, JOKE)), ("S02", (PHONE,)), ("S03", ()))
_REPLACES = {MOVED: (HOME,)}


def _sample() -> Sample:
    sessions = []
    for session_id, contents in _TOLD:
        points = tuple(
            GoldPoint(
                memory_id=f"mp_{session_id}_{place}",
                content=content,
                session_id=session_id,
                kind=_KINDS[content],
                replaces=_REPLACES.get(content, ()),
            )
            for place, content in enumerate(contents)
        )
        sessions.append(Session(session_id=session_id, points=points))
    return Sample(sample_id="s1", regime="lifelong", sessions=tuple(sessions))


SAMPLE = _sample()


def evidence(*contents: str) -> tuple[Evidence, ...]:
    """The gold points with these contents, as evidence."""
    found = {point.content: point for session in SAMPLE.sessions for point in session.points}
    return tuple(
        Evidence(
            evidence_id=found[content].memory_id,
            content=content,
            session_id=found[content].session_id,
            kind=found[content].kind,
            replaces=found[content].replaces,
        )
        for content in contents
    )


Kept = Mapping[str, str]
"""Memory id -> text; a text that begins with `~` is archived."""


def sessions(*snapshots: Kept, capabilities: Capabilities | None = None) -> tuple[SessionRecord, ...]:
    """The sessions of a memory that keeps `snapshots`, one a session, with the changes that they come to."""
    state = MemoryState()
    found = []
    for index, kept in enumerate(snapshots):
        items = tuple(
            MemoryItem(memory_id=name, text=text.removeprefix("~"), status="archived" if text[:1] == "~" else "active")
            for name, text in kept.items()
        )
        _, changes = state.advance(SAMPLE.sessions[index].session_id, items)
        found.append(session(index, items, changes, capabilities))
    return tuple(found)


def session(
    index: int,
    items: Sequence[MemoryItem],
    changes: Sequence[MemoryChange],
    capabilities: Capabilities | None = None,
) -> SessionRecord:
    return SessionRecord(
        label="x",
        sample_id="s1",
        regime="lifelong",
        domain="",
        index=index,
        session=SAMPLE.sessions[index],
        changes=tuple(changes),
        snapshot=tuple(items),
        capabilities=capabilities or Capabilities(),
    )


def question(
    *contents: str,
    answer: str,
    retrieved: Sequence[str] = (),
    shown: Sequence[str] | None = None,
    at: int = 3,
    reference: str = "Leeds",
    text: str = "Where does Ana live?",
    capabilities: Capabilities | None = None,
    **more: object,
) -> QuestionRecord:
    """A question on `contents`, asked after the session at `at`; `shown` is all of `retrieved` where not given."""
    handed = retrieved if shown is None else shown
    return QuestionRecord(
        label="x",
        sample_id="s1",
        regime="lifelong",
        domain="",
        checkpoint_id="QA",
        session_index=at,
        question=Question(
            question_id="QA:Q1",
            text=text,
            reference=reference,
            evidence=evidence(*contents),
            **more,  # type: ignore[arg-type]
        ),
        retrieval=Retrieval(
            query=text, items=tuple(RetrievedItem(memory_id=f"r{n}", text=each) for n, each in enumerate(retrieved))
        ),
        shown=Shown(
            items=tuple(ShownItem(rank=n, memory_id=f"r{n}", text=each) for n, each in enumerate(handed, 1)),
            cut_items=len(retrieved) - len(handed),
        ),
        answer=Answer(question_id="QA:Q1", text=answer),
        capabilities=capabilities or Capabilities(),
    )


def history(heard: Sequence[SessionRecord], *questions: QuestionRecord) -> SampleRecord:
    return SampleRecord(
        label="x",
        sample=SAMPLE,
        sessions=tuple(heard),
        questions=questions,
        capabilities=heard[0].capabilities,
    )


def label(request: JudgementRequest) -> Label:
    """By plain containment: what a person would say of these texts."""
    if request.task == "answer":
        right = request.reference.lower() in request.answer.lower()
        silent = "not mentioned" in request.answer.lower()
        verdict = "Correct" if right else "Omission" if silent else "Hallucination"
        return Label(verdicts=(verdict,))
    if request.task == "support":
        places = [[n for n, point in enumerate(request.points) if point in item] for item in request.items]
        return Label(verdicts=tuple(" ".join(map(str, found)) or "-" for found in places))
    return Label(
        verdicts=tuple("yes" if any(point in item for item in request.items) else "no" for point in request.points)
    )


def rows_of(scorer: object, record: SampleRecord, fail: str = "") -> list[Stat]:
    """The rows that `scorer` gives; requests are labelled by `label`, but for those whose name begins with `fail`."""
    requests = scorer.judgement_requests(record)  # type: ignore[attr-defined]
    labels = {name: None if fail and name.startswith(fail) else label(request) for name, request in requests.items()}
    return list(scorer.score(record, labels))  # type: ignore[attr-defined]
