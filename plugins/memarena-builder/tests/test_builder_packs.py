from __future__ import annotations

import re
from datetime import date

import pytest

from memarena.errors import DataError
from memarena.records import JudgementRequest
from memarena_arena.lexical import LexicalJudge
from memarena_builder.packs.load import DOMAINS, load, part
from memarena_builder.packs.overlap import content, overlaps
from memarena_builder.streams import Streams
from memarena_builder.wording.clauses import fill
from memarena_builder.world.cast import make_cast
from memarena_builder.world.values import Values

SUBJECTS = {"person": "Mara Okafor", "self": "Mara Okafor"}


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_question_family_shares_a_content_word_with_the_families_that_answer_it(domain):
    assert overlaps(load(domain)) == []


def test_the_check_of_overlaps_sees_a_word_in_another_form():
    assert content("Which town does {S} live in?") & content("{S} lived there") == {"live"}


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_lexical_judge_finds_each_point_in_each_of_its_statements_and_no_other_value(domain):
    pack = load(domain)
    rng = Streams(1).rng(domain)
    cast = make_cast(pack, rng, 10)
    values = Values(pack.pools, date(2026, 1, 5))
    for attribute in pack.attributes:
        entities = cast.of(attribute.about)
        subject = SUBJECTS.get(attribute.about, entities[0].name)
        told, other = (
            {name: values.draw(slot, rng, cast.persons[part::2]) for name, slot in attribute.slots.items()}
            for part in (0, 1)
        )
        points = tuple(fill(attribute.point, subject, slots) for slots in (told, other))
        for family in attribute.stated:
            text = f"[Jan 02, 2026, 09:00:00] user: Well, {fill(family, subject, told)}. Everyone nodded."
            request = JudgementRequest(task="recall", items=(text,), points=points)
            label = LexicalJudge().label([request])[0]
            assert label is not None
            assert label.verdicts == ("yes", "no"), (attribute.name, text)


@pytest.mark.parametrize("domain", DOMAINS)
def test_dev_and_test_share_no_family(domain):
    dev, test = part(load(domain), "dev"), part(load(domain), "test")
    for one, other in zip(dev.attributes, test.attributes, strict=True):
        assert set(one.stated).isdisjoint(other.stated) and set(one.asked).isdisjoint(other.asked)
        assert len(one.stated) >= 3 and len(other.stated) >= 5 and one.asked and other.asked
    assert set(dev.asking.claim).isdisjoint(test.asking.claim)


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_template_has_the_blanks_of_its_attribute_and_no_others(domain):
    for attribute in load(domain).attributes:
        for family in (attribute.point, *attribute.stated):
            blanks = set(re.findall(r"\{(\w+)\}", family))
            assert blanks | {"S"} == {"S", *attribute.slots}, (attribute.name, family)
            assert "S" in blanks or attribute.about == "self", (attribute.name, family)


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_two_values_of_a_pool_share_a_word_but_codes(domain):
    for name, values in load(domain).pools.items():
        words = [word for value in values if not value[-1].isdigit() for word in content(value)]
        assert len(words) == len(set(words)), name


def test_an_unknown_domain_is_a_person_s_mistake():
    with pytest.raises(DataError, match="no such schema pack"):
        load("astrology")
