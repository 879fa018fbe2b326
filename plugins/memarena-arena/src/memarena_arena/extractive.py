"""The embedded answerer: picks sentences of the shown items and composes the answer from them, by rules."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from memarena.records import NOT_MENTIONED, Answer, AskedQuestion, Record, Shown, ShownItem
from memarena_arena import phrases, reckoning
from memarena_arena.language.documents import Document
from memarena_arena.language.lines import ROLES
from memarena_arena.language.questions import Kind, Query, query
from memarena_arena.language.words import stem
from memarena_arena.passages import Passage, asks, rank
from memarena_arena.threads import threads

FEW, MANY = 10, 300
"""Numbers of sentences shown, between which the support that is needed rises."""

UNHEARD_OF = 20
"""Sentences shown above which it says something that most words of a question are in none."""
RIVAL_PRESENT = 0.9
"""Share of the best score from which a newer sentence is taken instead, where a question in the present tense asks for
anything else than an amount or a place."""

_EITHER = re.compile(r"([^\W\d_]+) or ([^\W\d_]+)\W*$")


class ExtractiveOptions(Record, frozen=True, kw_only=True):
    """Settings of `extractive`."""

    support: float = 0.15
    """Share of the question's words, the rare ones weighing more, that a sentence and its neighbours must have where
    few sentences are shown."""
    support_among_many: float = 0.5
    """The same where many are shown: the more there are, the more of them share words with a question by chance."""
    words: int = 32
    """Words above which a sentence is cut to its clauses around the question's words."""
    parts: int = 4
    """Sentences that make up the answer to a question for several things, at most."""
    rival: float = 0.75
    """Share of the best score from which another sentence is taken besides the best, or instead, where it is newer."""
    rival_now: float = 0.4
    """The same where the question asks for how things are now."""


class ExtractiveAnswerer:
    """Answers from the sentences that share most with the question; abstains where none shares enough.

    Not a language model: it copies phrases, resolves dates that hang on the day of a line, prefers what is newer,
    and knows nothing that is not shown.
    """

    name = "extractive"
    revision = 1
    Options = ExtractiveOptions

    def __init__(self, options: ExtractiveOptions | None = None) -> None:
        self._options = options or ExtractiveOptions()

    def answer(self, asked: AskedQuestion, shown: Shown) -> Answer:
        """Answer from `shown` alone, or with the sentence by which a system abstains."""
        question = query(asked.text)
        read = threads([item.text for item in shown.items])
        texts = [thread.text for thread in read]

        def source(passage: Passage) -> ShownItem:
            return shown.items[read[passage.item].items[passage.text.places[passage.place]]]

        sentences = sum(len(text.statements) for text in texts)
        floor = self._floor(sentences)
        ranked = [] if sentences > UNHEARD_OF and _unheard_of(question, texts) else rank(question, texts)
        good = [passage for passage in ranked if passage.covered >= floor]
        reckoned = reckoning.distance(question, texts, floor) if question.kind is Kind.APART else None
        if reckoned is None and question.kind is Kind.CHANGE and good:
            reckoned = reckoning.history(question, good)
        begun = [thread.began for thread in read]
        good = self._by_time(question, good, ranked, begun) if good else good
        text, used = reckoned or (self._compose(question, good, source) if good else ("", ()))
        cited = tuple(dict.fromkeys(source(each).memory_id for each in used))
        return Answer(question_id=asked.question_id, text=text or NOT_MENTIONED, cited=cited if text else ())

    def _floor(self, sentences: int) -> float:
        """The share of the question's words that is enough, from `FEW` to `MANY` sentences by their logarithm."""
        place = (math.log(max(sentences, FEW)) - math.log(FEW)) / (math.log(MANY) - math.log(FEW))
        return self._options.support + min(place, 1.0) * (self._options.support_among_many - self._options.support)

    def _compose(
        self, question: Query, good: list[Passage], source: Callable[[Passage], ShownItem]
    ) -> tuple[str, Sequence[Passage]]:
        if question.kind is Kind.PICTURE:
            return _pictures(question, good, source)
        best = good[0]
        single = self._single(question, good)
        if single:
            return single, (best,)
        if question.kind is Kind.POLAR:
            return _polar(question, best), (best,)
        return self._sentences(question, good)

    def _by_time(
        self, question: Query, good: list[Passage], ranked: list[Passage], begun: Sequence[datetime]
    ) -> list[Passage]:
        """The newest of the sentences that are nearly as good as the best first, where how things are is asked for;
        the oldest, where an amount or a place at first is."""
        settled = question.late or question.kind in (Kind.AMOUNT, Kind.COUNT, Kind.WHERE)
        past = question.early and not question.late
        if question.kind in (Kind.PICTURE, Kind.POLAR) or (question.plural and not question.late):
            return good
        if not settled and (past or not question.present):
            return good
        share = self._options.rival_now if question.late else self._options.rival if settled else RIVAL_PRESENT
        best = good[0]
        rivals = [
            each
            for each in ranked
            if each.day
            and not asks(each.said)
            and each.own >= 0.4 * best.own
            and (each.score >= share * best.score or (question.present and each.own >= RIVAL_PRESENT * best.own > 0))
        ]
        if not rivals:
            return good
        rivals.sort(key=lambda each: (each.day, begun[each.item], each.item, each.place))
        chosen = rivals[0 if past else -1]
        stale = [each for each in rivals if question.late or _contradicts(chosen, each)]
        return [chosen, *(each for each in good if each is not chosen and each not in stale)]

    def _single(self, question: Query, good: Sequence[Passage]) -> str | None:
        """The phrase of the kind asked for, from the first good sentence that has one."""
        extract = _PHRASES.get(question.kind)
        if extract is None:
            return None
        floor = self._options.rival * good[0].score
        for passage in good:
            if passage.score < floor:
                break
            found = extract(question, passage)
            if found:
                return found
        return None

    def _sentences(self, question: Query, good: Sequence[Passage]) -> tuple[str, Sequence[Passage]]:
        most, floor = (self._options.parts, 0.5) if question.plural else (2, self._options.rival)
        used: list[Passage] = []
        for passage in good:
            if len(used) == most or passage.score < floor * good[0].score:
                break
            if any(each.turn_id == passage.turn_id and abs(each.place - passage.place) <= 2 for each in used):
                continue
            if not passage.said.keys <= question.keys and not passage.said.text.endswith("?"):
                used.append(passage)
        used = used or [good[0]]
        room = 2 * self._options.words // len(used) if len(used) > 1 else self._options.words
        return "; ".join(phrases.around(each, question.keys, max(room, 8)) for each in used), used


