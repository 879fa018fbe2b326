"""Numbers in words and with other names of their units: gold has one way to write each, and all others lead there."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena_builder.packs.load import in_register, load
from memarena_builder.packs.numerals import Numerals, spelled
from memarena_builder.packs.schema import Slot
from memarena_builder.reader.notebook import Notebook
from memarena_builder.validators.problem import numerals, plain, says
from memarena_builder.wording.clauses import written_otherwise


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (7, ""), (20, ""), (21, "twenty-one"), (340, "three hundred and forty"), (600, "six hundred"),
        (1005, "one thousand and five"), (4200, "four thousand two hundred"),
        (12_450, "twelve thousand four hundred and fifty"),
    ],
)  # fmt: skip
def test_a_number_of_several_words_is_spelled(value, words):
    assert spelled(value, "en") == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (7, ""), (10, ""), (12, "十二"), (20, "二十"), (105, "一百零五"), (110, "一百一十"),
        (212, "两百一十二"), (340, "三百四十"), (1005, "一千零五"), (2020, "两千零二十"), (4200, "四千两百"),
        (20_000, "两万"), (12_450, "一万两千四百五十"), (90_080, "九万零八十"), (120_000, "十二万"),
    ],
)  # fmt: skip
def test_a_number_of_several_characters_is_spelled_in_chinese(value, words):
    assert spelled(value, "zh") == words


def test_a_language_without_a_spelling_writes_digits():
    assert spelled(340, "") == ""


@given(st.integers(0, 999_999))
def test_what_is_spelled_is_read_back(value):
    words = spelled(value, "en")
    assert not words or Numerals({}).as_gold(f"We are at {words} now.") == f"We are at {value} now."
    signs = spelled(value, "zh")
    assert len(signs) > 1 or value <= 10
    assert not signs or Numerals({}).as_gold(f"现在是{signs}元。") == f"现在是{value}元。"


READ = [
    ("on three hundred and forty milligrams", "on 340 mg"),
    ("a budget of 4,200 EUR, they say", "a budget of 4,200 euros, they say"),
    ("at 4200 g now", "at 4200 grams now"),
    ("file names end with 3G6 and 5E2", "file names end with 3G6 and 5E2"),
    ("花了1300块钱。", "花了1300元。"),
    ("一共花了一千三百块钱。", "一共花了1300元。"),
    ("周三晾上十分钟，三个人一起", "周三晾上十分钟，三个人一起"),
    ("4 gates, EUR, B-12 g", "4 gates, EUR, B-12 g"),
    ("file names end with 3G6, at 3 g", "file names end with 3G6, at 3 grams"),
    ("one of the two hundred", "one of the 200"),
]


@pytest.mark.parametrize(("said", "gold"), READ)
def test_what_is_written_otherwise_is_read_as_gold_has_it(said, gold):
    assert numerals().as_gold(said) == gold


def test_a_value_is_found_however_it_is_written():
    assert says(plain("It's Four Thousand Two Hundred Euros."), plain("4,200 euros"))
    assert says(plain("a dose of 340 milligrams"), plain("340 mg"))
    assert not says(plain("a dose of 340 milligrams"), plain("40 mg"))


MG, HEADS = Slot(kind="money", unit="mg"), Slot(kind="number", counted=True)


@pytest.mark.parametrize(
    ("slot", "value", "which", "said"),
    [
        (MG, "340 mg", 0.0, "three hundred and forty mg"),
        (MG, "340 mg", 0.9, "340 milligrams"),
        (MG, "40 mg", 0.0, "40 milligrams"),
        (HEADS, "389", 0.5, "three hundred and eighty-nine"),
        (HEADS, "40", 0.5, "40"),
        (Slot(kind="number"), "4417", 0.0, "4417"),
        (Slot(kind="code", pattern="A-99"), "B-12", 0.0, "B-12"),
    ],
)  # fmt: skip
def test_what_is_counted_has_other_ways_to_be_written_and_a_number_to_dial_has_none(slot, value, which, said):
    assert written_otherwise(load("health"), slot, value, which) == said


def test_chinese_amounts_are_spelled_or_have_another_unit_in_each_register():
    yuan = Slot(kind="money", unit="元")
    assert written_otherwise(load("health", "zh"), yuan, "1300元", 0.0) == "一千三百元"
    assert written_otherwise(load("health", "zh"), yuan, "1300元", 0.9) == "1300块钱"
    assert written_otherwise(in_register("health", "zh", register="formal"), yuan, "1300元", 0.9) == "1300元整"
    assert written_otherwise(load("health", "zh"), Slot(kind="money", unit="毫克"), "212毫克", 0.5) == "两百一十二毫克"


def test_the_reader_writes_a_value_as_gold_does():
    notebook = Notebook()
    notebook.hear("Mrs. Adair is on a dose of three hundred and forty milligrams.")
    notebook.hear("The budget for Lantern is 4200 EUR.")
    assert [fact.value for fact in notebook.facts] == ["340 mg", "4,200 euros"]


def test_the_reader_writes_a_chinese_value_as_gold_does():
    notebook = Notebook("zh")
    notebook.hear("大夫给艾女士开的剂量是两百一十二毫克。")
    assert [fact.value for fact in notebook.facts] == ["212毫克"]


def test_samples_have_numbers_that_are_written_otherwise_and_gold_has_them_in_digits(built):
    otherwise = 0
    for sample in built:
        facts = {event.event_id: event.fact for event in sample.plan.events() if event.fact}
        for session in sample.plan.sessions:
            spoken = sample.spoken[session.session_id]
            for line in (each for each in spoken.lines if each.role == "user" and not each.image_id):
                values = [value for name in line.event_ids if name in facts for value in facts[name].slots.values()]
                numbers = [value for value in values if re.fullmatch(r"[\d,]+(?: \w+)?", value)]
                otherwise += sum(value not in line.text and says(plain(line.text), plain(value)) for value in numbers)
    assert otherwise >= 1
