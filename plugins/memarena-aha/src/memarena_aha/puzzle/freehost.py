"""The host of free questions: finds which claims a text is about, by words alone, and says the same each time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memarena_aha.puzzle.classes import (
    CHECK,
    CHECK_QUESTIONS,
    MORE_CHECK_QUESTIONS,
    STORY,
    TEMPLATES,
    Form,
    values_of,
    words_of,
)
from memarena_aha.puzzle.graph import Answer, Graph
from memarena_aha.puzzle.schema import Label, Puzzle, Words
from memarena_aha.puzzle.vocabulary import ATTITUDES, FUNCTION, GUESSES, NEGATIONS, SKIPPED
from memarena_aha.puzzle.words import Found, Pattern, Token, compile_words, denials, find, forms, plain_words, tokenize

__all__ = ["LONGEST", "UNCLEAR", "Claim", "FreeHost", "claims_of", "first_question"]

LONGEST = 200
"""Characters of a question that are read."""
UNCLEAR = Answer("unclear")
_ENOUGH = 0.5
"""Share of the words of a question that must be known for an answer of "irrelevant"."""
_AUXILIARY = "is|are|was|were|do|does|did|has|have|had|can|could|will|would"
_AUXILIARIES = frozenset(_AUXILIARY.split("|"))
_SENTENCE = re.compile(r"[.!;:\n]+\s*")
_SECOND = re.compile(
    r",?\s+(?:and|or|but)\s+(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b.*", re.I
)
_TAG = re.compile(
    r"\bor not\b|\bnot only\b|\bno longer\b"
    r"|,\s*(?:right|correct|yes|no|huh|yeah|ok|okay|or what|(?:is|are|was|were|do|does|did)n'?t \w+)\s*$",
    re.I,
)
"""What asks nothing by itself."""
_BEFORE = re.compile(
    r"^\s*(?:(?:ok|okay|so|hm+|well|wait|and|but|i think|i guess|i suppose|my guess is|let me guess|maybe|perhaps"
    r"|(?:could|can|may|might) it be|is it possible|is it true|is it right|is it the case|is it correct|am i right"
    r"|do you mean|does that mean|would you say)\b[\s,:]*(?:that\b\s*)?)+",
    re.I,
)
"""What people say before their question."""
_PRONOUNS = frozenset(("he", "him", "his", "she", "her", "they", "them", "it"))
_OPPOSITE = {"yes": "no", "no": "yes"}
_SHORT = {"who": "who", "what": "what", "where": "where"}


def first_question(text: str) -> str:
    """The first question of a text: what stands before its first question mark, without sentences before it."""
    before, _, _ = text[:LONGEST].partition("?")
    sentences = [sentence for sentence in _SENTENCE.split(before) if sentence.strip()]
    question = sentences[-1] if sentences else ""
    return _SECOND.sub("", question) if _SECOND.search(question, 1) else question


class Claim(NamedTuple):
    """Words, and the answer to a question that has them."""

    pattern: Pattern
    unless: Pattern | None
    answer: Answer
    denies: bool = False
    """The words state the opposite of a key fact."""
    states: bool = True
    """An explanation with the words states the fact."""
    about: Pattern | None = None
    """What a sentence of an explanation must have besides."""


class _Denied(NamedTuple):
    """The negations of a question: the places that each reaches; and the places of words like `know` and `fear`."""

    reaches: Sequence[frozenset[int]]
    attitudes: frozenset[int]


def claims_of(graph: Graph) -> list[Claim]:
    """All claims of a puzzle that have words. Raises ValueError for words that cannot be looked for."""
    puzzle = graph.puzzle
    found: list[Claim] = []
    for fact in puzzle.key:
        hit = Answer("yes", fact.id, (fact.id,))
        about = compile_words(fact.about, graph.entities) if fact.about else None
        said = _claims(graph, fact.say, fact.unless, hit)
        denied = _claims(graph, fact.deny, fact.unless, hit._replace(label="no"))
        found += [claim._replace(about=about) for claim in said]
        found += [claim._replace(states=False) for claim in _claims(graph, fact.asks, fact.unless, hit)]
        found += [claim._replace(about=about, denies=True) for claim in denied]
    kinds: tuple[tuple[str, Label], ...] = (("support", "yes"), ("distractor", "no"), ("noise", "irrelevant"))
    for (name, label), facts in zip(kinds, (puzzle.support, puzzle.distractors, puzzle.noise), strict=True):
        for number, row in enumerate(facts, 1):
            words = row.say or _words_of(row.ask)
            found += _claims(graph, words, row.unless, Answer(label, f"{name} {number}"))
    return found


def _claims(graph: Graph, words: Words, unless: str, answer: Answer) -> Iterator[Claim]:
    void = compile_words(unless, graph.entities) if unless else None
    for conjunction in (words,) if isinstance(words, str) else words:
        if conjunction:
            yield Claim(compile_words(conjunction, graph.entities), void, answer)


def _words_of(ask: str) -> str:
    """The words for the value of a structured question."""
    template, *_, value = ask.split() or ("", "")
    return words_of(template, value) if ask else ""


class FreeHost:
    """Answers free questions about one puzzle."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.claims = claims_of(graph)
        self._checks = {tuple(_content(text)[1]): check for check, text in _CHECK_WORDS}
        self._names = {name: compile_words(f"@{name}", graph.entities) for name in graph.entities}
        self._surface = frozenset().union(*(forms(word) for word in tokenize(graph.puzzle.surface)))
        self.words = self._words()
        """The forms of all words of the puzzle: what its claims state, its entities, texts and expert's questions."""
        patterns = [*(claim.pattern for claim in self.claims), *_TERMS.values(), *_GUESSES]
        self._known = self.words.union(*map(_forms_of, patterns))
        texts = [*_texts(graph.puzzle), *(fact.text for fact in graph.puzzle.support)]
        told = [[forms(word) for word in tokenize(text)] for text in texts]
        self._false = [pattern for pattern in _GUESSES if not any(find(pattern, tokens) for tokens in told)]

    def ask(self, text: str) -> Answer:
        """The answer to the first question of `text`: yes, no, irrelevant, unclear, or the minimal answer to a who,
        what, where or how many."""
        words, content = _content(text)
        check = self._checks.get(tuple(content))
        if check:
            return self.graph.ask(check, STORY, CHECK)
        tokens = [forms(word) for word in content]
        if words and words[0] in (*_SHORT, "how", "why", "when", "which", "whose", "whom"):
            return self._short(words, tokens)
        thought = (place for place, token in enumerate(tokens) if not token.isdisjoint(_ATTITUDES))
        denied = _Denied(denials(content), frozenset(thought))
        found = self._best(tokens, denied) or self._by_class(words, tokens, denied) or self._guessed(tokens, denied)
        return found or self._unknown(content, tokens)

    def _best(self, tokens: list[Token], denied: _Denied) -> Answer | None:
        """The answer of the claims that are found best, at last by words that the story has not; unclear where the best
        disagree."""
        ranked = []
        for claim in self.claims:
            found = find(claim.pattern, tokens)
            if found and not (claim.unless and find(claim.unless, tokens)):
                fresh = sum(tokens[place].isdisjoint(self._surface) for place in found.places)
                ranked.append(((*_weight(found), fresh), _turned(claim.answer, denied, found.core)))
        if not ranked:
            return None
        most = max(weight for weight, _ in ranked)
        return _agreed(answer for weight, answer in ranked if weight == most)

    def _by_class(self, words: list[str], tokens: list[Token], denied: _Denied) -> Answer | None:
        """The answer of the table where a question names an entity and a term of the classes.

        Where it says no more than `he` or `it`, all entities are asked, and must agree.
        """
        terms = [form for form, pattern in _TERMS.items() if find(pattern, tokens)]
        named = [name for name, pattern in self._names.items() if find(pattern, tokens)]
        if not named and not _PRONOUNS.isdisjoint(words):
            named = list(self._names)
        answers = [self.graph.table.get(Form(template, name, term)) for name in named for template, term in terms]
        everywhere = frozenset(range(len(tokens)))
        return _agreed(_turned(answer, denied, everywhere) for answer in answers if answer)

    def _guessed(self, tokens: list[Token], denied: _Denied) -> Answer | None:
        """No, where a question is about what people always guess at, and the puzzle has none of its words."""
        answer = Answer("no", "guess")
        found = (find(pattern, tokens) for pattern in self._false)
        return _agreed(_turned(answer, denied, one.core) for one in found if one)

    def _short(self, words: list[str], tokens: list[Token]) -> Answer:
        word = "how_many" if words[:2] == ["how", "many"] else _SHORT.get(words[0], "")
        for name, pattern in self._names.items():
            if word and (word, name) in self.graph.shorts and find(pattern, tokens):
                return self.graph.ask_short(word, name)
        return UNCLEAR

    def _unknown(self, content: list[str], tokens: list[Token]) -> Answer:
        said = [
            token for word, token in zip(content, tokens, strict=True) if word not in FUNCTION and word not in NEGATIONS
        ]
        known = sum(not token.isdisjoint(self._known) for token in said)
        return Answer("irrelevant") if said and known / len(said) >= _ENOUGH else UNCLEAR

    def _words(self) -> Token:
        puzzle = self.graph.puzzle
        patterns = [*(claim.pattern for claim in self.claims if claim.states), *self._names.values()]
        told = (forms(word) for text in _texts(puzzle) for word in tokenize(text))
        return frozenset().union(*(_forms_of(pattern) for pattern in patterns), *told)


