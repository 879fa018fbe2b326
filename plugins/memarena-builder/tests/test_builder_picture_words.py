"""The words that drawers add to pictures, and decoys: in no language can any of them be taken for a fact."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena_builder.packs.load import domains_of, languages, load
from memarena_builder.packs.schema import Pack, Slot
from memarena_builder.pictures import fonts, prose
from memarena_builder.pictures.drawers import DRAWERS
from memarena_builder.pictures.kinds import axes, furniture, receipt
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import PictureSpec
from memarena_builder.pictures.words import OTHER, Words, read, words
from memarena_builder.plan.picturing import DECOYS
from memarena_builder.validators.problem import plain, says

LANGUAGES = languages()
DAY = date(2026, 3, 12)
"""A Thursday."""


def packs(language: str) -> list[Pack]:
    return [load(domain, language) for domain in domains_of(language)]


def tables(language: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Everything that has entries by the name of an attribute."""
    raw = read(language)
    for name, table in raw.items():
        if isinstance(table, dict) and name not in ("decoys", "chat_lines", "dates", "lasting", "shared"):
            yield name, table
    yield from ((f"decoys.{kind}", table) for kind, table in raw["decoys"].items())


def coined(language: str) -> Iterator[tuple[str, str, str]]:
    """Kind, label and value of decoys, each pattern several times over."""
    for kind, table in read(language)["decoys"].items():
        for about in table:
            for seed in range(12):
                said = words(language, random.Random(f"{kind} {about} {seed}"), DAY + timedelta(days=17 * seed))
                yield from ((kind, each.label, each.value) for each in said.decoys(kind, about))


def alike(slot: Slot, pools: Mapping[str, tuple[str, ...]], text: str) -> bool:
    """Whether something in `text` looks like a value of `slot`."""
    if slot.kind == "code":
        marks = {"A": "[A-Z]", "9": "[0-9]"}
        shape = "".join(marks.get(mark, re.escape(mark)) for mark in slot.pattern)
        return re.search(rf"(?<![\w.-]){shape}(?![\w.-]|\.\d)", text) is not None
    if slot.kind == "pool":
        return any(says(plain(text), plain(value)) for value in pools[slot.pool])
    if slot.kind == "money":
        return re.search(rf"\d ?{re.escape(slot.unit)}\b", text) is not None
    if slot.kind == "clock":
        return re.search(r"(?:day|周.)\D*\d{1,2}:\d\d", text) is not None
    bare = re.findall(r"(?<![\w.,:/#-])[1-9]\d*(?![\w.,:/%-]\d| ?[%€])", text)
    return slot.kind == "number" and any(slot.low <= int(number) <= slot.high for number in bare)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_decoys_enough_for_any_picture(language):
    table = read(language)["decoys"]
    assert set(table) == set(DRAWERS)
    assert [
        f"{kind} {about}" for kind, each in table.items() for about, ways in each.items() if len(ways) < DECOYS[1]
    ] == []
    assert all(OTHER in each for each in table.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_decoy_is_called_like_a_fact(language):
    labels = {attribute.label.lower() for pack in packs(language) for attribute in pack.attributes}
    assert {label for _, label, _ in coined(language) if label.lower() in labels} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_decoy_looks_like_the_value_of_a_fact(language):
    slots = [
        (attribute.name, slot, pack.pools)
        for pack in packs(language)
        for attribute in pack.attributes
        if attribute.visual
        for slot in attribute.slots.values()
    ]
    found = {
        (kind, value, name)
        for kind, _, value in coined(language)
        for name, slot, pools in slots
        if alike(slot, pools, value)
    }
    assert found == set()


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("see K-417", Slot(kind="code", pattern="A-999")),
        ("2011", Slot(kind="number", low=2011, high=9899)),
        ("4,200 euros", Slot(kind="money", unit="euros")),
        ("on Wednesdays at 10:35", Slot(kind="clock")),
        ("Brightwell, 2nd floor", Slot(kind="pool", pool="makers")),
    ],
)
def test_what_looks_like_a_value_is_found_out(text, slot):
    assert alike(slot, {"makers": ("Brightwell",)}, text)
    assert not alike(slot, {"makers": ("Brightwell",)}, "0441 23 45 67 or 12.03.27, 4.50, 8:40")


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_have_entries_for_attributes_that_there_are(language):
    names = {attribute.name for pack in packs(language) for attribute in pack.attributes} | {OTHER}
    assert [(table, name) for table, entries in tables(language) for name in entries if name not in names] == []
    assert [table for table, entries in tables(language) if OTHER not in entries] == []


def test_all_languages_have_the_same_words():
    first, *others = (set(read(language)) for language in LANGUAGES)
    assert all(each == first for each in others)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_thread_of_a_chat_tells_one_value(language):
    raw = read(language)
    told = [thread for name in ("chat_threads", "chat_lines") for each in raw[name].values() for thread in each]
    talk = [thread for name in ("chat_openings", "chat_asides", "chat_closings") for thread in raw[name]]
    assert [thread for thread in told if sum(line.count("{V}") for line in thread) != 1] == []
    assert [line for thread in (*told, *talk) for line in thread if line[:2] not in ("> ", "< ")] == []
    assert not any("{" in line for thread in talk for line in thread)


