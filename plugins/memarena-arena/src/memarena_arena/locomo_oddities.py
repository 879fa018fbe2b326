"""What is odd in a conversation of LoCoMo but is kept as it is: counted, so that nobody is surprised.

Duplicated questions stay, since every published number counts all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memarena.records import Question
from memarena_arena.faults import Faults
from memarena_arena.locomo_files import SESSION, Conversation
from memarena_arena.locomo_questions import evidence_ids

LONG_EVIDENCE = 10
"""A question with more evidence than this is reported."""

_RELATIVE_DATE = re.compile(r"\b(before|after|(week|weekend) of)\b", re.IGNORECASE)
_LISTED = ("multi-hop", "open-domain")


def note_oddities(conversation: Conversation, questions: Sequence[Question], faults: Faults) -> None:
    """Count the oddities of a conversation that was read without a refusal."""
    path = f"{conversation.path}.qa"
    with_picture = _turns_with_picture(conversation.dialogue)
    for number, question in enumerate(questions):
        where = f"{path}[{number}]"
        _note_wording(question, where, faults)
        if len(question.evidence) > LONG_EVIDENCE:
            faults.note("long_evidence", f"{len(question.evidence)} turns", f"{where}.evidence")
        if not with_picture.isdisjoint(_names(conversation.questions[number])):
            faults.note("evidence_with_picture", "a turn of its evidence has a picture", f"{where}.evidence")
    _note_duplicates(questions, path, faults)
    _note_observations(conversation, faults)
    _note_events(conversation, faults)


def _note_wording(question: Question, path: str, faults: Faults) -> None:
    if not question.text.endswith("?"):
        faults.note("no_question_mark", "the question does not end with one", f"{path}.question")
    if question.raw_type == "temporal" and _RELATIVE_DATE.search(question.reference):
        faults.note("relative_date_answer", "words are compared, dates are not worked out", f"{path}.answer")
    if question.raw_type in _LISTED and "," in question.reference:
        faults.note("list_answer", "several things, compared as one text", f"{path}.answer")


def _note_duplicates(questions: Sequence[Question], path: str, faults: Faults) -> None:
    first: dict[str, int] = {}
    for number, question in enumerate(questions):
        earlier = first.setdefault(question.text, number)
        if earlier != number:
            where = f"{path}[{number}]"
            faults.note("duplicate_question", f"the same question as {path}[{earlier}], kept", where)
            if question.reference != questions[earlier].reference:
                message = f"another reference than {path}[{earlier}] for the same question"
                faults.warn("conflicting_question", message, where)


def _note_observations(conversation: Conversation, faults: Faults) -> None:
    for key, observations in _lists(conversation.observations, "session_", "_observation"):
        for number, row in enumerate(observations):
            if not isinstance(row, list) or len(row) != 2:
                continue
            several = isinstance(row[1], list) or len(evidence_ids(str(row[1]))) > 1
            if several:
                faults.note("observation_of_several_turns", "not read", f"{conversation.path}..{key}[{number}]")


def _note_events(conversation: Conversation, faults: Faults) -> None:
    for key, events in _lists(conversation.events, "events_session_", ""):
        if not events:
            faults.note("no_events", "an empty list of events, not read", f"{conversation.path}..{key}")


def _lists(raw: Any, start: str, end: str) -> Iterator[tuple[str, list[Any]]]:
    """The lists by speaker in the objects of `raw` whose key starts and ends so."""
    for key, by_speaker in raw.items() if isinstance(raw, dict) else ():
        if key.startswith(start) and key.endswith(end) and isinstance(by_speaker, dict):
            for speaker, items in by_speaker.items():
                if isinstance(items, list):
                    yield f"{key}.{speaker}", items


def _turns_with_picture(dialogue: Mapping[str, Any]) -> set[str]:
    return {
        turn["dia_id"]
        for key, turns in dialogue.items()
        if SESSION.fullmatch(key)
        for turn in turns
        if turn.get("img_url") and isinstance(turn.get("dia_id"), str)
    }


def _names(raw: Mapping[str, Any]) -> list[str]:
    return [item for item in raw.get("evidence", []) if isinstance(item, str)]
