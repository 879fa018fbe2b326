"""The words of pictures: dated by the day on which a picture is sent, of no season, and lasting where they say so."""

from __future__ import annotations

import random
import re
from datetime import date, timedelta

import pytest
from builder_orders import QUOTA
from msgspec.structs import replace

from memarena_builder.packs.load import domains_of, languages, load
from memarena_builder.pictures.words import OTHER, Words, read, words
from memarena_builder.plan import make_plan
from memarena_builder.streams import Streams

LANGUAGES = languages()
DAY = date(2026, 3, 12)
"""A Thursday."""
WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
MONTHS = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
]  # fmt: skip


def test_dates_are_counted_from_the_day_on_which_the_picture_was_sent():
    raw = {
        "dates": {"full": "{dd}.{mm}.{yy}", "said": "{weekday} {d} {month}"},
        "months": [f"month{number}" for number in range(1, 13)],
        "weekdays": ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
        "today": "{full 0..0}", "past": "from {full -12..-12} on", "next": "{said 20..20}",
    }  # fmt: skip
    said = Words(raw, random.Random(1), DAY)
    assert (said.one("today"), said.one("past"), said.one("next")) == (
        "12.03.26", "from 28.02.26 on", "Wed 1 month4",
    )  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_date_is_fixed_in_the_words_of_pictures(language):
    raw = read(language)
    months = "|".join({*raw["months"], *(month[:3] for month in raw["months"])})
    fixed = re.compile(
        rf"[\d#]{{1,2}}\.[\d#]{{2}}\.|(?:0[\d#]|1[0-2#])/2\d|[\d#] (?:{months})\b|[\d#]月|[\d#]{{2}}年[\d#]"
    )
    texts = [text for kind in raw["decoys"].values() for ways in kind.values() for text in _strings(ways)]
    assert [text for text in (*texts, *_strings(raw["form_dated"])) if fixed.search(text)] == []
    assert all(
        fixed.search(text)
        for text in ("1#.0#.27", "0#/28", f"1# {raw['months'][4]}" if language == "en" else "6月1#日")
    )


def test_no_occasion_in_the_words_is_bound_to_a_season():
    """Pictures are sent on any day of the year."""
    seasons = re.compile(r"spring|summer|autumn|winter|christmas|easter|[春夏秋冬]", re.IGNORECASE)
    tables = ("ticket_rows", "form_titles", "calendar_notes", "board_notes", "board_tasks", "note_tasks")
    texts = [text for language in LANGUAGES for name in tables for text in _strings(read(language)[name])]
    assert len(texts) > 100 and [text for text in texts if seasons.search(text)] == []


def _strings(found: object) -> list[str]:
    each = found.values() if isinstance(found, dict) else found
    return [found] if isinstance(found, str) else [text for one in each for text in _strings(one)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(12))
def test_the_weekday_on_a_ticket_is_that_of_its_date_which_is_to_come(seed):
    day = DAY + timedelta(days=9 * seed)
    decoys = {each.label: each.value for each in words("en", random.Random(seed), day).decoys("ticket", "seat")}
    weekday, number, month = decoys["Date"].split()
    number_of_month = MONTHS.index(month) + 1
    shown = date(2026 + (number_of_month < day.month), number_of_month, int(number))
    assert weekday == WEEKDAYS[shown.weekday()]
    assert day + timedelta(days=239) < shown <= day + timedelta(days=330)


def test_nobody_has_an_appointment_on_a_weekend():
    for day in range(1, 29):
        said = words("en", random.Random(day), date(2026, 3, day))
        told = next(each.value for each in said.decoys("calendar", "other") if each.label == "Dentist")
        assert date(2026, int(told[3:5]), int(told[:2])).weekday() < 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_shop_sells_while_it_is_open_and_before_the_picture_is_sent(language):
    opens = min(int(each) for text in read(language)["receipt_hours"] for each in re.findall(r"\d+(?=\D*-)", text))
    for day in (date(2026, 3, 1) + timedelta(days=number) for number in range(28)):
        bought = words(language, random.Random(day.day), day).decoys("receipt", OTHER)
        told = next(each.value for each in bought if each.label in ("Date", "日期"))
        number, month, hour = map(int, re.match(r"(\d+)\D(\d+)\D\S* (\d+)", told).groups())
        shown = date(2026, *((month, number) if language == "en" else (number, month)))
        assert shown.weekday() < 5 and day - timedelta(days=4) <= shown <= day
        assert opens < hour < 18


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_lasts_is_an_entry_that_there_is_and_not_dated_by_its_picture(language):
    raw = read(language)
    for kind, labels in raw["lasting"].items():
        entries = {label: ways for table in raw["decoys"][kind].values() for label, ways in table.items()}
        assert set(labels) <= set(entries)
        near = [
            text
            for label in labels
            for text in _strings([entries[label]])
            if re.search(r"\.\.0\}| \+?[0-9]{1,2}\.\.", text)
        ]
        assert near == []


def test_old_pictures_that_come_up_again_are_dated_as_they_were():
    found = 0
    for domain in domains_of("en"):
        plan = make_plan(load(domain), replace(QUOTA, sessions=14), Streams(2, (domain,)))
        facts = {fact.fact_id: fact for fact in plan.facts()}
        for each in plan.pictures.values():
            own = next(field for field in each.fields if field.fact_id)
            assert each.day == facts[own.fact_id].day
        found += sum(event.distraction == "stale" for session in plan.sessions for event in session.events)
    assert found
