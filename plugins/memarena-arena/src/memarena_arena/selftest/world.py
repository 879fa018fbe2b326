"""What a perfect memory of a sample would know: its gold as facts, session by session."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memarena.memory import whole_text
from memarena.records import Attachment, Evidence, GoldPoint, Question, Sample, Session

CAPTION_TELLS = 0.8
"""Share of a fact's words from which a caption tells it."""
AGAINST = 0.5
"""Share of the words of a trap from which it speaks against a fact, where the data set does not say against which."""

_IDLE = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "by",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "he",
        "her",
        "his",
        "i",
        "in",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "s",
        "she",
        "that",
        "the",
        "their",
        "they",
        "this",
        "to",
        "was",
        "were",
        "will",
        "with",
    ]
)
_DENIALS = frozenset(["no", "not", "never", "longer", "none", "neither", "nor", "without", "stopped", "any"])
_WORD = re.compile(r"\w+(?:[:.,'-]\w+)*")
_YES_NO = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)


class Fact(NamedTuple):
    """One thing to be known."""

    key: str
    """Its content, or the id of a picture."""
    text: str
    session: int
    """Place of the session that tells it."""
    replaces: tuple[str, ...] = ()
    """Keys of the facts that it supersedes."""
    picture: Attachment | None = None
    kind: str = ""
    """`new` or `update`; "" where it is no gold point but evidence alone."""
    shown_in: str = ""
    """Key of the picture whose caption tells it, in the same session."""


class World:
    """The facts of one sample, and its questions."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        self.told: tuple[tuple[Fact, ...], ...] = tuple(map(_with_pictures, _facts(sample)))
        """By session; what a picture shows is told by it."""
        self.facts: Mapping[str, Fact] = {fact.key: fact for facts in reversed(self.told) for fact in facts}
        """By key; of a fact that is told twice, its first telling."""
        self.questions: Mapping[str, Question] = {
            question.question_id: question for stop in sample.checkpoints for question in stop.questions
        }
        self._asked: dict[tuple[str | None, str], list[Question]] = {}
        for stop in sample.checkpoints:
            for question in stop.questions:
                self._asked.setdefault((stop.after_session, question.text), []).append(question)
        self._over = tuple(_superseded(self.told))
        self._words = {key: _content_words(fact.text) for key, fact in self.facts.items()}
        self._retells = {key: self._told_by(fact) for key, fact in self.facts.items()}

    def asked(self, session: int, text: str) -> Sequence[Question]:
        """The questions with this text after the session at this place, in order."""
        return self._asked[self.sample.sessions[session].session_id, text]

    def follows(self, question: Question) -> bool:
        """Whether it can be known where a question is lost: it has evidence that some session tells, or no answer."""
        wanted = self.evidence(question)
        return not question.answerable or (bool(wanted) and all(key in self.facts for key in wanted))

    def evidence(self, question: Question) -> tuple[str, ...]:
        """The keys of the facts on which a question rests, of those that have a content."""
        return tuple(dict.fromkeys(key_of(point) for point in question.evidence if point.content))

    def tells(self, key: str) -> frozenset[str]:
        """The fact itself, and those that begin like it and all of whose words it has."""
        return self._retells[key]

    def over(self, session: int) -> frozenset[str]:
        """The facts that are superseded after the session at this place."""
        return self._over[session]

    def traps(self, session: int) -> tuple[GoldPoint, ...]:
        """The interference of the sessions up to this place."""
        sessions = self.sample.sessions[: session + 1]
        return tuple(point for each in sessions for point in each.gold("interference"))

    def against(self, trap: GoldPoint, session: int) -> str | None:
        """The fact, true after the session at this place, that a trap speaks against; None where there is none."""
        over = self.over(session)
        told = [fact.key for facts in self.told[: session + 1] for fact in facts if fact.picture is None]
        true = [key for key in dict.fromkeys(told) if key not in over and key != trap.content]
        if trap.replaces:
            return next((key for key in true if key in trap.replaces), None)
        words = _content_words(trap.content)
        shared = {key: len(words & self._words[key]) for key in true}
        best = max(true, key=lambda key: (shared[key], key), default=None)
        return best if best is not None and shared[best] >= AGAINST * len(words) else None

    def rivals(self, question: Question) -> tuple[str, ...]:
        """The superseded versions of a question's evidence that are no evidence themselves, newest first."""
        own = set(self.evidence(question))
        found = [
            old for key in own if key in self.facts for old in self.facts[key].replaces if old not in own
        ]  # fmt: skip
        return tuple(sorted(found, key=lambda key: (-self.facts[key].session if key in self.facts else 0, key)))

    def near(self, question: Question, keys: Iterable[str]) -> list[str]:
        """`keys`, those first that share most words with the question."""
        wanted = _content_words(question.text)
        return sorted(keys, key=lambda key: (-len(wanted & self._words.get(key, frozenset())), key))

    def is_right(self, question: Question, text: str) -> bool:
        """Whether a text that answers something else has all that the reference adds to the question."""
        own = _content_words(question.reference) - _content_words(question.text)
        return own <= _content_words(text)

    def _told_by(self, fact: Fact) -> frozenset[str]:
        if fact.picture is not None:
            return frozenset((fact.key,))
        words = self._words[fact.key]
        return frozenset(
            key
            for key, wanted in self._words.items()
            if wanted <= words and _first(key) == _first(fact.key) and (wanted & _DENIALS) == (words & _DENIALS)
        )


