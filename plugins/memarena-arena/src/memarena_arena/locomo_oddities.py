"""What is odd in a conversation of LoCoMo but is kept as it is: counted, so that nobody is surprised.

Duplicated questions stay, since every published number counts all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from memarena.records import Question
from memarena_arena.faults import Faults
from memarena_arena.jsonpath import child
from memarena_arena.locomo_files import SESSION, Conversation
from memarena_arena.locomo_questions import evidence_ids

LONG_EVIDENCE = 10
"""A question with more evidence than this is reported."""

_RELATIVE_DATE = re.compile(r"\b(before|after|(week|weekend) of)\b.*\b\d{4}\b", re.IGNORECASE)
_LISTED = ("multi-hop", "open-domain")


_TURN = frozenset({"speaker", "dia_id", "text", "img_url", "blip_caption", "query", "re-download"})
_QUESTION = frozenset({"question", "answer", "evidence", "category", "adversarial_answer"})
_DIALOGUE = re.compile(r"speaker_[ab]|session_\d{1,6}(_date_time)?")
_OLDER = re.compile(r"sample_id|qa|events_session_\d+|session_\d+_(observation|summary)")
_TOP = re.compile(r"sample_id|conversation|qa|event_summary|observation|session_summary")


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
    _note_unread(conversation, faults)
    _note_observations(conversation, faults)
    _note_events(conversation, faults)


def _note_unread(conversation: Conversation, faults: Faults) -> None:
    """Say once of each field that nobody knows that it is not read: a misspelt one hides what it holds."""
    told: set[str] = set()

    def tell(keys: Iterable[str], path: str) -> None:
        for key in keys:
            if key not in told:
                told.add(key)
                faults.note("unread_field", "this field is not read", child(path, key))

    dialogue, path = conversation.dialogue, conversation.dialogue_path
    older = path == conversation.path
    tell((key for key in conversation.fields if not (_TOP.fullmatch(key) or older)), conversation.path)
    tell((key for key in dialogue if not (_DIALOGUE.fullmatch(key) or (older and _OLDER.fullmatch(key)))), path)
    for key, turns in dialogue.items():
        for number, turn in enumerate(turns if SESSION.fullmatch(key) else ()):
            tell(turn.keys() - _TURN, f"{path}.{key}[{number}]")
    for number, question in enumerate(conversation.questions or ()):
        tell(question.keys() - _QUESTION, f"{conversation.path}.qa[{number}]")


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
    for where, observations in _lists(
        conversation.observations, conversation.observations_path, "session_", "_observation"
    ):
        for number, row in enumerate(observations):
            if not isinstance(row, list) or len(row) != 2:
                continue
            several = isinstance(row[1], list) or len(evidence_ids(str(row[1]))) > 1
            if several:
                faults.note("observation_of_several_turns", "it rests on several turns", f"{where}[{number}]")


def _note_events(conversation: Conversation, faults: Faults) -> None:
    for where, events in _lists(conversation.events, conversation.events_path, "events_session_", ""):
        if not events:
            faults.note("no_events", "an empty list of events, not read", where)


def _lists(raw: Any, path: str, start: str, end: str) -> Iterator[tuple[str, list[Any]]]:
    """The lists by speaker in the objects of `raw`, which stands at `path`, whose key starts and ends so; each with
    its JSON path."""
    for key, by_speaker in raw.items() if isinstance(raw, dict) else ():
        if key.startswith(start) and key.endswith(end) and isinstance(by_speaker, dict):
            for speaker, items in by_speaker.items():
                if isinstance(items, list):
                    yield child(child(path, key), speaker), items


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
