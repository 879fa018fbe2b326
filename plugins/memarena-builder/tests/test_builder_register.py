"""The formal register: somebody who talks to an assistant as to an office, and is answered in kind."""

from __future__ import annotations

import re

import pytest
from builder_on_disk import OnDisk
from builder_orders import QUOTA, order
from msgspec.structs import replace
from test_builder_reader import answers

from memarena_builder.layout import write_sample
from memarena_builder.lifelong import build_sample, streams_of
from memarena_builder.packs.load import REGISTERS, domains_of, in_register, languages, load
from memarena_builder.packs.overlap import overlaps
from memarena_builder.packs.places import Place
from memarena_builder.packs.register import Register, Taken, formal
from memarena_builder.packs.words import Wording
from memarena_builder.reader.patterns import grammar
from memarena_builder.reader.statements import Cues, read
from memarena_builder.validators.distractors import cues_in
from memarena_builder.validators.problem import plain, says
from memarena_builder.wording.persona import FORMAL, PERSONAS, persona_of

PACKS = [(domain, language) for language in languages() for domain in domains_of(language)]
of_packs = pytest.mark.parametrize(("domain", "language"), PACKS)
SHORT = re.compile(
    r"n't\b|'(?:ll|ve|re|d|m)\b|\b(?:it|that|there|what|who|here|he|she|let|where|how|someone|somebody|nobody)'s\b",
    re.I,
)
"""A contraction; the possessive of a name is none."""
FAMILIAR = {"en": SHORT, "zh": re.compile("[你啥咋]|咱|哈哈|这儿|那儿|一块儿")}
"""What nobody writes who is formal."""
NAMES = {"person": "Mara Okafor", "project": "Lantern", "device": "Gannet Server", "thing": "Mailbird"}
LISTS = ("openers", "further", "reminders", "changes", "reversions", "late")
"""Words before a fact that decide nothing of what holds."""


def texts_in(value):
    if isinstance(value, str):
        yield value
    elif value is not None:
        for each in value.values() if hasattr(value, "values") else value:
            yield from texts_in(each)


def said_in(pack):
    """Every text that somebody may say in a pack."""
    wording = pack.wording
    yield from texts_in([getattr(wording, name) for name in wording.__struct_fields__])
    yield from texts_in((pack.settings, pack.chat, pack.own_chat))
    for each in pack.attributes:
        yield from texts_in((each.stated, each.gone, each.around))
        yield from texts_in((each.halves.value, each.halves.owner) if each.halves else ())


@of_packs
def test_nothing_familiar_is_said_in_the_formal_register(domain, language):
    pack = in_register(domain, language, register="formal")
    assert [text for text in said_in(pack) if FAMILIAR[language].search(text)] == []
    assert pack.writing.by_given == 0 and load(domain, language).writing.by_given > 0


@of_packs
def test_both_registers_state_the_same_facts_and_ask_the_same_questions(domain, language):
    for one, other in zip(
        load(domain, language).attributes, in_register(domain, language, register="formal").attributes, strict=True
    ):
        assert (one.point, one.asked, one.what, one.slots) == (other.point, other.asked, other.what, other.slots)
        assert len(one.stated) == len(other.stated)


@of_packs
def test_no_question_shares_a_content_word_with_what_is_said_formally(domain, language):
    assert overlaps(in_register(domain, language, register="formal")) == []


@pytest.mark.parametrize("language", languages())
def test_every_list_of_the_plain_register_has_a_formal_one_or_needs_none(language):
    plain_one, made = load("health", language).wording, in_register("health", language, register="formal").wording
    same = {name for name in Wording.__struct_fields__ if getattr(plain_one, name) == getattr(made, name)}
    assert {name for name in same if getattr(plain_one, name)} == {"kinds", "pictured", "ones"}
    assert set(made.distractors) == set(plain_one.distractors) and set(made.reactions) == set(plain_one.reactions)


EXPANDED = [
    ("I've got it, and it's been moved.", "I have it, and it has been moved."),
    ("We can't, won't and don't.", "We cannot, will not and do not."),
    ("It's Mara's, isn't it", "It is Mara's, is not it"),
    ("They're late. She'd rather go, let's wait.", "They are late. She would rather go, let us wait."),
    ("Who's there? I'm here.", "Who is there? I am here."),
    ("The dogs' bowls and the cat's bowl", "The dogs' bowls and the cat's bowl"),
]


def register():
    import tomllib
    from importlib.resources import files

    import msgspec

    raw = tomllib.loads((files("memarena_builder.packs") / "en" / "formal.toml").read_text(encoding="utf-8"))
    return msgspec.convert(raw, Register)


@pytest.mark.parametrize(("text", "written"), EXPANDED)
def test_contractions_are_written_out_and_possessives_stay(text, written):
    assert Taken(register())(text) == written


def test_exchanges_that_no_rule_makes_formal_are_not_taken_over():
    taken = Taken(register())
    kept, shouted, owned = ("I'm cold.", "Close it."), ("I'm cold.", "Ha! Me too."), ("The cook's day off.", "I see.")
    assert taken.exchanges((kept, shouted, owned)) == (("I am cold.", "Close it."),)


