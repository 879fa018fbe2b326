"""The questions of a MemoryAgentBench row: parallel lists, at the top or in `metadata`, by place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from memarena.records import NOT_MENTIONED, Evidence, Question
from memarena_arena.faults import Faults, kind_of, quoted
from memarena_arena.public import fields
from memarena_arena.public.chunks import Context
from memarena_arena.public.longmemeval import ABSTENTION
from memarena_arena.public.longmemeval import TYPES as LONGMEMEVAL
from memarena_arena.public.slashed import iso

BY_SOURCE: Mapping[str, str] = {
    "eventqa": "TR",
    "factconsolidation_mh": "MC",
    "factconsolidation_sh": "DU",
}
"""Beginning of a source -> question type."""
BY_SPLIT: Mapping[str, str] = {
    "Accurate_Retrieval": "FR",
    "Test_Time_Learning": "TTL",
    "Long_Range_Understanding": "KR",
}
"""Split -> question type of all other sources."""
SHORTEST = 20
"""Letters below which the first line of a turn is not looked for in its place."""

_LISTS = ("qa_pair_ids", "question_dates", "question_ids", "question_types", "haystack_sessions")
_METADATA = frozenset({*_LISTS, "demo", "keypoints", "previous_events", "source"})


class QuestionReader:
    """Reads the questions of one row."""

    def __init__(
        self, raw: Mapping[str, Any], split: str, context: Context, path: str, unread: fields.Unread, faults: Faults
    ) -> None:
        self._raw = raw
        self._split = split
        self._context = context
        self._path = path
        self._faults = faults
        metadata = raw.get("metadata")
        if metadata is not None and not isinstance(metadata, dict):
            problem = f"an object is needed, not {kind_of(metadata)}; left out"
            faults.warn("odd_value", problem, f"{path}.metadata")
        self._metadata: Mapping[str, Any] = metadata if isinstance(metadata, dict) else {}
        unread.tell(self._metadata, _METADATA, "metadata", f"{path}.metadata", faults)
        self.source = fields.a_text(self._metadata, "source", f"{path}.metadata", faults).strip()
        if not self.source and (metadata is None or self._metadata is metadata):
            faults.warn("no_source", "the row says not where it comes from", f"{path}.metadata.source")
        self.explanations: dict[str, str] = {}
        """Question id -> what the file says in place of an answer where there is none."""

    def questions(self) -> tuple[Question, ...]:
        """`end:Q001`, ... in the order of the row."""
        path, faults = self._path, self._faults
        texts = fields.a_list(self._raw, "questions", path, faults)
        given = fields.a_list(self._raw, "answers", path, faults)
        if not texts and not faults.refused:
            faults.refuse("asks_nothing", "the row asks nothing", f"{path}.questions")
        if len(texts) == 1 and len(given) > 1:
            problem = f"{len(given)} answers to one question: any of them is right"
            faults.note("answers_of_one_question", problem, f"{path}.answers")
            return self._asked(texts, [self._merged(given)])
        if len(texts) != len(given) and not faults.refused:
            problem = f"{len(texts)} questions and {len(given)} answers: they must be as many"
            faults.refuse("lists_not_parallel", problem, f"{path}.answers")
        if faults.refused:
            return ()
        told = [fields.answers(item, where, faults) for where, item in fields.each(given, f"{path}.answers")]
        return self._asked(texts, told)

    def _merged(self, given: list[Any]) -> tuple[str, ...]:
        """All answers of a row, each of them a text or a list of texts."""
        where = f"{self._path}.answers"
        told = [(place, item) for place, item in fields.each(given, where) if item != []]
        found = [text for place, item in told for text in fields.answers(item, place, self._faults)]
        return tuple(found) if told else fields.answers([], where, self._faults)

    def _asked(self, texts: list[Any], answers: list[tuple[str, ...]]) -> tuple[Question, ...]:
        """The questions with their answers, and with what stands parallel to them."""
        path, faults = self._path, self._faults
        parallel = {key: self._list(key, len(texts)) for key in _LISTS}
        if self.source.startswith("recsys"):
            faults.note("entity_answer", "the answers are numbers of films (entity2id.json)", f"{path}.answers")
        points = self._key_points()
        return tuple(
            self._question(texts, answers, {key: values[number] for key, values in parallel.items()}, points, number)
            for number in range(len(texts))
        )

    def _question(
        self,
        texts: list[Any],
        answers: list[tuple[str, ...]],
        of: Mapping[str, Any],
        points: tuple[Evidence, ...],
        number: int,
    ) -> Question:
        path, faults = self._path, self._faults
        where = f"{path}.answers[{number}]"
        text = texts[number] if isinstance(texts[number], str) else ""
        if not text.strip():
            problem = "a question needs a text that is not empty"
            faults.refuse("no_question", problem, f"{path}.questions[{number}]")
        reference, aliases = fields.either(answers[number])
        name = f"end:Q{number + 1:03}"
        kind, raw_type = self._kind(of["question_types"])
        answerable = not str(of["question_ids"] or "").endswith(ABSTENTION)
        if not answerable:
            faults.note("unanswerable", "the reference is that it was not mentioned", where)
            self.explanations[name] = " or ".join((reference, *aliases))
        return Question(
            question_id=name,
            text=text.strip(),
            reference=reference if answerable else NOT_MENTIONED,
            aliases=aliases if answerable else (),
            type=kind if answerable else "MB",
            evidence=(*self._evidence(of["haystack_sessions"], number), *points) if answerable else (),
            answerable=answerable,
            time=iso(of["question_dates"], f"{path}.metadata.question_dates[{number}]", faults)[0],
            raw_type=raw_type,
        )

    def _kind(self, given: Any) -> tuple[str, str]:
        """The question type, and the source with what the row itself calls the question."""
        if self.source.startswith("longmemeval") and isinstance(given, str):
            return LONGMEMEVAL.get(given, "FR"), f"{self.source}/{given}"
        found = next((kind for start, kind in BY_SOURCE.items() if self.source.startswith(start)), "")
        return found or BY_SPLIT.get(self._split, "UNKNOWN"), self.source or self._split

    def _list(self, key: str, count: int) -> list[Any]:
        """A list that is parallel to the questions: at the top, else in `metadata`; Nones where there is none."""
        place, holder = ("", self._raw) if self._raw.get(key) is not None else (".metadata", self._metadata)
        given = holder.get(key)
        if given is None or given == []:
            return [None] * count
        if isinstance(given, list) and len(given) == count:
            return given
        problem = f"a list of {count} is needed, one each question; left out"
        self._faults.warn("list_length_off", problem, f"{self._path}{place}.{key}")
        return [None] * count

    def _key_points(self) -> tuple[Evidence, ...]:
        where = f"{self._path}.metadata"
        given = fields.a_list(self._metadata, "keypoints", where, self._faults, need=False)
        texts = [text for text in given if isinstance(text, str) and text.strip()]
        if len(texts) < len(given):
            self._faults.warn("odd_value", "a key point without a text; left out", f"{where}.keypoints")
        return tuple(
            Evidence(evidence_id=f"keypoint_{number}", content=text, kind="keypoint")
            for number, text in enumerate(texts, 1)
        )

    def _evidence(self, haystack: Any, number: int) -> tuple[Evidence, ...]:
        """The chunks that hold the flagged turns of a question's haystack."""
        where = f"{self._path}.metadata.haystack_sessions[{number}]"
        return tuple(self._found(text, place, path) for place, (text, path) in enumerate(_flagged(haystack, where), 1))

    def _found(self, text: str, place: int, path: str) -> Evidence:
        """Where the context, which may hold the turn as it is or escaped, says `text`, or at least its first line."""
        forms = dict.fromkeys((text, repr(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]))
        for form in forms:
            if form and (start := self._context.text.find(form)) >= 0:
                return self._at(start, start + len(form), text, place)
        first = text.strip().partition("\n")[0][:200]
        if len(first) >= SHORTEST and (start := self._context.text.find(first)) >= 0:
            self._faults.note("evidence_matched_partly", "only its first line is found in the context", path)
            return self._at(start, start + len(first), text, place)
        self._faults.warn("unresolved_evidence", f"the context does not say {quoted(text)}", path)
        return Evidence(evidence_id=f"absent_{place}")

    def _at(self, start: int, end: int, text: str, place: int) -> Evidence:
        turns = self._context.turns(start, end)
        return Evidence(
            evidence_id=f"turn_{place}",
            content=text,
            session_id=turns[0].session_id,
            turn_ids=tuple(turn.turn_id for turn in turns),
            kind="turn",
            modality="text",
        )


def _flagged(haystack: Any, path: str) -> Iterator[tuple[str, str]]:
    """The text of each turn that is flagged, and its path; whatever else stands there is passed over."""
    for place, session in enumerate(haystack if isinstance(haystack, list) else ()):
        for index, turn in enumerate(session if isinstance(session, list) else ()):
            if isinstance(turn, dict) and turn.get("has_answer") in (True, "True", "true"):
                text = turn.get("content")
                if isinstance(text, str) and text.strip():
                    yield text, f"{path}[{place}][{index}]"
