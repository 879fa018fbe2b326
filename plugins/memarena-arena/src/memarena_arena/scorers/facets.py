"""What rows can be grouped by."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from memarena.records import AXES, Evidence, GoldPoint, QuestionRecord, SampleRecord, SessionRecord
from memarena_arena.scorers.rows import Facets

_AXIS_OF = {name: axis for axis, names in AXES.items() for name in names}


def of_session(record: SessionRecord) -> Facets:
    """`session` (zero-based place), `regime`, `domain`."""
    return _session(record.index, record.regime, record.domain)


def of_sample(record: SampleRecord) -> Facets:
    """`regime`, `domain`."""
    return _without_blanks({"regime": record.sample.regime, "domain": record.sample.domain})


def of_point(record: SessionRecord, point: GoldPoint, outcome: str = "") -> Facets:
    """`kind` (new, update, interference), `fact_kind`, `modality`, `update_type`, `outcome` (a verdict), and the facets
    of the session; a text that is empty is left out."""
    return _point(
        point.kind,
        point.fact_kind,
        point.modality,
        point.update_type,
        outcome,
        record.index,
        record.regime,
        record.domain,
    )


def of_question(record: QuestionRecord) -> Facets:
    """`type`, `axis`, `raw_type`, `difficulty`, `modality`, `fact_kind` and `evidence` (kinds and number of the
    evidence points), `session` (zero-based place), `answerable`, `known_wrong`, `regime`, `domain`; none that is
    empty.

    Records with equal facets share one mapping.
    """
    question = record.question
    return _question(
        question.type,
        question.raw_type,
        question.difficulty,
        _modality(question.evidence),
        _fact_kind(question.evidence),
        len(question.evidence),
        record.session_index,
        question.answerable,
        bool(question.known_wrong),
        record.regime,
        record.domain,
    )


def _modality(evidence: Iterable[Evidence]) -> str:
    """`text`, `visual` or `mixed`, over all points that say it; a picture is visual."""
    kinds = {"visual" if point.kind == "image" else point.modality for point in evidence} - {""}
    return kinds.pop() if len(kinds) == 1 else "mixed" if kinds else ""


def _fact_kind(evidence: Iterable[Evidence]) -> str:
    """The kind of fact of all points that say it; `mixed` where they differ."""
    kinds = {point.fact_kind for point in evidence} - {""}
    return kinds.pop() if len(kinds) == 1 else "mixed" if kinds else ""


@lru_cache(maxsize=4096)
def _session(session: int, regime: str, domain: str) -> Facets:
    return _without_blanks({"session": session, "regime": regime, "domain": domain})


@lru_cache(maxsize=4096)
def _point(
    kind: str,
    fact_kind: str,
    modality: str,
    update_type: str,
    outcome: str,
    session: int,
    regime: str,
    domain: str,
) -> Facets:
    return _without_blanks(
        {
            "kind": kind,
            "fact_kind": fact_kind,
            "modality": modality,
            "update_type": update_type,
            "outcome": outcome,
            "session": session,
            "regime": regime,
            "domain": domain,
        }
    )


@lru_cache(maxsize=4096)
def _question(
    question_type: str,
    raw_type: str,
    difficulty: str,
    modality: str,
    fact_kind: str,
    evidence: int,
    session: int,
    answerable: bool,
    known_wrong: bool,
    regime: str,
    domain: str,
) -> Facets:
    return _without_blanks(
        {
            "type": question_type,
            "axis": _AXIS_OF.get(question_type, ""),
            "raw_type": raw_type,
            "difficulty": difficulty,
            "modality": modality,
            "fact_kind": fact_kind,
            "evidence": evidence,
            "session": session,
            "answerable": answerable,
            "known_wrong": known_wrong,
            "regime": regime,
            "domain": domain,
        }
    )


def _without_blanks(facets: Facets) -> Facets:
    return {name: value for name, value in facets.items() if value != ""}
