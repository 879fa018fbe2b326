"""The questions of AMA-Bench; evidence only where the file names the steps (`relevant_turn_indices`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memarena.records import Evidence, Question, Turn
from memarena_arena.faults import Faults, quoted
from memarena_arena.public import fields

TYPES: Mapping[str, str] = {"A": "FR", "B": "KR", "C": "DU", "D": "KR"}
"""First letter of the type -> question type: A recall, B causal inference, C state updating, D state abstraction."""
PER_EPISODE = 12

_FIELDS = frozenset({"question", "answer", "type", "sub_type", "question_uuid", "relevant_turn_indices"})


def read_questions(
    raw: Mapping[str, Any], turns: Mapping[int, Turn], path: str, unread: fields.Unread, faults: Faults
) -> tuple[Question, ...]:
    """The questions of an episode, `end:Q001`, ...; `turns`: step -> turn."""
    given = fields.a_list(raw, "qa_pairs", path, faults)
    if len(given) != PER_EPISODE and not faults.refused:
        problem = f"{len(given)} questions; published episodes have {PER_EPISODE}"
        faults.note("question_count_off", problem, f"{path}.qa_pairs")
    seen: set[str] = set()
    questions = []
    for number, item in enumerate(given):
        where = f"{path}.qa_pairs[{number}]"
        pair = fields.an_object(item, "question", where, faults)
        if pair is None:
            continue
        unread.tell(pair, _FIELDS, "question", where, faults)
        uuid = pair.get("question_uuid")
        if isinstance(uuid, str) and uuid in seen:
            faults.warn("repeated_uuid", f"{quoted(uuid)} comes twice; the place counts", f"{where}.question_uuid")
        seen.add(str(uuid))
        kind = _kind(pair, where, faults)
        reference, aliases = fields.either(fields.answers(pair.get("answer"), f"{where}.answer", faults))
        questions.append(
            Question(
                question_id=f"end:Q{number + 1:03}",
                text=fields.a_question(pair, where, faults),
                reference=reference,
                aliases=aliases,
                type=TYPES.get(kind[:1], "UNKNOWN"),
                evidence=_evidence(pair, turns, where, faults),
                difficulty=fields.a_text(raw, "difficulty", path, faults),
                raw_type=kind,
            )
        )
    return tuple(questions)


def _kind(raw: Mapping[str, Any], path: str, faults: Faults) -> str:
    """`A` to `D`, or the finer type of generated files, e.g. `A1`."""
    given = raw.get("sub_type") or raw.get("type")
    kind = given.strip().upper() if isinstance(given, str) else ""
    if kind[:1] not in TYPES or len(kind) > 2:
        faults.warn("odd_type", f"{quoted(given)} is no type that is known: UNKNOWN", f"{path}.type")
        return given if isinstance(given, str) else ""
    return kind


def _evidence(raw: Mapping[str, Any], turns: Mapping[int, Turn], path: str, faults: Faults) -> tuple[Evidence, ...]:
    where = f"{path}.relevant_turn_indices"
    given = raw.get("relevant_turn_indices")
    if given is None:
        return ()
    found: dict[int, Evidence] = {}
    for place, index in fields.each(given, where):
        if type(index) is not int:
            faults.warn("no_evidence_id", f"{quoted(index)} is no step; left out", place)
        elif index in found:
            faults.note("duplicate_evidence", f"step {index} is named twice", place)
        else:
            found[index] = _resolved(index, turns.get(index), place, faults)
    return tuple(found.values())


def _resolved(index: int, turn: Turn | None, path: str, faults: Faults) -> Evidence:
    if turn is None:
        faults.warn("unresolved_evidence", f"there is no step {quoted(index)}", path)
        return Evidence(evidence_id=f"step_{quoted(index)}")
    return Evidence(
        evidence_id=turn.turn_id,
        content=turn.text,
        session_id=turn.session_id,
        turn_ids=(turn.turn_id,),
        kind="turn",
        modality="text",
    )
