"""What people decide about gold points and questions, how far they agree, and what becomes of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from memarena.errors import DataError
from memarena.records import Record

Verdict = Literal["accept", "edit", "reject"]
VERDICTS = ("accept", "edit", "reject")
Sample = dict[str, Any]
"""The JSON of a sample's file."""
PRINT = 12
"""Signs of the print of a unit."""


class Decision(Record, frozen=True, kw_only=True):
    """What one person says of one point or question."""

    verdict: Verdict
    text: str = ""
    """With `edit`: what the point or the question is to say."""
    answer: str = ""
    """With `edit` of a question: its answer."""
    of: str = ""
    """The print of the unit that was decided on, so that no decision is taken for one of what was made anew."""


class Review(Record, frozen=True, kw_only=True):
    """The decisions of one person, by the name of the unit: `SAMPLE/mp_S00_1` or `SAMPLE/QA00:Q001`."""

    reviewer: str = ""
    decisions: Mapping[str, Decision] = {}


class Agreement(NamedTuple):
    """How far two people agree on what both decided."""

    one: str
    other: str
    units: int
    same: float
    """Share of the units with the same verdict."""
    kappa: float | None
    """Cohen's: the same beyond chance; None where chance alone would agree on all."""


class Unit(NamedTuple):
    """A point or a question."""

    name: str
    row: dict[str, Any]
    place: str
    """The id of its session or checkpoint."""

    @property
    def is_point(self) -> bool:
        """Whether it is a point."""
        return "memory_content" in self.row

    @property
    def text(self) -> str:
        """What it says."""
        return str(self.row["memory_content" if self.is_point else "question"])

    @property
    def answer(self) -> str:
        """Of a question: its answer."""
        return "" if self.is_point else str(self.row["answer"])

    @property
    def print(self) -> str:
        """The same as long as it says the same."""
        return sha256(f"{self.text}\0{self.answer}".encode()).hexdigest()[:PRINT]


def units(sample: Sample) -> Iterator[Unit]:
    """Each point and question of a sample."""
    name = sample["sample_id"]
    for session in sample["sessions"]:
        for point in session.get("memory_points", ()):
            yield Unit(f"{name}/{point['memory_id']}", point, session_id(session))
    for block in sample.get("memory_points", ()):
        for point in block["memory_points"]:
            yield Unit(f"{name}/{point['memory_id']}", point, block["session_id"])
    for stop in sample.get("qa_checkpoints", ()):
        for number, question in enumerate(stop["questions"], 1):
            yield Unit(f"{name}/{stop['checkpoint_id']}:Q{number:03}", question, stop["checkpoint_id"])


def session_id(session: Mapping[str, Any]) -> str:
    """The id of a session, under the newer or the older name of the field."""
    return str(session.get("_v2_session_id") or session.get("session_id") or "")


def read_reviews(paths: Sequence[Path]) -> list[Review]:
    """The decisions in files that the page saved; a person without a name is called as their file is.

    Raises DataError where a file is none, or two are of one person.
    """
    found: dict[str, Path] = {}
    reviews = []
    for path in paths:
        try:
            review = msgspec.json.decode(path.read_bytes(), type=Review)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise DataError(f"is no saved review ({error})", file=str(path)) from None
        name = review.reviewer.strip() or path.stem
        if name in found:
            raise DataError(f"is of {name}, as {found[name]} is: give the last file of each person", file=str(path))
        found[name] = path
        empty = next(
            (key for key, each in review.decisions.items() if each.verdict == "edit" and not each.text.strip()), ""
        )
        if empty:
            raise DataError("an edit has no words", file=str(path), path=f"$.decisions['{empty}'].text")
        reviews.append(Review(reviewer=name, decisions=review.decisions))
    return reviews


class Known(NamedTuple):
    """Reviews, and how many of their decisions are of nothing that is there."""

    reviews: list[Review]
    elsewhere: int
    outdated: int
    """The unit says something else by now."""


def of_units(reviews: Sequence[Review], prints: Mapping[str, str]) -> Known:
    """The reviews without decisions of units that are not there or say something else; `prints`: by name of a unit."""
    kept = []
    elsewhere = outdated = 0
    for review in reviews:
        there = {name: each for name, each in review.decisions.items() if name in prints}
        fresh = {name: each for name, each in there.items() if each.of in ("", prints[name])}
        elsewhere += len(review.decisions) - len(there)
        outdated += len(there) - len(fresh)
        kept.append(Review(reviewer=review.reviewer, decisions=fresh))
    return Known(kept, elsewhere, outdated)


