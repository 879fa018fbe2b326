"""Thirty questions of which a person wrote down where each was lost, and the diagnosis of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from memarena.answering import ShowSettings, show
from memarena.memory import MemoryState
from memarena.records import (
    Answer,
    Capabilities,
    Checkpoint,
    Evidence,
    GoldPoint,
    MemoryItem,
    Question,
    QuestionRecord,
    Retrieval,
    Sample,
    SampleRecord,
    Session,
    SessionRecord,
    Turn,
)
from memarena_arena.lexical import LexicalJudge
from memarena_arena.scorers.diagnosis import DiagnosisScorer

WORLDS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("handmade_stages.json").read_text(encoding="utf-8"))
AGREEING = 29
"""Questions of the thirty, at least."""


def sample_of(world: dict[str, Any]) -> Sample:
    """A world as a sample; each question has a checkpoint of its own."""
    sessions = tuple(
        Session(
            session_id=told["id"],
            turns=tuple(_turn(told["id"], place, text) for place, text in enumerate(told["turns"])),
            points=tuple(
                GoldPoint(
                    memory_id=point["id"],
                    content=point["content"],
                    session_id=told["id"],
                    kind=point.get("kind", "new"),
                    replaces=tuple(point.get("replaces", ())),
                )
                for point in told["gold"]
            ),
        )
        for told in world["sessions"]
    )
    points = {point.memory_id: point for session in sessions for point in session.points}
    stops = tuple(
        Checkpoint(
            checkpoint_id=f"QA{place}",
            covered=tuple(session.session_id for session in sessions),
            after_session=asked["after"],
            questions=(
                Question(
                    question_id=f"QA{place}:Q001",
                    text=asked["question"],
                    reference=asked["reference"],
                    type=asked["type"],
                    evidence=tuple(_evidence(points[name]) for name in asked["evidence"]),
                ),
            ),
        )
        for place, asked in enumerate(world["questions"])
    )
    return Sample(sample_id="by-hand", regime="lifelong", sessions=sessions, checkpoints=stops)


def _turn(session_id: str, place: int, text: str) -> Turn:
    role, _, said = text.partition(": ")
    return Turn(turn_id=f"{session_id}:T{place:03}", session_id=session_id, index=place, role=role, text=said)


def _evidence(point: GoldPoint) -> Evidence:
    return Evidence(
        evidence_id=point.memory_id,
        content=point.content,
        session_id=point.session_id,
        kind=point.kind,
        replaces=point.replaces,
    )


def _item(name: str, text: str) -> MemoryItem:
    archived = text.startswith("~")
    return MemoryItem(memory_id=name, text=text.removeprefix("~"), status="archived" if archived else "active")


def record_of(world: dict[str, Any]) -> SampleRecord:
    """What a run would have recorded of a world."""
    sample, state = sample_of(world), MemoryState()
    common = {"label": "x", "sample_id": sample.sample_id, "regime": "lifelong", "domain": ""}
    heard: list[SessionRecord] = []
    kept: dict[str, dict[str, MemoryItem]] = {}
    for index, (session, told) in enumerate(zip(sample.sessions, world["sessions"], strict=True)):
        items = {name: _item(name, text) for name, text in told["kept"].items()}
        kept[session.session_id] = items
        _, changes = state.advance(session.session_id, tuple(items.values()))
        heard.append(
            SessionRecord(
                **common,
                index=index,
                session=session,
                changes=changes,
                snapshot=tuple(items.values()),
                capabilities=Capabilities(),
            )
        )
    places = {session.session_id: index for index, session in enumerate(sample.sessions)}
    questions = tuple(
        QuestionRecord(
            **common,
            checkpoint_id=stop.checkpoint_id,
            session_index=places[asked["after"]],
            question=stop.questions[0],
            retrieval=(
                found := Retrieval.of(asked["question"], [kept[asked["after"]][name] for name in asked["list"]])
            ),
            shown=show(found.items, ShowSettings(top_k=asked.get("shown", 10))),
            answer=Answer(question_id=stop.questions[0].question_id, text=asked["answer"]),
            capabilities=Capabilities(),
        )
        for stop, asked in zip(sample.checkpoints, world["questions"], strict=True)
    )
    return SampleRecord(
        label="x", sample=sample, sessions=tuple(heard), questions=questions, capabilities=Capabilities()
    )


def diagnosed(world: dict[str, Any]) -> list[str]:
    """The stage of each question of a world, as the scorer sees it with the embedded judge."""
    record, scorer = record_of(world), DiagnosisScorer()
    requests = scorer.judgement_requests(record)
    labels = dict(zip(requests, LexicalJudge().label(list(requests.values())), strict=True))
    stages = {question.unit: "" for question in record.questions}
    for row in scorer.score(record, labels):
        stages[row.unit] = str(row.facets.get("lost_at", ""))
    return list(stages.values())


def test_the_diagnosis_agrees_with_a_person_on_twenty_nine_of_thirty() -> None:
    astray = [
        f"{asked['question']} (after {asked['after']}): by hand {asked['stage']!r}, diagnosed {stage!r}"
        for world in WORLDS
        for asked, stage in zip(world["questions"], diagnosed(world), strict=True)
        if stage != asked["stage"]
    ]
    asked = sum(len(world["questions"]) for world in WORLDS)
    assert asked == 30
    assert asked - len(astray) >= AGREEING, "\n".join(astray)


def test_the_sample_by_hand_has_every_stage() -> None:
    stages = Counter(asked["stage"] for world in WORLDS for asked in world["questions"])
    assert set(stages) == {"", "write", "maintain", "retrieve", "show", "use"}
    assert min(count for stage, count in stages.items() if stage) >= 3
