"""The two sides of a family are told in different words, so that it is the structure that has to be found again."""

from __future__ import annotations

import re

import pytest

from memarena_aha.euler.family import Skin
from memarena_aha.euler.register import family, family_ids

MATHEMATICS = """
base bitwise carry column count decimal digit digits direction entries exclusive exponent mod modulo number
numbers pairs pascal prime product reflection remainder reversal row steps sum triangle unit ways xor zero zeros
"""
"""What both sides may speak of, for it is what the rule is about."""

GRAMMAR = """
a add added after again all among an and another any are as at be before beginning between both but by can
changes come comes consists covered different directly distinct divided divides do does down each end equal
every exactly exist filled first for four from front go goes has have how if ignored in into is it its itself
last leading least leaves left let made many may more most moves must never no non not of often on once one only
or over own plus positive possible reduced right round runs same say second single smaller so stand starts
straight such taken takes than that the them then there these third this three through times to turn turned two
until up used what when where which whole whose with without written
"""
"""Words without a world: verbs, pronouns, numerals, and the like."""


def words(skins: tuple[Skin, ...]) -> set[str]:
    """All words of some wordings that are longer than a letter or two of a formula."""
    text = " ".join(re.sub(r"\{.*?\}", "", skin.text.casefold()) for skin in skins)
    return {word for word in re.findall(r"[a-z]+", text) if len(word) > 2}


@pytest.mark.parametrize("family_id", family_ids())
def test_the_wordings_of_the_two_sides_share_no_noun_but_those_of_mathematics(family_id: str) -> None:
    chosen = family(family_id)
    shared = words(chosen.teach_skins) & words(chosen.test_skins)
    assert not shared - set(MATHEMATICS.split()) - set(GRAMMAR.split())


@pytest.mark.parametrize("family_id", family_ids())
def test_no_two_wordings_are_set_in_one_world(family_id: str) -> None:
    chosen = family(family_id)
    worlds = [set(skin.nouns) for skin in (*chosen.teach_skins, *chosen.test_skins)]
    assert len(set().union(*worlds)) == sum(map(len, worlds))
