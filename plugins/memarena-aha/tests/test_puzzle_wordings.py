"""Each key fact is found in forty wordings, of the words that its file lists and of what people put around them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

import pytest

from memarena_aha.puzzle.course import host_of
from memarena_aha.puzzle.loader import puzzle_ids
from memarena_aha.puzzle.schema import KeyFact, Words

WORDINGS = 40
FRAMES = (
    "Is it so that {}?",
    "Does it have to do with {}?",
    "Could it be that {}?",
    "Is it true that {}?",
    "I wonder: {}?",
    "Am I right to think that it is about {}?",
    "please tell me, {}",
    "Hm. {}??",
)


def phrases(words: Words, entities: dict[str, str]) -> Iterator[str]:
    """All ways to say it: one alternative of each group, side by side."""
    for conjunction in (words,) if isinstance(words, str) else words:
        if conjunction:
            groups = [
                [entities[word[1:]].split("|")[0] if word.startswith("@") else word.removesuffix("*") for word in words]
                for words in ([word.strip() for word in group.split("|")] for group in conjunction.split("&"))
            ]
            for chosen in product(*groups):
                yield " ".join(word.strip() for word in chosen)


def wordings(fact: KeyFact, entities: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Questions about a fact, each with the answer that is right."""
    told = [(phrase, "yes") for words in (fact.say, fact.asks) for phrase in phrases(words, entities)]
    told += [(phrase, "no") for phrase in phrases(fact.deny, entities)]
    for frame in FRAMES:
        for phrase, label in told[:: max(1, len(told) // 10)]:
            yield frame.format(phrase), label


@pytest.mark.parametrize("puzzle_id", puzzle_ids())
def test_a_key_fact_is_found_in_forty_wordings(puzzle_id: str) -> None:
    host = host_of(puzzle_id, 0)
    for fact in host.graph.puzzle.key:
        asked = list(islice(wordings(fact, host.graph.entities), WORDINGS))
        assert len(asked) == WORDINGS, fact.id
        right = sum(host.ask(text).label == label for text, label in asked)
        assert right >= 0.9 * WORDINGS, (fact.id, [pair for pair in asked if host.ask(pair[0]).label != pair[1]])