def _unheard_of(question: Query, texts: Sequence[Document]) -> bool:
    """Whether most of the question's words, names aside, stand nowhere."""
    words = question.keys - question.names
    absent = sum(all(word not in text.keys for text in texts) for word in words)
    return len(words) > 1 and 2 * absent > len(words)


def _who(question: Query, passage: Passage) -> str | None:
    return ", ".join(phrases.names(question, passage)) or _speaker(question, passage)


_PHRASES: Mapping[Kind, Callable[[Query, Passage], str | None]] = {
    Kind.WHEN: phrases.when,
    Kind.DURATION: lambda _, passage: phrases.duration(passage),
    Kind.APART: phrases.gap,
    Kind.OFTEN: lambda _, passage: phrases.often(passage),
    Kind.HOUR: phrases.hour,
    Kind.COUNT: phrases.number,
    Kind.AMOUNT: phrases.amount,
    Kind.WHERE: phrases.place,
    Kind.WHO: _who,
    Kind.WHY: lambda _, passage: phrases.reason(passage),
}
"""How the phrase of each kind is found in a sentence; the other kinds are answered by sentences."""


def _speaker(question: Query, passage: Passage) -> str | None:
    who = passage.line.speaker
    own = passage.text.speakers[passage.place]
    return who if own and not own & question.keys and passage.said.personal and who.lower() not in ROLES else None


def _contradicts(newest: Passage, other: Passage) -> bool:
    """Whether two sentences tell of the same with other values."""
    return bool(newest.said.values) and bool(other.said.values) and newest.said.values.isdisjoint(other.said.values)


def _polar(question: Query, passage: Passage) -> str:
    """Yes or no, or the one of two alternatives that the sentence holds."""
    if found := _EITHER.search(question.text):
        held = [word for word in found.groups() if stem(word.lower()) in passage.said.held]
        if len(held) == 1:
            return held[0]
    keys = question.keys - question.names
    return "No" if len(keys & passage.said.denied) * 2 > len(keys & passage.said.keys) else "Yes"


def _pictures(
    question: Query, good: Sequence[Passage], source: Callable[[Passage], ShownItem]
) -> tuple[str, Sequence[Passage]]:
    """The pictures beside the best sentences that have one; of several days the first or the last, where it is asked
    for."""
    found: dict[str, Passage] = {}
    for passage in good:
        image = passage.line.image_id or _next_picture(passage) or source(passage).image_id
        if image:
            found.setdefault(image, passage)
    best = max((each.score for each in found.values()), default=0.0)
    near = {image: each for image, each in found.items() if each.score >= 0.8 * best}
    days = [each.day for each in near.values() if each.day]
    if days and question.late != question.early:
        day = max(days) if question.late else min(days)
        near = {image: each for image, each in near.items() if each.day == day}
    return ", ".join(near), list(near.values())


def _next_picture(passage: Passage) -> str:
    number = passage.text.places[passage.place]
    for line in passage.text.lines[number + 1 :]:
        if line.image_id:
            return line.image_id
        if not line.is_caption:
            break
    return ""
