"""Where a question goes, by rule: deterministic, and without a model."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import Literal, NamedTuple

from memarena_rag.tokens import tokenize

Route = Literal["none", "turn", "session", "picture"]
ROUTES: tuple[Route, ...] = ("none", "turn", "session", "picture")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SEEN = _words(
    "appearance color colored colors colour coloured colours depicted icon image images logo painting photo photograph "
    "photographs photos picture pictures poster screenshot screenshots selfie visible wearing"
)
_LOOKS = re.compile(
    r"\blooks? like\b|\blook(?:s|ed|ing)? in the\b|\bshown in\b|\b(?:can|could) be seen\b|\bseen in\b", re.IGNORECASE
)
_MANY = _words(
    "across all altogether compare compared comparison difference differences every evolve evolved list often order "
    "overall overview several steps summarise summarize summary timeline total"
)
_SEVERAL = re.compile(
    r"\bhow many\b|\bover (?:time|the (?:days|weeks|months|years))\b|\bboth\b.*\band\b|\bchanged? (?:since|between)\b|"
    r"\b(?:what|which) (?:are|were|have|things|kinds?|types?|books|places|countries|cities)\b",
    re.IGNORECASE,
)
_PLEASANTRIES = _words(
    "bye evening good goodbye hello hey hi morning night ok okay please sure thank thanks there welcome you"
)


class Routed(NamedTuple):
    """A route, and what it was chosen for."""

    route: Route
    why: str


def route_by_rule(question: str, *, pictured: bool) -> Routed:
    """The corpus for `question`; `pictured`: a picture comes with it.

    A picture, or a word about what can be seen: pictures. A word that asks for several facts: sessions. Nothing but
    pleasantries: none. Everything else: turns.
    """
    words = tokenize(question)
    if pictured:
        return Routed("picture", "a picture comes with the question")
    if not any(word not in _PLEASANTRIES for word in words):
        return Routed("none", "nothing is asked")
    if seen := _first(words, question, _SEEN, _LOOKS):
        return Routed("picture", seen)
    if many := _first(words, question, _MANY, _SEVERAL):
        return Routed("session", many)
    return Routed("turn", "nothing asks for pictures or for several facts")


def _first(words: Sequence[str], question: str, named: Set[str], expression: re.Pattern[str]) -> str:
    """The first of the named words, else what the expression finds; "" where there is neither."""
    word = next((word for word in words if word in named), "")
    if word:
        return word
    found = expression.search(question)
    return found.group().casefold() if found else ""