def test_what_is_formal_is_not_made_so_again():
    made = in_register("health", "en", register="formal")
    assert formal(made, register(), Place("en/formal.toml")) is made
    assert made.register == "formal" != load("health").register


@of_packs
def test_the_frames_of_each_kind_of_distractor_have_its_cue_and_no_other(domain, language):
    pack = in_register(domain, language, register="formal")
    for kind, frames in pack.wording.distractors.items():
        for frame in frames:
            text = frame.format(clause="Mara's home is in Porto", other="Sven Novak", picture="it")
            assert cues_in(pack, text) == {kind}, frame


@of_packs
def test_the_reader_tells_what_decides_what_holds_in_every_register(domain, language):
    packs = [in_register(domain, language, register=each) for each in REGISTERS]
    cues = Cues(*packs)
    for pack in packs:
        wording = pack.wording
        own = {"correction": wording.corrections, "settled": wording.settled, "hearsay": wording.hearsay}
        for cue, leads in own.items():
            assert {cues.of(lead + "X.") for lead in leads} == {cue}
        others = [text for name in LISTS for text in getattr(wording, name)]
        others += [text for each in pack.attributes for text in each.around]
        assert {cues.of(text) for text in others} == {""} and not any(cues.refuses(text) for text in others)
        for frames in wording.distractors.values():
            said = (frame.format(clause="X is Y", other="Sven Novak", picture="it") for frame in frames)
            assert all(cues.refuses(text) for text in said)


@of_packs
def test_nothing_formal_around_a_fact_has_a_number_or_a_value_of_what_only_a_picture_tells(domain, language):
    pack = in_register(domain, language, register="formal")
    hidden = [slot.pool for each in pack.attributes if each.visual for slot in each.slots.values() if slot.pool]
    values = [plain(value) for pool in hidden for value in pack.pools[pool]]
    for text in (*texts_in((pack.chat, pack.own_chat)), *texts_in([each.around for each in pack.attributes])):
        bare = plain(re.sub(r"\{\w+\}", "", text))
        assert not re.search(r"\d", bare) and [value for value in values if says(bare, value)] == [], text


@of_packs
def test_the_reader_takes_nothing_for_a_fact_that_is_said_in_a_formal_exchange(domain, language):
    pack = in_register(domain, language, register="formal")
    exchanges = (*pack.chat, *pack.own_chat)
    assert all(len(exchange) % 2 == 0 for exchange in exchanges) and len(set(exchanges)) == len(exchanges) > 60
    for text in texts_in(exchanges):
        assert read(text.format(**NAMES), grammar(language)) == [], text


def formal_orders(domain, language):
    """The orders whose user is formal, unless the sample has to be planned anew, which draws another one."""
    made = (order(domain, seed, quota=replace(QUOTA, language=language)) for seed in range(100))
    return (each for each in made if persona_of(streams_of(each).at("wording")) == FORMAL)


@pytest.fixture(scope="module", params=[("software", "en"), ("health", "zh")], ids=("en", "zh"))
def sample(request, tmp_path_factory):
    domain, language = request.param
    made = map(build_sample, formal_orders(domain, language))
    built = next(each for each in made if each.pack.register == "formal")
    root = tmp_path_factory.mktemp("formal")
    write_sample(built, root)
    return language, built, OnDisk(root, built)


def test_whoever_is_formal_is_so_throughout_and_so_is_the_assistant(sample):
    language, built, _ = sample
    lines = [line.text for spoken in built.spoken.values() for line in spoken.lines]
    assert built.pack.register == "formal" and len(lines) > 200
    assert [text for text in lines if FAMILIAR[language].search(text)] == []
    opening = {text.partition("{")[0] for text in built.pack.wording.greetings}
    firsts = [spoken.lines[0].text for spoken in list(built.spoken.values())[1:]]
    assert all(text.startswith(tuple(filter(None, opening))) for text in firsts)


def test_nobody_formal_calls_people_by_their_first_names(sample):
    _, built, _ = sample
    text = "\n".join(line.text for spoken in built.spoken.values() for line in spoken.lines)
    for name in built.plan.cast.persons:
        first = next(each for each in built.pack.pools["first"] if each in name)
        namesakes = [other for other in built.plan.cast.namesakes if first in other]
        whole = text.count(name) + sum(text.count(other) for other in namesakes)
        assert len(re.findall(rf"(?<!\w){first}(?![a-z])", text)) <= whole or built.pack.language == "zh"


def test_a_formal_sample_is_whole_and_the_reader_answers_all_its_questions(sample):
    language, built, on_disk = sample
    assert [problem for problem in built.problems if not problem.repaired] == []
    found = list(answers(on_disk, pictures=True, language=language))
    assert len(found) > 25 and [each for each in found if each[1] != each[2]] == []


def test_one_persona_in_four_is_formal():
    registers = [persona.register for persona in PERSONAS]
    assert registers.count("formal") == 1 and len(registers) == 4