def agreements(reviews: Sequence[Review]) -> list[Agreement]:
    """The agreement of every two people on the units that both decided."""
    out = []
    for one, other in combinations(reviews, 2):
        both = sorted(one.decisions.keys() & other.decisions.keys())
        pairs = [(one.decisions[name].verdict, other.decisions[name].verdict) for name in both]
        same = sum(a == b for a, b in pairs) / len(pairs) if pairs else 0.0
        out.append(Agreement(one.reviewer, other.reviewer, len(pairs), same, kappa(pairs)))
    return out


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's kappa of pairs of verdicts; None where there are none, or chance alone agrees on all."""
    if not pairs:
        return None
    ones, others = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    chance = sum(ones[name] * others[name] for name in ones) / len(pairs) ** 2
    same = sum(one == other for one, other in pairs) / len(pairs)
    return (same - chance) / (1 - chance) if chance < 1 else None


def settle(reviews: Sequence[Review]) -> dict[str, Decision]:
    """What most people say of each unit; where there is no most, it stays as it is and is left out.

    Two edits are the same where they have the same words.
    """
    votes: dict[str, list[Decision]] = {}
    for review in reviews:
        for name, decision in review.decisions.items():
            votes.setdefault(name, []).append(decision)
    out = {}
    for name, given in votes.items():
        counted = Counter(map(_vote, given)).most_common()
        if len(counted) == 1 or counted[0][1] > counted[1][1]:
            out[name] = next(decision for decision in given if _vote(decision) == counted[0][0])
    return out


def _vote(decision: Decision) -> tuple[str, str, str]:
    edited = decision.verdict == "edit"
    return decision.verdict, decision.text.strip() if edited else "", decision.answer.strip() if edited else ""


def apply(sample: Sample, settled: Mapping[str, Decision]) -> Sample:
    """The sample without what was rejected and with what was edited.

    A question goes too of whose evidence something is rejected in each set that would do. A point that replaces a
    rejected one replaces nothing any more, and one that replaces an edited one has its new words.
    """
    made: Sample = json.loads(json.dumps(sample))
    gone: set[str] = set()
    now: dict[str, str] = {}
    for unit in list(units(made)):
        decision = settled.get(unit.name)
        if decision is None or decision.verdict == "accept":
            continue
        if unit.is_point:
            now[unit.text] = decision.text.strip() if decision.verdict == "edit" else ""
        if decision.verdict == "reject":
            unit.row["rejected"] = True
            gone |= {unit.row["memory_id"]} if unit.is_point else set()
            continue
        unit.row["memory_content" if unit.is_point else "question"] = decision.text.strip()
        if not unit.is_point and decision.answer.strip():
            unit.row["answer"] = decision.answer.strip()
    for holder in (*made["sessions"], *made.get("memory_points", ())):
        if "memory_points" in holder:
            kept = [each for each in holder["memory_points"] if not each.get("rejected")]
            holder["memory_points"] = [_replacing(each, now) for each in kept]
    stops = made.get("qa_checkpoints", [])
    for stop in stops:
        stop["questions"] = [left for each in stop["questions"] for left in _left(each, gone)]
    made["qa_checkpoints"] = [stop for stop in stops if stop["questions"]]
    return made


def _replacing(point: dict[str, Any], now: Mapping[str, str]) -> dict[str, Any]:
    """The point with the new words of what it replaces: none for what was rejected."""
    old = point.get("original_memories")
    if not isinstance(old, list) or not any(text in now for text in old):
        return point
    left = [now.get(text, text) for text in old if now.get(text, text)]
    return {**point, "original_memories": left, "is_update": point["is_update"] if left else "False"}


def _left(question: dict[str, Any], gone: set[str]) -> Iterator[dict[str, Any]]:
    """The question with those sets of its evidence of which nothing is `gone`; none where it was rejected, or no set is
    left."""
    sets = [question.get("evidence") or [], *(question.get("evidence_alternatives") or ())]
    left = [some for some in sets if not any(each.get("memory_id", "") in gone for each in some)]
    if question.get("rejected") or not left:
        return
    if len(sets) > 1:
        question = {**question, "evidence": left[0], "evidence_alternatives": left[1:]}
    yield question