@pytest.mark.parametrize("language", LANGUAGES)
def test_chats_have_lines_for_each_of_their_decoys(language):
    raw = read(language)
    labels = {label for ways in raw["decoys"]["chat"].values() for label in ways}
    assert set(raw["chat_lines"]) - {OTHER} == labels


def strings(found: object) -> Iterator[str]:
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict):
        for each in (*found, *found.values()):
            yield from strings(each)
    elif isinstance(found, list):
        for each in found:
            yield from strings(each)


def test_nobody_in_the_words_of_pictures_is_anybody_of_a_sample():
    names = {name for pool in ("first", "last") for name in load("health").pools[pool]}
    said = {word for text in strings(read("en")) for word in re.findall(r"[A-Z][a-z]+", text)}
    assert said & names == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_of_the_words_can_be_set_and_written(language):
    texts = set(strings(read(language)))
    assert {text for text in texts if not fonts.typed(text)} == set()
    assert {text for text in texts if not (fonts.covers(fonts.HAND, text) or fonts.instead(fonts.HAND, text))} == set()


LENGTHS = {"months": 12, "weekdays": 7, "receipt_sums": 3, "receipt_paid": 2}


@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_that_are_read_as_a_whole_have_all_their_entries(language):
    raw = read(language)
    assert {name: len(raw[name]) for name in LENGTHS} == LENGTHS
    assert {len(row) for row in raw["board_boxes"]} == {3}
    assert len(raw["lab_columns"][OTHER]) == 4
    assert {kind for rooms in raw["rooms"].values() for _, kind in rooms} <= set(furniture.KINDS)
    assert {len(row) for rows in raw["ticket_rows"].values() for row in rows} == {4}


@pytest.mark.parametrize("language", LANGUAGES)
def test_findings_of_laboratories_have_a_range(language):
    for rows in read(language)["lab_rows"].values():
        assert len(rows) >= 4
        for name, unit, low, high, digits in rows:
            assert name and isinstance(unit, str) and 0 <= low < high and digits in (0, 1, 2, 3)


def test_digits_and_letters_are_put_in_for_marks():
    said = Words({"plate": "OL @@ ##", "tills": ["0#", "1#"]}, random.Random(1), DAY)
    assert re.fullmatch(r"OL [A-Z]{2} [1-9]{2}", said.one("plate"))
    assert all(re.fullmatch("[01][1-9]", each) for each in said.some("tills", 5))


def test_a_table_is_read_by_the_attribute_and_has_an_entry_for_all_others():
    said = Words({"titles": {"other": "Form", "ward": "Admission"}}, random.Random(1), DAY)
    assert (said.one("titles", "ward"), said.one("titles", "desk"), said.one("titles")) == ("Admission", "Form", "Form")


def test_decoys_leave_out_what_facts_of_the_picture_are_called():
    said = Words({"decoys": {"map": {"other": {"Walk": "7 min", "Bus": "line 8"}}}}, random.Random(1), DAY)
    assert [each.label for each in said.decoys("map", "", {"Bus"})] == ["Walk"]


def blank() -> Sheet:
    spec = PictureSpec(image_id="i", kind="chat", subject="", fields=(), caption="", caption_full="", day=DAY, seed=1)
    return Sheet(spec, 400, 400)


@pytest.mark.parametrize("width", [90, 160, 240, 400])
def test_a_value_in_a_sentence_is_never_broken_and_lines_are_no_wider_than_they_may(width):
    sheet, style = blank(), Style("sans", 19)
    value = "on Fridays"
    lines = prose.laid(sheet, "as always {V} but bring the list along", value, style, width)
    pieces = [piece for line in lines for piece in line]
    assert [piece.text for piece in pieces if piece.own] == [value]
    assert " ".join(piece.text.strip() for piece in pieces) == f"as always {value} but bring the list along"
    longest = sheet.length(value, style) + 2 * prose.APART
    assert prose.breadth(lines) <= max(width, longest)


@given(seed=st.integers(0, 10**6), count=st.integers(1, 6), rate=st.integers(1, 30))
def test_a_receipt_adds_up(seed, count, rate):
    bought = receipt.basket(random.Random(seed), [f"thing {number}" for number in range(count)], rate)
    assert bought.total == sum(many * cents for _, many, cents in bought.lines)
    assert abs(bought.tax * (100 + rate) - bought.total * rate) <= (100 + rate) / 2
    assert bought.given is None or (bought.given >= bought.total and bought.given - bought.total < receipt.NOTE)


@given(most=st.integers(1, 99_999))
def test_an_axis_is_longer_than_what_it_measures_but_not_much(most):
    top = axes.ceiling(most)
    assert 1.1 * most < top <= max(2 * 1.1 * most, 40)
    assert top % axes.LINES == 0


@pytest.mark.parametrize(("most", "top"), [(101, 120), (250, 300), (399, 600), (1990, 3000), (9990, 12_000)])
def test_an_axis_ends_at_a_round_number(most, top):
    assert axes.ceiling(most) == top
