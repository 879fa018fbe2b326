"""Checks that hold for any data set, whoever made it: points are told, updates form chains, nothing is asked too early,
ids lead somewhere.

They look at samples as they were loaded and refuse nothing. What they find is a matter of quality: a question whose
evidence comes too late, a gold fact of which no turn of its session has the names and numbers. A package that knows
more of a data set brings checks of its own: `memarena.data_checks`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, permutations
from typing import TYPE_CHECKING

from memarena.records import Finding

if TYPE_CHECKING:
    from memarena.protocols import Opened
    from memarena.records import GoldPoint, Question, Sample, Session

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"\b[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")

APPENDED = "append"
"""The kind of update that leaves what was told before as it is."""

CHECKS: Mapping[str, str] = {
    "V1": "gold is told: the names and numbers of a point stand in its session, or a picture is there",
    "V4": "updates form chains: what an update replaces was told before, and is something else",
    "V7": "nothing is asked too early: evidence was told by the session after which a question is asked",
    "V10": "ids lead somewhere and are there once, and so is a question at its checkpoint",
}
"""What each check says, by the name of the builder's validator that does the same."""
BROUGHT = "memarena.data_checks"
"""The entry-point group of checks: functions of what was opened and of one of its samples, which yield findings."""
OF_A_BUILD: Mapping[str, str] = {
    "V2": "captions are neutral: each picture is there, and its caption gives none of its values away",
    "V3": "what is to be refused can be told from what is so, and is not so",
    "V5": "evidence is minimal: it yields the answer, and less of it does not",
    "V6": "the answer is one: it is what was told, and none that was right once",
    "V8": "what only a picture tells is nowhere in words, and what words tell is there",
    "V9": "a session is as large as it was ordered",
    "V11": "questions that cannot be answered have twins that can, and not every picture is the newest",
}
"""The same of the checks that take the log of how a data set was built."""


def check_all(opened: Opened, sample: Sample) -> Iterator[Finding]:
    """What is odd in a sample of `opened` by these checks and by those that packages bring, of one code and place
    once. Those of packages see the whole data set where `opened` is some of its samples."""
    from memarena.catalog import entries
    from memarena.datasets import Selection

    whole = opened.whole if isinstance(opened, Selection) else opened
    told: set[tuple[str, str]] = set()
    for found in (check(sample), *(row.load()(whole, sample) for row in entries(BROUGHT))):
        here = [finding for finding in found if (finding.code, finding.path) not in told]
        told |= {(finding.code, finding.path) for finding in here}
        yield from here


def check(sample: Sample) -> Iterator[Finding]:
    """What is odd in a sample, in the order of the checks; the path names the unit."""
    yield from points_are_told(sample)
    yield from updates_are_chains(sample)
    yield from nothing_is_asked_early(sample)
    yield from ids_lead_somewhere(sample)


def marks(text: str) -> frozenset[str]:
    """The names and numbers of a text, by which it can be told from others; numbers without separators. A single word
    that begins a sentence is no name."""
    numbers = {_plain(found) for found in _NUMBER.findall(text)}
    names = {_plain(found[0]).removesuffix("'s") for found in _NAME.finditer(text) if not _only_begins(text, found)}
    return frozenset(numbers | names)


def _only_begins(text: str, found: re.Match[str]) -> bool:
    before = text[: found.start()].rstrip()
    return " " not in found[0] and (not before or before[-1] in ".!?")


def points_are_told(sample: Sample) -> Iterator[Finding]:
    """V1: the marks of a point stand in the turns up to the end of its session, of a name of several words one of them
    at least; where a picture of the session may show it, nothing is said."""
    told = ""
    for session in sample.sessions:
        told += _plain("\n".join(f"{turn.time or ''} {turn.text}" for turn in session.turns)) + "\n"
        for point in session.points:
            if _may_be_shown(point, session):
                continue
            missing = sorted(mark for mark in marks(point.content) if not any(word in told for word in mark.split()))
            if missing:
                yield _odd(
                    sample, "V1", point.memory_id, f"no turn up to {session.session_id} has {', '.join(missing)}"
                )


def _may_be_shown(point: GoldPoint, session: Session) -> bool:
    return point.modality in ("visual", "mixed") or any(turn.attachments for turn in session.turns)


