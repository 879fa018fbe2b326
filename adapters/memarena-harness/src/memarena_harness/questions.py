"""Questions as an agent gets them, in batches with ids; and its reply read back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from memarena.records import NOT_MENTIONED, AskedQuestion
from memarena_harness.dialogue import Message, clean, picture_line
from memarena_harness.pictures import Gallery

RECALL = """\
The history so far is over, and you are asked about it. All that you know of it is in the files in this folder: read \
them first. Then answer the questions below from them, each for itself, as shortly as it can be answered.
"""
"""The task for an agent that forgets."""

ANSWER = """\
You are asked about the history so far. Answer the questions below from it, each for itself, as shortly as it can be \
answered.
"""
"""The task for an agent whose context is kept."""

FORM = f"""\
Where nothing of it bears on a question, its answer is: {NOT_MENTIONED}
Your last message is to be one JSON object and nothing else, with an answer to each id:
{{"answers": [{{"id": "Q1", "answer": "..."}}]}}
"""

SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {
        "answers": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "answer": {"type": "string"}},
                "required": ["id", "answer"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["answers"],
    "additionalProperties": False,
}
"""The JSON schema of a reply, for servers that hold a model to one."""


def batches(questions: Sequence[AskedQuestion], size: int) -> Iterator[dict[str, AskedQuestion]]:
    """The questions in batches of at most `size`, each under an id of its batch: `Q1`, `Q2`, ..."""
    for start in range(0, len(questions), size):
        yield {f"Q{place}": asked for place, asked in enumerate(questions[start : start + size], 1)}


def questions_message(batch: Mapping[str, AskedQuestion], media: Path, *, forgets: bool, schema: bool) -> Message:
    """The message that asks a batch: its pictures are put into the folder `media`, their captions are in the texts."""
    gallery = Gallery(media, "q")
    lines = [(RECALL if forgets else ANSWER) + FORM]
    for name, asked in batch.items():
        lines.append(f"{name}{f' (asked at {asked.time})' if asked.time else ''}: {asked.text}")
        for attachment, shown in zip(asked.attachments, gallery.take(asked.attachments), strict=True):
            lines.append(picture_line(shown, attachment.image_id, ""))
    return Message(
        text=clean("\n".join(lines)), pictures=tuple(gallery.files), schema=SCHEMA if schema else None, asks=True
    )


def read_answers(reply: str, names: Sequence[str]) -> dict[str, str]:
    """The answers of a reply by id: those of its last JSON object that has some of `names`; empty where none has."""
    found: dict[str, str] = {}
    for value in _objects(reply):
        answers = _answers(value, names)
        if answers:
            found = answers
    return found


def _answers(value: Mapping[str, Any], names: Sequence[str]) -> dict[str, str]:
    """Answers as they were asked for, or as models like to give them: one object with the ids as its keys."""
    listed = value.get("answers")
    if isinstance(listed, list):
        pairs = [(str(each.get("id")), each.get("answer")) for each in listed if isinstance(each, Mapping)]
    else:
        pairs = list((listed if isinstance(listed, Mapping) else value).items())
    texts = {name: _text(answer) for name, answer in pairs if name in names}
    return {name: text for name, text in texts.items() if text}


def _text(answer: object) -> str:
    if isinstance(answer, str):
        return answer.strip()
    return "" if answer is None or isinstance(answer, Mapping) else json.dumps(answer, ensure_ascii=False)


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """The outermost JSON objects within `text`, in order."""
    decoder, place = json.JSONDecoder(strict=False), text.find("{")
    while place >= 0:
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            if isinstance(value, Mapping):
                yield value
        place = text.find("{", end)
