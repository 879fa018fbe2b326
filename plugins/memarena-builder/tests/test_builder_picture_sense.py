"""What stands in one picture fits together, fits the day on which it was sent, and stands on the picture."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date
from itertools import product

import pytest
from builder_orders import QUOTA
from msgspec.structs import replace
from test_builder_picture_dates import WEEKDAYS

from memarena_builder.contact import examples
from memarena_builder.packs.load import domains_of, languages, load
from memarena_builder.pictures import fonts
from memarena_builder.pictures.drawers import DRAWERS, draw
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Box, Field, PictureSpec
from memarena_builder.pictures.words import OTHER, read, words
from memarena_builder.plan import make_plan
from memarena_builder.plan.picturing import DECOYS
from memarena_builder.streams import Streams

LANGUAGES = languages()
DAY = date(2026, 3, 12)
"""A Thursday."""
Texts = list[tuple[str, Box, Sheet]]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Callable[[PictureSpec], Texts]:
    """All texts of a picture, where they stand, and the sheet as it is in the end."""
    told: Texts = []
    write = Sheet.text

    def text(self: Sheet, x: float, y: float, text: str, style: Style, align: str = "l") -> Box:
        box = write(self, x, y, text, style, align)
        told.append((text, box, self))
        return box

    monkeypatch.setattr(Sheet, "text", text)

    def look(spec: PictureSpec) -> Texts:
        told.clear()
        draw(spec)
        return list(told)

    return look


@pytest.fixture(scope="module", params=LANGUAGES)
def planned(request: pytest.FixtureRequest) -> dict[str, list[PictureSpec]]:
    """Pictures of every kind as samples have them."""
    return examples(3, seed=5, language=request.param)


def spec(
    kind: str, *fields: Field, day: date = DAY, language: str = "en", seed: int = 1, about: str = ""
) -> PictureSpec:
    return PictureSpec(
        image_id="S00_img_1", kind=kind, subject="Mara Okafor", fields=fields, caption="", caption_full="", day=day,
        seed=seed, language=language, about=about,
    )  # fmt: skip


@pytest.mark.parametrize("kind", DRAWERS)
def test_no_text_leaves_its_picture(planned, seen, kind):
    for each in planned[kind]:
        cut = [
            (text, box)
            for text, box, sheet in seen(each)
            if box.left < 0 or box.top < 0 or box.right > sheet.width or box.bottom > sheet.height
        ]
        assert cut == []


@pytest.mark.parametrize("kind", DRAWERS)
def test_no_text_lies_over_another(planned, seen, kind):
    for each in planned[kind]:
        boxes = [(text, box) for text, box, _ in seen(each)]
        over = [
            (one, other)
            for at, (one, a) in enumerate(boxes)
            for other, b in boxes[:at]
            if min(a.right, b.right) - max(a.left, b.left) > 4 and min(a.bottom, b.bottom) - max(a.top, b.top) > 6
        ]
        assert over == []


def test_every_picture_has_entries_enough_that_no_fact_stands_behind():
    for language in LANGUAGES:
        for domain in domains_of(language):
            plan = make_plan(load(domain, language), replace(QUOTA, language=language), Streams(3, (domain,)))
            for each in plan.pictures.values():
                decoys = [field for field in each.fields if not field.fact_id]
                assert DECOYS[0] <= len(decoys) <= DECOYS[1]
                assert len({field.label for field in each.fields}) == len(each.fields)


def test_a_calendar_shows_the_month_in_which_it_was_sent(seen):
    for day, head, first in ((DAY, "March 2026", 6), (date(2026, 6, 30), "June 2026", 0)):
        texts = seen(spec("calendar", Field(label="Room", value="K-417", fact_id="F001"), day=day))
        assert head in [text for text, _, _ in texts]
        columns = {text: box.left for text, box, _ in texts if text in (*WEEKDAYS, "1")}
        assert min(WEEKDAYS, key=lambda name: abs(columns[name] - columns["1"])) == WEEKDAYS[first]


def test_nothing_in_a_calendar_contradicts_the_notes_below():
    for language in LANGUAGES:
        raw = read(language)
        labels = {label.lower() for ways in raw["decoys"]["calendar"].values() for label in ways}
        assert labels & {note.lower() for note in raw["calendar_notes"]} == set()


def test_a_line_ends_in_the_month_in_which_it_was_sent(seen):
    texts = seen(spec("line_chart", Field(label="Steps", value="4120", fact_id="F001")))
    months = [text for text, _, _ in texts if len(text) == 3 and text.isalpha()]
    assert months == ["Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb", "Mar"]


def test_a_form_is_signed_on_the_day_that_stands_in_it(seen):
    for seed in range(20):
        decoys = words("en", random.Random(seed), DAY).decoys("form", "locker")
        dated = next(Field(label=each.label, value=each.value) for each in decoys if each.label == "Date")
        texts = [
            text for text, _, _ in seen(spec("form", Field(label="L", value="K-4", fact_id="F1"), dated, seed=seed))
        ]
        assert "12.03.26" in texts and "12 March" in texts


def test_a_form_about_several_matters_has_the_title_of_none(seen):
    menu = Field(label="Menu", name="dish", value="paella", fact_id="F001")
    desk = Field(label="Desk", name="desk", value="W-83", fact_id="F002")
    titles = read("en")["form_titles"]
    for seed in range(8):
        both = {text for text, _, _ in seen(spec("form", menu, desk, seed=seed))}
        assert both & set(titles[OTHER]) and not both & {*titles["dish"], *titles["desk"]}
        assert {text for text, _, _ in seen(spec("form", desk, seed=seed))} & set(titles["desk"])


def test_a_sum_that_is_paid_stands_on_a_slip_without_goods(seen):
    fee = Field(label="Fee", name="fee", value="1,045 euros", fact_id="F001")
    maker = Field(label="Made by", name="maker", value="Kelvane", fact_id="F001")
    raw = read("en")
    goods = {*raw["receipt_items"], "TOTAL"}
    for seed in range(8):
        paid = {text for text, _, _ in seen(spec("receipt", fee, seed=seed, about="fee"))}
        assert not paid & goods and paid & set(raw["slip_paid"]) and "1,045 euros" in paid
        bought = {text for text, _, _ in seen(spec("receipt", maker, seed=seed, about="maker"))}
        assert bought & goods and not bought & set(raw["slip_paid"])


def test_a_ticket_has_one_row_of_words_that_go_together(seen):
    rows = read("en")["ticket_rows"]["dish"]
    menu = Field(label="Menu", name="dish", value="paella", fact_id="F001")
    for seed in range(8):
        texts = {text for text, _, _ in seen(spec("ticket", menu, seed=seed, about="dish"))}
        assert any({title, event, where} <= texts for title, event, where, _ in rows)


def test_only_what_rises_and_falls_has_an_arrow(monkeypatch):
    from memarena_builder.pictures.kinds import dashboard

    traced = []
    monkeypatch.setattr(dashboard, "_trace", lambda sheet, at, accent, roomy: traced.append(at))
    codes = ("48869", "4.11.9", "HD-364-6", "3 of 5", "BBB+", "V2.23", "3 / 3", "8 min ago")
    draw(spec("dashboard", *(Field(label="Item", value=each, fact_id="F1") for each in codes)))
    assert traced == []
    amounts = ("43 %", "89 ms", "72,900 euros", "16", "4.2 / 5", "33 °C", "80000元")
    draw(spec("dashboard", *(Field(label="Item", value=each, fact_id="F1") for each in amounts)))
    assert len(traced) == len(amounts)


def test_badges_of_one_sample_are_of_one_house_and_samples_differ(seen):
    houses = set()
    for domain in domains_of("en"):
        plan = make_plan(load(domain), QUOTA, Streams(11, (domain,)))
        badges = [each for each in plan.pictures.values() if each.kind == "badge"]
        firms = {text for each in badges for text, _, _ in seen(each)} & set(read("en")["badge_firms"])
        assert len(firms) == 1 or not badges
        houses |= firms
    assert len(houses) > 1


NUMBERED = {"ID", "Phone", "Staff no.", "Serial no.", "编号", "电话", "工号", "机号"}
"""Entries that tell one thing from another."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_lasts_is_the_same_in_all_pictures_of_a_thing(language):
    lasting, shared, again = read(language)["lasting"], read(language)["shared"], 0
    for domain in domains_of(language):
        plan = make_plan(load(domain, language), replace(QUOTA, sessions=14, language=language), Streams(6, (domain,)))
        found: dict[tuple[str, str, str], set[str]] = {}
        for each in plan.pictures.values():
            for field in each.fields:
                alone = field.label in set(lasting.get(each.kind, ())) - set(shared.get(each.kind, ()))
                if not field.fact_id and alone:
                    found.setdefault((each.kind, each.subject, field.label), set()).add(field.value)
                    again += 1
        assert {key: values for key, values in found.items() if len(values) > 1} == {}
        assert len({values.pop() for (_, _, label), values in found.items() if label in NUMBERED}) >= 3
        again -= len(found)
    assert again > 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_who_are_at_the_same_evening_hold_tickets_to_the_same_evening(language, seen):
    raw, shared, nights = read(language), read(language)["shared"]["ticket"], 0
    titles = {title for rows in raw["ticket_rows"].values() for title, *_ in rows}
    for domain, seed in product(domains_of(language), range(4)):
        quota = replace(QUOTA, sessions=14, language=language)
        plan = make_plan(load(domain, language), quota, Streams(seed, (domain,)))
        tickets: dict[str, list[PictureSpec]] = {}
        for each in plan.pictures.values():
            if each.kind == "ticket":
                tickets.setdefault(each.about, []).append(each)
        for alike in tickets.values():
            told = {(field.label, field.value) for each in alike for field in each.fields if field.label in shared}
            assert len(told) == len({label for label, _ in told})
            assert len({frozenset(titles & {text for text, _, _ in seen(each)}) for each in alike}) == 1
            nights += len({each.subject for each in alike}) > 1
    assert nights >= 1


def test_a_dashboard_shows_as_many_days_as_it_says(planned, seen):
    for each in planned["dashboard"]:
        told = seen(each)
        texts = {text for text, _, _ in told}
        (weeks,) = (number for number, text in enumerate(read(each.language)["dashboard_ranges"], 2) if text in texts)
        days = [(box.left + box.right) / 2 for text, box, _ in told if text in read(each.language)["weekdays"]]
        every = 3 if weeks < 4 else 4
        assert len(days) == -(-7 * weeks // every)


def test_boxes_on_a_shelf_have_labels_of_their_own(planned, seen):
    for each in planned["shelf"]:
        labels = [text for text, _, _ in seen(each) if text in read(each.language)["shelf_labels"]]
        assert len(labels) == len(set(labels))


def test_handwriting_in_a_chinese_picture_is_one_hand(planned, seen, monkeypatch):
    from memarena_builder.pictures import hand

    monkeypatch.setattr(hand, "write", lambda *given: pytest.fail(f"the strokes for Latin letters write {given[0]}"))
    for kind in ("note", "whiteboard", "calendar", "form"):
        for each in planned[kind]:
            if each.language == "zh":
                assert seen(each)
    assert fonts.WRITTEN == {"zh": "kai"}
