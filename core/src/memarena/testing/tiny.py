"""A tiny data set in code: two samples, three sessions, five questions, gold checked by hand.

tiny-home   S01 a phone number and a dog       C01 after S01: FR (phone, old number)
            S02 the number changes; a rumour    C02 after S02: DU (new number), MB (never said)
tiny-work   S01 a picture of a red square       C01 after S01: VFR (its colour), KR (2 + 3 crates)
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from memarena.memory import whole_text
from memarena.protocols import LoadReport
from memarena.records import (
    NOT_MENTIONED,
    Attachment,
    Checkpoint,
    Evidence,
    GoldPoint,
    Question,
    Sample,
    Session,
    Turn,
)

PICTURE = Path(__file__).with_name("tiny.png")
"""A red square on white, 16 x 16 pixels."""
PICTURE_ID = "S01_img_1"
CAPTION = "A shelf label with a square."
FULL_CAPTION = "A white shelf label with a red square in its middle."

PHONE = "Ana's phone number is 555-0101."
NEW_PHONE = "Ana's phone number is 555-0202."
DOG = "Ana has a dog called Bruno."
RUMOUR = "Somebody said that Ana moves to Oslo."
LABEL = "The shelf label of Ben shows a red square."
CRATES = "Ben keeps two crates of apples and three crates of pears."


def tiny_samples() -> tuple[Sample, ...]:
    """The two samples, `tiny-home` and `tiny-work`."""
    return (_home(), _work())


class TinyOpened:
    """The opened data set."""

    def __init__(self) -> None:
        self.report = LoadReport()

    def __iter__(self) -> Iterator[Sample]:
        yield from tiny_samples()


class Tiny:
    """Two invented samples for trying things out: `-d tiny`."""

    name = "tiny"
    revision = 1

    def open(self, source: str, options: object) -> TinyOpened:
        """There is one source only; `source` and `options` are not looked at."""
        return TinyOpened()


def _home() -> Sample:
    first, second = _two_facts(), _a_change_and_a_rumour()
    old, new = _evidence(first.points[0]), _evidence(second.points[0])
    early = _question("C01:Q001", "FR", "What is Ana's phone number?", "555-0101", old)
    late = _question("C02:Q001", "DU", "What is Ana's phone number?", "555-0202", new)
    unsaid = _question("C02:Q002", "MB", "What is the name of Ana's cat?", NOT_MENTIONED)
    return Sample(
        sample_id="tiny-home",
        regime="lifelong",
        domain="lifelong/personal",
        sessions=(first, second),
        checkpoints=(
            Checkpoint(checkpoint_id="C01", covered=("S01",), after_session="S01", questions=(early,)),
            Checkpoint(checkpoint_id="C02", covered=("S01", "S02"), after_session="S02", questions=(late, unsaid)),
        ),
    )


def _two_facts() -> Session:
    return Session(
        session_id="S01",
        time="Jan 05, 2026, 09:00:00",
        turns=_turns(
            "S01",
            "Jan 05, 2026, 09",
            "Please note my phone number: 555-0101.",
            "Noted.",
            "I have a dog called Bruno.",
            "Bruno sounds lovely.",
        ),
        points=(
            GoldPoint(memory_id="mp_S01_1", content=PHONE, session_id="S01", turn_ids=("S01:T000",), importance=0.9),
            GoldPoint(memory_id="mp_S01_2", content=DOG, session_id="S01", turn_ids=("S01:T002",), importance=0.6),
        ),
    )


def _a_change_and_a_rumour() -> Session:
    update = GoldPoint(
        memory_id="mp_S02_1",
        content=NEW_PHONE,
        session_id="S02",
        kind="update",
        replaces=(PHONE,),
        turn_ids=("S02:T000",),
        importance=0.9,
    )
    rumour = GoldPoint(
        memory_id="mp_S02_2",
        content=RUMOUR,
        session_id="S02",
        kind="interference",
        source="interference",
        turn_ids=("S02:T002",),
    )
    return Session(
        session_id="S02",
        time="Feb 10, 2026, 18:00:00",
        turns=_turns(
            "S02",
            "Feb 10, 2026, 18",
            "My phone number changed: it is 555-0202 now.",
            "I replaced the old number.",
            "Somebody said that I move to Oslo; that is only a rumour.",
            "I will not keep that.",
        ),
        points=(update, rumour),
    )


def _work() -> Sample:
    picture = Attachment(
        image_id=PICTURE_ID,
        path=str(PICTURE),
        caption=CAPTION,
        caption_full=FULL_CAPTION,
        media_type="image/png",
    )
    label = GoldPoint(
        memory_id="mp_S01_1",
        content=LABEL,
        session_id="S01",
        modality="visual",
        turn_ids=("S01:T000",),
        image_ids=(PICTURE_ID,),
        importance=0.8,
    )
    crates = GoldPoint(memory_id="mp_S01_2", content=CRATES, session_id="S01", turn_ids=("S01:T002",), importance=0.5)
    session = Session(
        session_id="S01",
        time="Mar 03, 2026, 11:00:00",
        turns=_turns(
            "S01",
            "Mar 03, 2026, 11",
            "This is the label on my shelf.",
            "I see it, Ben.",
            "There are two crates of apples and three crates of pears.",
            "Good to know.",
            picture=picture,
        ),
        points=(label, crates),
    )
    seen = Evidence(
        evidence_id=PICTURE_ID,
        content=f"image_id: {PICTURE_ID}",
        session_id="S01",
        turn_ids=("S01:T000",),
        image_id=PICTURE_ID,
        caption=FULL_CAPTION,
        kind="image",
        modality="visual",
    )
    colour = _question("C01:Q001", "VFR", "Which colour is the square on Ben's label?", "Red", seen)
    sum_up = _question("C01:Q002", "KR", "How many crates does Ben keep?", "5", _evidence(crates))
    return Sample(
        sample_id="tiny-work",
        regime="agentic",
        domain="agent/gui/excel",
        sessions=(session,),
        checkpoints=(
            Checkpoint(checkpoint_id="C01", covered=("S01",), after_session="S01", questions=(colour, sum_up)),
        ),
    )


def _turns(session_id: str, hour: str, *bodies: str, picture: Attachment | None = None) -> tuple[Turn, ...]:
    """User and assistant take turns, a minute apart; `picture` belongs to the first turn."""
    turns = []
    for index, body in enumerate(bodies):
        pictures = (picture,) if picture and index == 0 else ()
        turns.append(
            Turn(
                turn_id=f"{session_id}:T{index:03}",
                session_id=session_id,
                index=index,
                role=("user", "assistant")[index % 2],
                text=whole_text(body, pictures),
                body=body,
                time=f"{hour}:{index:02}:00",
                attachments=pictures,
            )
        )
    return tuple(turns)


def _evidence(point: GoldPoint) -> Evidence:
    return Evidence(
        evidence_id=point.memory_id,
        content=point.content,
        session_id=point.session_id,
        turn_ids=point.turn_ids,
        kind=point.kind,
        importance=point.importance,
        replaces=point.replaces,
    )


def _question(question_id: str, kind: str, text: str, reference: str, *evidence: Evidence) -> Question:
    return Question(
        question_id=question_id,
        text=text,
        reference=reference,
        type=kind,
        evidence=evidence,
        answerable=reference != NOT_MENTIONED,
    )
