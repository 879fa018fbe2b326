"""Gold and questions for sessions that are there: what turns state becomes points, updates and what is to be refused.

Facts are merged and revised over sessions as those of an agent that plays are: the same value again adds a turn to its
point, another value supersedes it. The same validators look at all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from memarena_builder.agentic.knowledge import tells
from memarena_builder.agentic.record import named_attribute
from memarena_builder.agentic.sample import BuiltTrajectory, as_json, build_scenes
from memarena_builder.agentic.trajectory import SPEAKER, Attribute, Learnt, Refused, Step, Trajectory
from memarena_builder.agentic.turns import Placed, Scene
from memarena_builder.order import Order
from memarena_builder.probes.finished import read_time
from memarena_builder.traces.episodes import FAILED as WORDS_OF_FAILURE
from memarena_builder.traces.statements import Statement, statements
from memarena_builder.traces.thread import FAILED
from memarena_builder.wording.turns import Line

Reader = Callable[[Sequence[str]], Sequence[Sequence[Statement]]]
"""The texts of a session -> what each of them states."""
LONGEST, SHORTEST = 16, 4
"""Turns of a session of an agent, at most; and at least where it is cut before its end."""
ATTRIBUTES = (
    Attribute(
        name="residence",
        point="{S} lives in {V}.",
        what="the residence of {S}",
        asked=("Where does {S} live, by the last that was said?", "At what place is {S} at home by now?"),
        point_type="Persona Memory",
    ),
    Attribute(
        name="employer",
        point="{S} works for {V}.",
        what="the employer of {S}",
        asked=("Who employs {S}, by the last that was said?", "Where does {S} earn a salary by now?"),
        point_type="Persona Memory",
    ),
    Attribute(
        name="price",
        point="{S} costs {V}.",
        what="the price of {S}",
        asked=("How much is to be paid for {S}, as last known?", "What is the price of {S} by now?"),
    ),
    Attribute(
        name="preference",
        point="{S} prefers {V}.",
        what="the preference of {S}",
        asked=("What does {S} like best, by the last that was said?", "Which choice would {S} make by now?"),
        point_type="Persona Memory",
    ),
    Attribute(
        name="location",
        point="{S} is at: {V}.",
        what="the place of {S}",
        asked=("Where is {S}, by the last that was said?", "At what place would one look for {S} by now?"),
        point_type="Location Memory",
    ),
    Attribute(
        name="state",
        point="{S} is {V}.",
        what="the state of {S}",
        asked=("What is known of {S}, by the last that was said?", "How do things stand with {S} by now?"),
    ),
    Attribute(
        name="entry",
        point="{S}: {V}.",
        what="the entry of {S}",
        asked=("Which entry was last given for {S}?", "What stands beside {S} by now?"),
    ),
)
"""The relations that rules read, in words; a model may name others."""
OF_PEOPLE = frozenset({"residence", "employer", "preference"})
"""What only people have."""


class Told(NamedTuple):
    """One turn with what it states."""

    raw: Mapping[str, Any]
    stated: tuple[Statement, ...]


def by_rules(texts: Sequence[str]) -> Sequence[Sequence[Statement]]:
    """What each text of a session states plainly."""
    return [tuple(statements(text)) for text in texts]


def annotate(
    raw: Mapping[str, Any], order: Order, read: Reader, *, questions: int, checkpoints: int
) -> tuple[dict[str, Any], BuiltTrajectory]:
    """The sample with gold and questions, and what they were built from. Sessions of what an agent did are cut anew."""
    sessions = [_told(session["dialogue"], read) for session in raw["sessions"]]
    names = [str(session["_v2_session_id"]) for session in raw["sessions"]]
    if order.place.startswith("agent/"):
        sessions = [piece for session in sessions for piece in cut(session)]
        names = [f"S{number:02}" for number in range(1, len(sessions) + 1)]
    start = read_time(sessions[0][0].raw["timestamp"]).replace(hour=0, minute=0, second=0)
    pairs = enumerate(zip(names, sessions, strict=True))
    scenes = tuple(_scene(name, place, told, start) for place, (name, told) in pairs)
    built = build_scenes(
        order, _trajectory(sessions, scenes), scenes, start, questions=questions, checkpoints=checkpoints
    )  # fmt: skip
    return _whole(raw, built, sessions), built


def _told(dialogue: Sequence[Mapping[str, Any]], read: Reader) -> list[Told]:
    stated = read([str(turn["content"]) for turn in dialogue])
    return [Told(turn, tuple(each)) for turn, each in zip(dialogue, stated, strict=True)]


def cut(session: Sequence[Told]) -> Iterator[list[Told]]:
    """The pieces of a long session of an agent: each ends after a failure, before a new instruction, or when long."""
    piece: list[Told] = []
    for place, told in enumerate(session):
        piece.append(told)
        following = session[place + 1] if place + 1 < len(session) else None
        full = len(piece) >= LONGEST
        if following is None or full or (len(piece) >= SHORTEST and (_fails(told) or _instructs(following))):
            yield piece
            piece = []


def _fails(told: Told) -> bool:
    """Whether a turn is feedback that tells of a failure, as imports mark it, or in so many words."""
    first, _, _ = str(told.raw["content"]).partition("\n")
    return first.startswith(FAILED) or (first.startswith("Feedback") and WORDS_OF_FAILURE.search(first) is not None)


def _instructs(told: Told) -> bool:
    return told.raw["role"] == "user" and not str(told.raw["content"]).startswith(("Feedback", "Observation:"))


def _scene(name: str, place: int, told: Sequence[Told], start: datetime) -> Scene:
    lines = []
    placed = []
    for number, each in enumerate(told):
        time, text = read_time(each.raw["timestamp"]), str(each.raw["content"])
        lines.append(Line(role=each.raw["role"], text=text, time=time))
        sound = [one for one in each.stated if tells(text, one.subject, one.value)]
        step = Step(
            observation=text,
            action="",
            seen=tuple(_learnt(one) for one in sound if not one.supposed),
            refused=tuple(_refused(one) for one in sound if one.supposed),
            told_by="observation",
            day=(time - start).days,
        )
        placed.append(Placed(step, number, number, number, ""))
    return Scene(name, place, tuple(placed), tuple(lines))


def _learnt(one: Statement) -> Learnt:
    return Learnt(subject=one.subject, attribute=one.relation, value=one.value, importance=0.6)


def _refused(one: Statement) -> Refused:
    return Refused(subject=one.subject, attribute=one.relation, value=one.value, kind="guess")


def _trajectory(sessions: Sequence[Sequence[Told]], scenes: Sequence[Scene]) -> Trajectory:
    stated = [one for session in sessions for told in session for one in told.stated]
    known = {attribute.name: attribute for attribute in ATTRIBUTES}
    names = dict.fromkeys(one.relation for one in stated)
    pairs = {(one.subject, one.relation) for one in stated}
    subjects = dict.fromkeys(one.subject for one in stated if one.subject != SPEAKER)
    return Trajectory(
        environment="imported",
        attributes=tuple(known.get(name) or named_attribute(name) for name in names),
        steps=tuple(placed.step for scene in scenes for placed in scene.steps),
        subjects=tuple(
            (subject, name)
            for name in names
            for subject in subjects
            if (subject, name) not in pairs and (name not in OF_PEOPLE or subject[0].isupper())
        ),
    )


def _whole(raw: Mapping[str, Any], built: BuiltTrajectory, sessions: Sequence[Sequence[Told]]) -> dict[str, Any]:
    """The sample's file: the turns as they were, with gold and questions."""
    made = as_json(built)
    blocks = {block["session_id"]: block["memory_points"] for block in made["memory_points"]}
    written = []
    for scene, told in zip(built.scenes, sessions, strict=True):
        session: dict[str, Any] = {"_v2_session_id": scene.session_id, "dialogue": [dict(each.raw) for each in told]}
        if scene.session_id == "S00":
            session["memory_points"] = blocks.pop("S00", [])
        written.append(session)
    points = [{"session_id": name, "memory_points": each} for name, each in blocks.items()]
    stops = made["qa_checkpoints"]
    return {"sample_id": raw["sample_id"], "sessions": written, "memory_points": points, "qa_checkpoints": stops}
