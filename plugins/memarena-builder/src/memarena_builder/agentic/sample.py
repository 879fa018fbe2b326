"""A trajectory becomes a sample: sessions, gold, questions, files."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from memarena.records import Record
from memarena_builder.agentic.asking import ask
from memarena_builder.agentic.checks import check_learnt, check_question
from memarena_builder.agentic.knowledge import Claim, Knowledge, learn
from memarena_builder.agentic.known import Learned
from memarena_builder.agentic.trajectory import Step, Trajectory
from memarena_builder.agentic.turns import Scene, pictures, scenes, shown
from memarena_builder.gold import Point
from memarena_builder.layout import HIDDEN, point_json, put, question_rows, stop_json, write_time
from memarena_builder.makers import Made
from memarena_builder.order import Order
from memarena_builder.questions.ask import Asked, Stop
from memarena_builder.streams import Streams
from memarena_builder.validators.balance import twins_are_there
from memarena_builder.validators.problem import Problem
from memarena_builder.validators.shape import ids_lead_somewhere
from memarena_builder.wording.turns import Line
from memarena_builder.world.facts import Key

FIRST_DAY = datetime(2026, 1, 5)
SPREAD = 300
"""Days over which samples begin."""


class BuiltTrajectory(Record, frozen=True, kw_only=True):
    """One sample, not yet written."""

    order: Order
    trajectory: Trajectory
    scenes: tuple[Scene, ...]
    knowledge: Knowledge
    stops: tuple[Stop, ...]
    problems: tuple[Problem, ...]


def build_trajectory(
    order: Order, trajectory: Trajectory, *, questions: int, checkpoints: int, sessions: int | None = None
) -> BuiltTrajectory:
    """The sample of a trajectory: the first `sessions` of it, `questions` at `checkpoints` together, where there is so
    much to ask."""
    days = Streams(order.seed, (order.sample_id,)).rng("start").randrange(SPREAD)
    start = FIRST_DAY + timedelta(days=days)
    found = tuple(scenes(trajectory.steps, start, sessions))
    return build_scenes(order, trajectory, found, start, questions=questions, checkpoints=checkpoints)


def build_scenes(
    order: Order, trajectory: Trajectory, found: tuple[Scene, ...], start: datetime, *, questions: int, checkpoints: int
) -> BuiltTrajectory:
    """The same, of sessions that are there already."""
    streams = Streams(order.seed, (order.sample_id,))
    knowledge, problems = learnt_soundly(trajectory, found, start)
    refused: list[Problem] = []

    def refuse(question: Asked, known: Learned) -> str:
        wrong = check_question(question, known, found)
        refused.extend(wrong)
        return wrong[0].message if wrong else ""

    stops = tuple(
        ask(_known_at(trajectory, knowledge, found, checkpoints, order.split), questions, streams.at("ask"), refuse)
    )
    stops = tuple(stop for stop in stops if stop.questions)
    built = BuiltTrajectory(
        order=order, trajectory=trajectory, scenes=found, knowledge=knowledge, stops=stops, problems=()
    )
    problems = (
        *problems,
        *(problem.mended() for problem in refused),
        *ids_lead_somewhere(as_json(built)),
        *twins_are_there(stops),
    )
    return replace(built, problems=problems)


def learnt_soundly(
    trajectory: Trajectory, found: Sequence[Scene], start: datetime
) -> tuple[Knowledge, tuple[Problem, ...]]:
    """What is learnt in the sessions, without what V1 to V4 refuse; and what they found, which had to go or is left."""
    away: frozenset[Claim] = frozenset()
    dropped: list[Problem] = []
    while True:
        knowledge = learn(trajectory, found, start, away)
        problems = check_learnt(knowledge, found, pictures(found))
        more = frozenset(_claims(knowledge, {name for problem in problems for name in problem.about})) - away
        if not more:
            return knowledge, (*dropped, *problems)
        dropped += [problem.gone() for problem in problems if problem.about]
        away |= more


def _claims(knowledge: Knowledge, about: Collection[str]) -> Iterator[Claim]:
    """What the facts and the points of interference with these ids claim."""
    for fact in knowledge.facts:
        if fact.fact_id in about:
            yield Claim(fact.key.subject, fact.key.attribute, fact.value or "")
    for name, each in knowledge.refused.items():
        if name in about:
            yield Claim(each.subject, each.attribute, each.value, refused=True)


def _known_at(
    trajectory: Trajectory, knowledge: Knowledge, found: Sequence[Scene], checkpoints: int, split: str
) -> list[tuple[Learned, tuple[str, ...]]]:
    out = []
    begin = 0
    seen = shown(found)
    for number in range(min(checkpoints, len(found))):
        end = round((number + 1) * len(found) / min(checkpoints, len(found))) - 1
        covered = tuple(scene.session_id for scene in found[begin : end + 1])
        today = found[end].lines[-1].time.date()
        out.append((Learned(trajectory, knowledge.facts, end, today, split, seen), covered))
        begin = end + 1
    return out


def as_json(built: BuiltTrajectory) -> dict[str, Any]:
    """The sample as the layout has it: the gold of all sessions stands in blocks of its own."""
    shown = pictures(built.scenes)
    points = built.knowledge.points
    return {
        "sample_id": built.order.sample_id,
        "sessions": [
            {
                "_v2_session_id": scene.session_id,
                "dialogue": [_turn(built.order.sample_id, line, shown) for line in scene.lines],
            }
            for scene in built.scenes
        ],
        "memory_points": [
            {"session_id": name, "memory_points": [point_json(point) for point in each]}
            for name, each in points.items()
            if each
        ],
        "qa_checkpoints": [stop_json(stop, points) for stop in built.stops],
    }


def _turn(sample_id: str, line: Line, shown: Mapping[str, Step]) -> dict[str, Any]:
    raw: dict[str, Any] = {"role": line.role, "content": line.text, "timestamp": write_time(line.time)}
    if line.image_id:
        step = shown[line.image_id]
        attachment = {
            "type": "image_caption",
            "caption": step.caption,
            "caption_full": step.caption_full or step.caption,
            "image_id": line.image_id,
            "file_path": f"images/{sample_id}/{line.image_id}.png",
        }
        raw["attachments"] = [attachment]
    return raw


def write_trajectory(built: BuiltTrajectory, root: Path) -> Made:
    """Write the files of `built` below `root`, the sample last and in one step."""
    name = built.order.sample_id
    folder = root / built.order.place
    written = []
    for image_id, step in pictures(built.scenes).items():
        path = folder / "images" / name / f"{image_id}.png"
        put(path, step.picture)
        written.append(path)
    log = root / HIDDEN / f"{name}.jsonl"
    put(log, b"".join(msgspec.json.encode(row, order="sorted") + b"\n" for row in log_rows(built)))
    sample = folder / f"{name}.json"
    put(sample, msgspec.json.format(msgspec.json.encode(as_json(built), order="sorted"), indent=1) + b"\n")
    return Made(
        sample_id=name,
        files=tuple(path.relative_to(root).as_posix() for path in (*written, log, sample)),
        counts=counts_of(built),
        problems=built.problems,
    )


def counts_of(built: BuiltTrajectory) -> dict[str, int]:
    """How much of what a sample has: sessions, turns, points by kind, pictures, questions by type."""
    points = [point for each in built.knowledge.points.values() for point in each]
    counts = Counter({"sessions": len(built.scenes), "pictures": len(pictures(built.scenes))})
    counts["turns"] = sum(len(scene.lines) for scene in built.scenes)
    counts["steps"] = sum(len(scene.steps) for scene in built.scenes)
    counts.update(f"points {point.kind}" for point in points)
    counts.update(f"events {fact.kind}" for fact in built.knowledge.facts)
    counts.update(f"distractors {point.distraction}" for point in points if point.distraction)
    counts.update(f"questions {question.type}" for stop in built.stops for question in stop.questions)
    return dict(sorted(counts.items()))


def log_rows(built: BuiltTrajectory) -> Iterator[dict[str, Any]]:
    """The hidden log, line by line; every row says by `row` what it is."""
    yield {"row": "sample", "order": built.order, "cast": {"entities": ()}, **_source(built.trajectory)}
    facts = {fact.fact_id: fact for fact in built.knowledge.facts}
    for scene in built.scenes:
        for point in built.knowledge.points[scene.session_id]:
            event = _event(built, point) if not point.fact_id else {"fact": facts[point.fact_id], "kind": "learnt"}
            yield {"row": "event", "event": event, "session": scene.session_id, "turns": point.turns}
    for image_id, step in pictures(built.scenes).items():
        fields = [{"label": each.attribute, "value": each.value} for each in step.seen if each.visual]
        picture = {"image_id": image_id, "caption": step.caption, "fields": fields}
        yield {"row": "picture", "picture": picture, "sha256": hashlib.sha256(step.picture).hexdigest()}
    for scene in built.scenes:
        for placed in scene.steps:
            yield {
                "row": "step", "session": scene.session_id, "turn": placed.think, "moves": placed.step.moves,
                "state": placed.step.state, "image_id": placed.image_id,
            }  # fmt: skip
    yield from question_rows(built.stops)


def _source(trajectory: Trajectory) -> dict[str, Any]:
    return {"environment": trajectory.environment, "world": trajectory.world}


def _event(built: BuiltTrajectory, point: Point) -> dict[str, Any]:
    refused = built.knowledge.refused[point.memory_id]
    claim = Key(refused.subject, refused.attribute)
    return {"kind": "distractor", "distraction": point.distraction, "claim": claim, "slots": {"V": refused.value}}
