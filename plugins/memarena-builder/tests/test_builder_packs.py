from __future__ import annotations

import re
from datetime import date

import msgspec
import pytest

from memarena.errors import DataError
from memarena.records import JudgementRequest
from memarena_arena.lexical import LexicalJudge
from memarena_builder.packs import load as loading
from memarena_builder.packs import load as packs
from memarena_builder.packs.load import domains_of, languages, load, part, writing
from memarena_builder.packs.overlap import content, overlaps
from memarena_builder.streams import Streams
from memarena_builder.wording.clauses import fill
from memarena_builder.world.cast import make_cast
from memarena_builder.world.values import Values

_READ = loading._read
SUBJECTS = {
    "en": {"person": "Mara Okafor", "self": "Mara Okafor"},
    "zh": {"person": "林晓梅", "self": "林晓梅"},
}
AROUND = {"en": "Well, {}. Everyone nodded.", "zh": "对了，{}。大家都点头。"}
PACKS = [(domain, language) for language in languages() for domain in domains_of(language)]
of_packs = pytest.mark.parametrize(("domain", "language"), PACKS)


@of_packs
def test_no_question_family_shares_a_content_word_with_the_families_that_answer_it(domain, language):
    assert overlaps(load(domain, language)) == []


def test_the_check_of_overlaps_sees_a_word_in_another_form():
    assert content("Which town does {S} live in?") & content("{S} lived there") == {"live"}


@of_packs
def test_the_lexical_judge_finds_each_point_in_each_of_its_statements_and_no_other_value(domain, language):
    pack = load(domain, language)
    rng = Streams(1).rng(domain)
    cast = make_cast(pack, rng, 10)
    values = Values(pack.pools, date(2026, 1, 5), language)
    for attribute in pack.attributes:
        entities = cast.of(attribute.about)
        subject = SUBJECTS[language].get(attribute.about, entities[0].name)
        told, other = (
            {name: values.draw(slot, rng, cast.persons[part::2]) for name, slot in attribute.slots.items()}
            for part in (0, 1)
        )
        points = tuple(fill(attribute.point, subject, slots) for slots in (told, other))
        for family in attribute.stated:
            said = AROUND[language].format(fill(family, subject, told))
            text = f"[Jan 02, 2026, 09:00:00] user: {said}"
            request = JudgementRequest(task="recall", items=(text,), points=points)
            label = LexicalJudge().label([request])[0]
            assert label is not None
            assert label.verdicts == ("yes", "no"), (attribute.name, text)


@of_packs
def test_dev_and_test_share_no_family(domain, language):
    dev, test = part(load(domain, language), "dev"), part(load(domain, language), "test")
    for one, other in zip(dev.attributes, test.attributes, strict=True):
        assert set(one.stated).isdisjoint(other.stated) and set(one.asked).isdisjoint(other.asked)
        assert len(one.stated) >= 3 and len(other.stated) >= 5 and one.asked and other.asked
    assert set(dev.asking.claim).isdisjoint(test.asking.claim)


@of_packs
def test_every_template_has_the_blanks_of_its_attribute_and_no_others(domain, language):
    for attribute in load(domain, language).attributes:
        for family in (attribute.point, *attribute.stated):
            blanks = set(re.findall(r"\{(\w+)\}", family))
            assert blanks | {"S"} == {"S", *attribute.slots}, (attribute.name, family)
            assert "S" in blanks or attribute.about == "self", (attribute.name, family)


@of_packs
def test_no_two_values_of_a_pool_share_a_word_but_codes(domain, language):
    for name, values in load(domain, language).pools.items():
        words = [word for value in values if not value[-1].isdigit() for word in content(value)]
        assert len(words) == len(set(words)), name


def test_a_language_has_the_domains_for_which_there_is_a_file():
    assert languages() == ("en", "zh")
    assert len(domains_of("en")) == 7 and domains_of("zh") == ("health",)


@pytest.mark.parametrize(("language", "text"), [("en", "June 2, 2026"), ("zh", "2026年6月2日")])
def test_a_day_is_written_as_the_language_has_it_and_read_back(language, text):
    style = writing(language)
    assert style.write(date(2026, 6, 2)) == text and style.read(text) == date(2026, 6, 2)
    assert re.fullmatch(style.day_regex(), text) and style.read("tomorrow") is None


def test_words_of_a_script_without_blanks_are_any_two_letters_with_content_side_by_side():
    assert content("{S}的分机号是{V}") == {"分机", "机号"}
    assert content("住在{V}") == {"住"}


def test_a_domain_can_do_without_what_others_share():
    work, life = ({each.name for each in load(domain).attributes} for domain in ("software", "personal"))
    assert "deputy" in work - life and "allergy" in work & life and "emergency" in life - work


def test_a_domain_cannot_do_without_what_nobody_has(monkeypatch):
    read = packs._read
    made = {"without": ["shadow"]}
    monkeypatch.setattr(packs, "_read", lambda *place: read(*place) | (made if place[0] == "finance" else {}))
    with pytest.raises(DataError, match=r"en/finance.toml.*no shared attribute 'shadow'"):
        load.__wrapped__("finance")


def test_an_unknown_domain_is_a_person_s_mistake():
    with pytest.raises(DataError, match="no such schema pack"):
        load("astrology")


@pytest.mark.parametrize(
    ("name", "field", "text", "what"),
    [
        ("hobby", "asides", "No {V} at the party, please.", "nothing fills {V}"),
        ("hobby", "acks", "I'll keep the {kind} of {S}.", "nothing fills {kind}"),
        ("hobby", "occasions", "I watched {S} at Archery again.", "gives the value 'archery' away"),
        ("dish", "sent", "The {kind} shows {S} with paella.", "gives the value 'paella' away"),
    ],
)
def test_what_is_said_around_a_fact_must_fit_every_value_of_it(monkeypatch, name, field, text, what):
    raw = loading._read("common", "en")
    attribute = next(each for each in raw["attribute"] if each["name"] == name)
    attribute[field] = [text]
    monkeypatch.setattr(loading, "_read", lambda name, language: raw if name == "common" else _READ(name, language))
    with pytest.raises(DataError, match=rf"attribute\['{name}'\].{field}\[0\]: .*{re.escape(what)}"):
        load.__wrapped__("health")


@pytest.mark.parametrize("field", ["occasions", "asides", "acks", "sent"])
def test_words_around_a_fact_are_held_apart_from_questions_as_its_statements_are(field):
    pack = load("health")
    home = msgspec.structs.replace(pack.attribute("home"), **{field: ("I drove through the town of {S}.",)})
    found = overlaps(msgspec.structs.replace(pack, attributes=(home,)))
    assert {each.word for each in found} == {"town"}