def tells_caption(picture: Attachment, text: str) -> bool:
    """Whether the caption of a picture has most of the words of a text."""
    wanted = _content_words(text)
    return len(wanted & _content_words(picture.caption_full or picture.caption)) >= CAPTION_TELLS * len(wanted)


def _superseded(told: Iterable[tuple[Fact, ...]]) -> Iterable[frozenset[str]]:
    """After each session, the facts that it or an earlier one replaced and that were not told again."""
    last: dict[str, int] = {}
    gone: dict[str, int] = {}
    for at, facts in enumerate(told):
        for fact in facts:
            last[fact.key] = at
            gone.update(dict.fromkeys(fact.replaces, at))
        yield frozenset(key for key, when in gone.items() if key in last and last[key] < when)


def key_of(point: Evidence) -> str:
    """The key of the fact that a piece of evidence is."""
    return point.image_id or point.content or ""


def says_yes(reference: str) -> bool | None:
    """Whether a reference answers yes; None where it is no answer to a yes-or-no question."""
    found = _YES_NO.match(reference)
    return None if found is None else found[1].lower() == "yes"


def _facts(sample: Sample) -> Iterable[tuple[Fact, ...]]:
    evidence = [point for stop in sample.checkpoints for question in stop.questions for point in question.evidence]
    contents = {point.content for session in sample.sessions for point in session.points}
    pictures = {point.image_id for point in evidence if point.image_id}
    for at, session in enumerate(sample.sessions):
        facts = [
            Fact(point.content, point.content, at, point.replaces, kind=point.kind)
            for point in session.points
            if point.kind != "interference"
        ]
        facts += [
            Fact(picture.image_id, whole_text("", (_captioned(picture),)), at, picture=picture)
            for picture in _pictures(session)
            if picture.image_id in pictures
        ]
        others = {
            point.content: Fact(point.content, point.content, at)
            for point in evidence
            if point.session_id == session.session_id and point.content and not point.image_id
            if point.content not in contents
        }
        yield (*facts, *others.values())


def _with_pictures(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    pictures = [(fact.key, fact.picture) for fact in facts if fact.picture is not None]
    return tuple(
        fact
        if fact.picture is not None
        else fact._replace(shown_in=next((key for key, each in pictures if tells_caption(each, fact.text)), ""))
        for fact in facts
    )


def _first(text: str) -> str:
    return text.split(maxsplit=1)[0]


def _pictures(session: Session) -> Sequence[Attachment]:
    return tuple({picture.image_id: picture for turn in session.turns for picture in turn.attachments}.values())


def _captioned(picture: Attachment) -> Attachment:
    return Attachment(image_id=picture.image_id, caption=picture.caption_full or picture.caption)


def _content_words(text: str) -> frozenset[str]:
    """Words in lower case; a time, an id or a number with marks in it is one word."""
    return frozenset(word.removesuffix("'s") for word in _WORD.findall(text.lower())) - _IDLE