def updates_are_chains(sample: Sample) -> Iterator[Finding]:
    """V4: an update replaces the text of a point of an earlier place, and not itself; one that adds to what is there
    replaces nothing."""
    told: set[str] = set()
    for session in sample.sessions:
        for point in session.points:
            for old in point.replaces:
                if old == point.content:
                    yield _odd(sample, "V4", point.memory_id, "replaces itself")
                elif old not in told:
                    yield _odd(sample, "V4", point.memory_id, "replaces what no point before it says")
            adds = point.update_type.lower() == APPENDED
            if point.kind == "update" and not (point.replaces or adds):
                yield _odd(sample, "V4", point.memory_id, "an update that replaces nothing")
            if point.kind != "interference":
                told.add(point.content)


def nothing_is_asked_early(sample: Sample) -> Iterator[Finding]:
    """V7: the session of each piece of evidence comes no later than that after which the question is asked."""
    places = {session.session_id: place for place, session in enumerate(sample.sessions)}
    for checkpoint in sample.checkpoints:
        end = places.get(checkpoint.after_session or "", len(places))
        for question in checkpoint.questions:
            for item in chain.from_iterable(question.evidence_sets):
                if item.session_id is not None and places.get(item.session_id, end) > end:
                    message = f"{item.evidence_id} is told in {item.session_id}, after {checkpoint.after_session}"
                    yield _odd(sample, "V7", question.question_id, message)


def ids_lead_somewhere(sample: Sample) -> Iterator[Finding]:
    """V10: ids are there once, evidence and checkpoints lead to what is there, a question that can be answered has
    evidence. Where no question of a sample has any, which some data sets never name, that is said once."""
    yield from _repeated(sample)
    asked = [question for checkpoint in sample.checkpoints for question in checkpoint.questions]
    some = any(question.evidence for question in asked) or not any(question.answerable for question in asked)
    bare = len(asked) > 1 and not some
    if bare:
        yield _odd(sample, "V10", sample.sample_id, f"none of its {len(asked)} questions has evidence")
    names = {session.session_id for session in sample.sessions}
    for checkpoint in sample.checkpoints:
        for name in checkpoint.covered:
            if name not in names:
                yield _odd(sample, "V10", checkpoint.checkpoint_id, f"covers {name}, which is not there")
        first: dict[tuple[str, ...], str] = {}
        for question in checkpoint.questions:
            other = first.setdefault(_asks(question), question.question_id)
            if other != question.question_id:
                yield _odd(sample, "V10", question.question_id, f"asks the same as {other}")
            if not bare:
                yield from _evidence(sample, question)


def _asks(question: Question) -> tuple[str, ...]:
    """What is asked: the same words about other pictures are another question."""
    pictures = [part for each in question.attachments for part in (each.path or "", each.image_id, each.caption_full)]
    return (question.text, question.time or "", *pictures)


def _repeated(sample: Sample) -> Iterator[Finding]:
    turns = [turn for session in sample.sessions for turn in session.turns]
    ids = {
        "session": [session.session_id for session in sample.sessions],
        "turn": [turn.turn_id for turn in turns],
        "picture": [each.image_id for turn in turns for each in turn.attachments if each.image_id],
        "point": [point.memory_id for session in sample.sessions for point in session.points],
        "question": [each.question_id for stop in sample.checkpoints for each in stop.questions],
    }
    for kind, found in ids.items():
        for name, number in Counter(found).items():
            if number > 1:
                yield _odd(sample, "V10", name, f"{number} times the id of a {kind}")


def _evidence(sample: Sample, question: Question) -> Iterator[Finding]:
    for item in chain.from_iterable(question.evidence_sets):
        if item.content is None:
            yield _odd(sample, "V10", question.question_id, f"its evidence {item.evidence_id} is not there")
    if question.answerable and not question.evidence:
        yield _odd(sample, "V10", question.question_id, "can be answered and has no evidence")
    named = [frozenset(item.evidence_id for item in some) for some in question.evidence_sets]
    if len(named) > 1 and any(one <= other for one, other in permutations(named, 2)):
        yield _odd(sample, "V10", question.question_id, "one set of its evidence holds another")


def _plain(text: str) -> str:
    """Lower case, numbers without separators of thousands."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", text.lower())


def _odd(sample: Sample, check_name: str, unit: str, message: str) -> Finding:
    return Finding(code=check_name, level="note", message=message, file=sample.sample_id, path=unit)
