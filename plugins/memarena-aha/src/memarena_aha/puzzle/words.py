"""Words and how they are found: endings do not matter, small words are skipped, negations are understood."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from memarena_aha.puzzle.vocabulary import (
    CONDITIONAL,
    FACTIVE,
    FUNCTION,
    IRREGULAR,
    NEGATIONS,
    OUR,
    RESPELLED,
    SKIPPED,
    SYNONYMS,
)

__all__ = ["Found", "Pattern", "Token", "compile_words", "denials", "find", "forms", "plain_words", "tokenize"]

Token: TypeAlias = frozenset[str]
"""A word as all the forms it may come from."""

_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "`": "'", "\u02bc": "'"})
_CONTRACTIONS = (
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\b(is|are|was|were|do|does|did|has|have|had|could|would|should)nt\b"), r"\1 not"),
    (re.compile(r"\bcant\b"), "can not"),
    (re.compile(r"'\w{0,2}\b"), ""),
)
_AMERICAN = (
    (re.compile(r"(\w{3,})([iy])z(e|es|ed|er|ers|ing|ation)"), r"\1\2s\3"),
    (re.compile(rf"({'|'.join(OUR)})or(s|ed|ing|able|ite|ites|hood)?"), r"\1our\2"),
)
"""Spellings that stand for each other."""
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_SUFFIXES = ("ing", "ed", "es", "s", "ly")


def plain_words(text: str) -> list[str]:
    """The words of a text in lower case and one spelling, contractions written out, hyphens taken as spaces."""
    text = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).casefold()
    for pattern, written_out in _CONTRACTIONS:
        text = pattern.sub(written_out, text)
    return [_spelled(part) for word in _WORD.findall(text) for part in word.split("-")]


@lru_cache(maxsize=20_000)
def _spelled(word: str) -> str:
    for spelling, one in _AMERICAN:
        found = spelling.fullmatch(word)
        if found:
            return found.expand(one)
    return RESPELLED.get(word, word)


@lru_cache(maxsize=20_000)
def forms(word: str) -> Token:
    """The base forms that `word` may have and the marks of their synonyms: `waving` is waving, wav and wave."""
    base = IRREGULAR.get(word)
    found = {base} if base else {word, *_stems(word)}
    return frozenset(found | {SYNONYMS[form] for form in found if form in SYNONYMS})


def _stems(word: str) -> Iterable[str]:
    for suffix in _SUFFIXES:
        stem = word.removesuffix(suffix)
        if stem == word or len(stem) < 3 or (suffix == "s" and stem.endswith("s")):
            continue
        yield stem
        if suffix in ("ing", "ed"):
            yield stem + "e"
            if stem[-1] == stem[-2]:
                yield stem[:-1]
    if word.endswith(("ies", "ied")) and len(word) > 4:
        yield word[:-3] + "y"


def tokenize(text: str) -> list[str]:
    """The words of a text that can be looked for."""
    return [word for word in plain_words(text) if word not in SKIPPED]


class Pattern(NamedTuple):
    """Groups of alternatives, each a phrase: all groups must be found. `named`: which groups only name an entity."""

    groups: tuple[tuple[tuple[Token, ...], ...], ...]
    named: tuple[bool, ...]


class Found(NamedTuple):
    """Where a pattern was found: the places of all words, and of those that are more than the name of an entity."""

    places: frozenset[int]
    core: frozenset[int]
    groups: int


def compile_words(words: str, entities: Mapping[str, str]) -> Pattern:
    """The pattern that `words` describe. Raises ValueError where a group is empty or an entity is not known."""
    groups, named = [], []
    for group in words.split("&"):
        alternatives: list[tuple[Token, ...]] = []
        names = [alternative.strip() for alternative in group.split("|")]
        for name in names:
            if name.startswith("@"):
                if name[1:] not in entities:
                    raise ValueError(f"there is no entity {name[1:]!r}")
                alternatives += [_phrase(words) for words in entities[name[1:]].split("|")]
            else:
                alternatives.append(_phrase(name))
        groups.append(tuple(alternatives))
        named.append(all(name.startswith("@") for name in names))
    return Pattern(tuple(groups), tuple(named))


def _phrase(text: str) -> tuple[Token, ...]:
    words = [word + "*" * mark for word, mark in _marked(text)]
    if not words:
        raise ValueError(f"no word that can be looked for in {text!r}")
    return tuple(frozenset((word,)) if word.endswith("*") else forms(word) for word in words)


def _marked(text: str) -> Iterable[tuple[str, bool]]:
    for raw in text.split():
        for word in plain_words(raw):
            if word in NEGATIONS:
                raise ValueError(f"a negation cannot be looked for: {text!r}")
            if word not in SKIPPED:
                yield word, raw.endswith("*")


def find(pattern: Pattern, tokens: Sequence[Token]) -> Found | None:
    """Where `pattern` is found in `tokens`, each group at its first place; None where a group is missing."""
    places: set[int] = set()
    core: set[int] = set()
    for group, named in zip(pattern.groups, pattern.named, strict=True):
        hits = {place for phrase in group if (span := _first(phrase, tokens)) for place in span}
        if not hits:
            return None
        places |= hits
        if not named:
            core |= hits
    return Found(frozenset(places), frozenset(core or places), len(pattern.groups))


def denials(words: Sequence[str]) -> list[frozenset[int]]:
    """For each negation of a clause, the places of the words that it turns round.

    `no` reaches the next word that says something, the others the rest of the clause, or as far as a reason or a verb
    like `know`: "he does not know that it is fake" leaves `fake` as it is, "not because" reaches what follows.
    """
    found = []
    for place, word in enumerate(words):
        if word in CONDITIONAL and not (word == "because" and place <= 1):  # "is it because ..." asks what follows
            break
        if word not in NEGATIONS:
            continue
        after = range(place + 1, len(words))
        if word == "no":
            end = next((n for n in after if words[n] not in FUNCTION), len(words))
        else:
            reason = next((n for n in after if words[n] in CONDITIONAL and n > place + 1), len(words))
            known = next((n for n in after if not forms(words[n]).isdisjoint(FACTIVE)), len(words))
            end = min(reason - 1, known)
        found.append(frozenset(range(place + 1, end + 1)))
    return found


def _first(phrase: tuple[Token, ...], tokens: Sequence[Token]) -> tuple[int, ...]:
    """The places of `phrase`, whose words follow each other with at most one word between."""
    for start, token in enumerate(tokens):
        if not _same(phrase[0], token):
            continue
        places = [start]
        for wanted in phrase[1:]:
            following = range(places[-1] + 1, min(places[-1] + 3, len(tokens)))
            place = next((n for n in following if _same(wanted, tokens[n])), None)
            if place is None:
                break
            places.append(place)
        if len(places) == len(phrase):
            return tuple(places)
    return ()


def _same(wanted: Token, token: Token) -> bool:
    if len(wanted) == 1:
        (only,) = wanted
        if only.endswith("*"):
            return any(form.startswith(only[:-1]) for form in token)
    return not wanted.isdisjoint(token)