def _texts(puzzle: Puzzle) -> list[str]:
    """What a puzzle tells of its solution."""
    facts = [fact.text for fact in puzzle.key]
    return [puzzle.surface, puzzle.solution, *facts, *(asked.text for asked in puzzle.trace)]


def _forms_of(pattern: Pattern) -> Token:
    return frozenset().union(*(token for group in pattern.groups for phrase in group for token in phrase))


def _content(text: str) -> tuple[list[str], list[str]]:
    """All words of the question in a text, and those that can be looked for; "isn't it" asks what "is it" asks."""
    words = plain_words(_TAG.sub(" ", _BEFORE.sub("", first_question(text))))
    if len(words) > 1 and words[0] in _AUXILIARIES and words[1] == "not":
        words.pop(1)
    return words, [word for word in words if word not in SKIPPED]


def _weight(found: Found) -> tuple[int, int]:
    return found.groups, len(found.places)


def _turned(answer: Answer, denied: _Denied, places: frozenset[int]) -> Answer:
    """The answer, turned round by each negation that reaches one of `places`.

    What is known or feared keeps its negations to itself: whether he knows that it is not real is about knowing.
    """
    known = [place for place in denied.attitudes if place in places]
    reaching = [reach for reach in denied.reaches if not reach.isdisjoint(places)]
    odd = sum(all(min(reach) <= place for place in known) for reach in reaching) % 2
    return answer._replace(label=_OPPOSITE.get(answer.label, answer.label)) if odd else answer


def _agreed(answers: Iterable[Answer]) -> Answer | None:
    """The first of answers that all say the same; unclear where they do not; None where there are none."""
    there = list(answers)
    if not there:
        return None
    return there[0] if len({answer.label for answer in there}) == 1 else UNCLEAR


_TERMS = {
    (template, value): compile_words(words_of(template, value), {})
    for template in TEMPLATES
    for value in values_of(template)
}
_ATTITUDES: Token = frozenset().union(*map(forms, ATTITUDES))
_GUESSES = [compile_words(words, {}) for words in GUESSES]
_CHECK_WORDS = [
    *CHECK_QUESTIONS.items(),
    *((check, text) for check, texts in MORE_CHECK_QUESTIONS.items() for text in texts),
]
