"""Writes a sample in the layout of WorldMemArena, and beside it what no system may see.

`<place>/<sample_id>.json` with `images/<sample_id>/<image_id>.png` is the sample. `hidden/<sample_id>.jsonl` is its
log: a line an event with its fact, a session with what is so after it, a picture with the boxes of its facts, a
question with its query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from memarena_builder.gold import Point
from memarena_builder.gold.state import states
from memarena_builder.lifelong import Built, folder_of
from memarena_builder.pictures.spec import PictureSpec
from memarena_builder.questions.ask import NAMES, Asked, Stop
from memarena_builder.wording import Line
from memarena_builder.world.facts import Fact
from memarena_builder.world.values import MONTHS

HIDDEN = "hidden"


def write_sample(built: Built, root: Path, rows: Iterable[Mapping[str, object]] = ()) -> tuple[str, ...]:
    """Write the files of `built` below `root`; `rows` come last in its log. Returns their POSIX paths relative to it.

    The sample's own file comes last and in one step: where it is, all its files are.
    """
    name = built.order.sample_id
    written = []
    for image_id, drawing in built.drawings.items():
        written.append(root / folder_of(built.order) / f"{image_id}.png")
        put(written[-1], drawing.png)
    log = root / HIDDEN / f"{name}.jsonl"
    put(log, b"".join(msgspec.json.encode(row, order="sorted") + b"\n" for row in (*_log(built), *rows)))
    sample = root / built.order.place / f"{name}.json"
    put(sample, msgspec.json.format(msgspec.json.encode(as_json(built), order="sorted"), indent=1) + b"\n")
    return tuple(path.relative_to(root).as_posix() for path in (*written, log, sample))


def put(path: Path, content: bytes) -> None:
    """Write a file in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".part")
    draft.write_bytes(content)
    draft.replace(path)


def as_json(built: Built) -> dict[str, Any]:
    """The sample as the layout has it; gold of the first session stands in the session."""
    sessions = []
    blocks = []
    for number, session in enumerate(built.plan.sessions):
        points = [point_json(point) for point in built.points[session.session_id]]
        raw: dict[str, Any] = {
            "_v2_session_id": session.session_id,
            "dialogue": [_turn(built, line) for line in built.spoken[session.session_id].lines],
        }
        if number == 0:
            raw["memory_points"] = points
        else:
            blocks.append({"session_id": session.session_id, "memory_points": points})
        sessions.append(raw)
    return {
        "sample_id": built.order.sample_id,
        "sessions": sessions,
        "memory_points": blocks,
        "qa_checkpoints": [_stop(built, stop) for stop in built.stops],
    }


def write_time(time: datetime) -> str:
    """`Jan 02, 2026, 09:00:00`, whatever the language of the machine."""
    return f"{MONTHS[time.month - 1][:3]} {time.day:02}, {time.year}, {time:%H:%M:%S}"


def _turn(built: Built, line: Line) -> dict[str, Any]:
    raw: dict[str, Any] = {"role": line.role, "content": line.text, "timestamp": write_time(line.time)}
    if line.image_id:
        raw["attachments"] = [_attachment(built.order.sample_id, built.plan.pictures[line.image_id])]
    return raw


def _attachment(sample_id: str, spec: PictureSpec) -> dict[str, str]:
    return {
        "type": "image_caption",
        "caption": spec.caption,
        "caption_full": spec.caption_full,
        "image_id": spec.image_id,
        "file_path": f"images/{sample_id}/{spec.image_id}.png",
    }


def point_json(point: Point) -> dict[str, Any]:
    """A gold point as the layout has it."""
    return {
        "memory_id": point.memory_id,
        "_session_id": point.session_id,
        "memory_content": point.content,
        "memory_type": point.point_type,
        "memory_source": point.source,
        "is_update": str(point.kind == "update"),
        "original_memories": list(point.replaces),
        "importance": point.importance,
        "timestamp": write_time(point.time),
        "update_type": point.update_type,
    }


def _stop(built: Built, stop: Stop) -> dict[str, Any]:
    return stop_json(stop, built.points)


def stop_json(stop: Stop, told: Mapping[str, tuple[Point, ...]]) -> dict[str, Any]:
    """A checkpoint as the layout has it; `told`: the points by session."""
    by_fact = {point.fact_id: point for points in told.values() for point in points if point.fact_id}
    questions = [_question(question, by_fact) for question in stop.questions]
    return {"checkpoint_id": stop.checkpoint_id, "covered_sessions": list(stop.covered), "questions": questions}


def _question(question: Asked, by_fact: Mapping[str, Point]) -> dict[str, Any]:
    raw: dict[str, Any] = {
        "question": question.text,
        "answer": question.answer,
        "evidence": list(_evidence(question.evidence, by_fact)),
        "question_type": NAMES[question.type],
        "question_type_abbrev": question.type,
        "difficulty": question.difficulty,
    }
    if question.alternatives:
        raw["evidence_alternatives"] = [list(_evidence(some, by_fact)) for some in question.alternatives]
    return raw


def _evidence(facts: Iterable[Fact], by_fact: Mapping[str, Point]) -> Iterator[dict[str, str]]:
    """The points of some facts, and behind a point that only a picture tells the picture."""
    for fact in facts:
        yield {"memory_id": by_fact[fact.fact_id].memory_id}
        if fact.visual:
            yield {"image_id": fact.image_id}


def _log(built: Built) -> Iterator[dict[str, Any]]:
    """The hidden log, line by line; every row says by `row` what it is."""
    yield {"row": "sample", "order": built.order, "cast": built.plan.cast, "attempt": built.attempt}
    for session in built.plan.sessions:
        spoken = built.spoken[session.session_id]
        for event in session.events:
            yield {
                "row": "event", "event": event, "session": session.session_id,
                "turns": spoken.evidence(event.event_id), "resolved_by": spoken.resolved.get(event.event_id, ""),
            }  # fmt: skip
        yield {"row": "chit-chat", "kind": "E19", "session": session.session_id, "turns": spoken.idle()}
    for state in states(built.pack, built.plan):
        yield {"row": "state", **msgspec.to_builtins(state)}
    for image_id, spec in built.plan.pictures.items():
        drawing = built.drawings[image_id]
        yield {
            "row": "picture", "picture": spec, "boxes": drawing.boxes, "size": (drawing.width, drawing.height),
            "parts": drawing.parts, "angle": drawing.angle,
        }  # fmt: skip
    yield from question_rows(built.stops)


def question_rows(stops: Iterable[Stop]) -> Iterator[dict[str, Any]]:
    """The rows of the hidden log for questions."""
    for stop in stops:
        for question in stop.questions:
            yield {
                "row": "question", "question_id": question.question_id, "type": question.type, "query": question.query,
                "facts": _ids(question.evidence), "alternatives": list(map(_ids, question.alternatives)),
                "stale": question.stale, "reason": question.reason, "twin": question.twin,
                "template": question.template,
            }  # fmt: skip


def _ids(facts: Iterable[Fact]) -> list[str]:
    return [fact.fact_id for fact in facts]
