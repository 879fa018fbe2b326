"""Reads an explanation in words: which facts it states, and what it claims although that is false."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memarena_aha.puzzle.freehost import Claim, FreeHost
from memarena_aha.puzzle.vocabulary import FUNCTION, NEGATIONS
from memarena_aha.puzzle.words import Found, Token, denials, find, forms, tokenize

__all__ = ["WORDS_READ", "read_explanation"]

WORDS_READ = 120
"""Words of an explanation that are read."""
_OF_THIS_STORY = 0.5
"""The share of a sentence's words that must occur in the puzzle, for the sentence to state anything of it."""
_SENTENCES = re.compile(r"[.!?\n]+")
_CLAUSES = re.compile(
    r"[,;:()\u2013\u2014]+|\b(?:but|since|so|whereas|although|though)\b|\b(?=(?:because|while|if|when|unless)\b)"
    r"|\band\b(?=\s+(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|he|she|they|it|that)\b)",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"[,;:()\u2013\u2014]+"
    r"|\b(?:but|since|so|whereas|although|though|because|while|and|which|who|where)\b",
    re.IGNORECASE,
)
"""Where a part of a sentence ends that may state something by itself."""
_LEAST = 2
"""Words of such a part."""
_UNTRUE = re.compile(r"\b(?:untrue|(?:false|wrong|incorrect) that|instead of|rather than)\b", re.IGNORECASE)
_ALSO = re.compile(r"\bnot only\b", re.IGNORECASE)


def read_explanation(host: FreeHost, text: str) -> tuple[set[str], set[str]]:
    """The key facts that some sentence states and none denies, and the false claims that are made.

    Only the first 120 words are read. "They are deaf, not asleep" states the one and denies the other. People write
    long sentences: so a part of one is read by itself as well, and what it states, the rest does not deny. A sentence
    of which most words are foreign to the puzzle states nothing: another story's solution is none of this one.
    """
    stated: set[str] = set()
    denied: set[str] = set()
    false: set[str] = set()
    for sentence in _SENTENCES.split(" ".join(text.split()[:WORDS_READ])):
        tokens, negated, share = _read(sentence, host.words)
        by_parts: set[str] = set()
        if share >= _OF_THIS_STORY:
            by_parts = by_parts.union(*(_stated(host, part) for part in _PARTS.split(sentence)))
        stated |= by_parts
        hits = _hits(host.claims, tokens)
        about_facts = [found.places for claim, found in hits if claim.answer.label != "no" or claim.denies]
        true_facts = [found.places for claim, found in hits if claim.answer.hits and _true(claim, found, negated)]
        for claim, found in hits:
            if _true(claim, found, negated):
                about = claim.about is None or find(claim.about, tokens) is not None
                if claim.answer.hits and about and share >= _OF_THIS_STORY:
                    stated.add(claim.answer.about)
            elif claim.answer.hits and claim.answer.about not in by_parts and not _within(found, true_facts):
                denied.add(claim.answer.about)
            elif claim.answer.label == "no" and not _within(found, about_facts):
                false.add(claim.answer.about)
    return stated - denied, false | (denied - stated)


def _stated(host: FreeHost, clause: str) -> set[str]:
    """The key facts that a part of a sentence states, whatever the rest of it is about."""
    tokens, negated, share = _read(clause, host.words)
    if share < _OF_THIS_STORY or len(tokens) < _LEAST:
        return set()
    return {
        claim.answer.about
        for claim, found in _hits(host.claims, tokens)
        if claim.answer.hits and _true(claim, found, negated) and (claim.about is None or find(claim.about, tokens))
    }


def _hits(claims: Sequence[Claim], tokens: Sequence[Token]) -> list[tuple[Claim, Found]]:
    return [
        (claim, found)
        for claim in claims
        if claim.states and (found := find(claim.pattern, tokens)) and not (claim.unless and find(claim.unless, tokens))
    ]


def _within(found: Found, places: Sequence[frozenset[int]]) -> bool:
    """Whether the words of a claim are already explained by another."""
    return any(found.core <= others for others in places)


def _true(claim: Claim, found: Found, negated: Sequence[bool]) -> bool:
    """Whether a sentence with these words says of the claim what is so."""
    return any(negated[place] for place in found.core) != (claim.answer.label == "yes")


def _read(sentence: str, known: Token) -> tuple[list[Token], list[bool], float]:
    """The words of a sentence, whether each is negated in its clause, and the share of words of this puzzle."""
    tokens: list[Token] = []
    negated: list[bool] = []
    said: list[bool] = []
    for clause in _CLAUSES.split(_UNTRUE.sub(" not ", _ALSO.sub(" ", sentence))):
        words = tokenize(clause)
        reached: frozenset[int] = frozenset().union(*denials(words))
        tokens += [forms(word) for word in words]
        negated += [place in reached for place in range(len(words))]
        said += [not forms(word).isdisjoint(known) for word in words if word not in FUNCTION and word not in NEGATIONS]
    return tokens, negated, sum(said) / len(said) if said else 1.0
