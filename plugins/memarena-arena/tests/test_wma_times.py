"""Times: the written form, ISO, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena_arena.times import KnownTimes, parse

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def written(when: datetime) -> str:
    return f"{MONTHS[when.month - 1]} {when:%d}, {when.year:04}, {when:%H:%M:%S}"


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("Jan 02, 2025, 09:00:00", datetime(2025, 1, 2, 9)),
        ("Dec 31, 1999, 23:59:59", datetime(1999, 12, 31, 23, 59, 59)),
        ("Feb 29, 2024, 00:00:00", datetime(2024, 2, 29)),
        ("2025-01-02T09:00:00", datetime(2025, 1, 2, 9)),
        ("2025-01-02", datetime(2025, 1, 2)),
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56)),
        ("12:09 am on 13 September, 2023", datetime(2023, 9, 13, 0, 9)),
        ("1768964383", datetime(2026, 1, 21, 2, 59, 43, tzinfo=UTC)),
        ("1768964383250", datetime(2026, 1, 21, 2, 59, 43, tzinfo=UTC)),
        ("176896438", None),
        ("7:55 pm on 9 Juin, 2023", None),
        ("13:00 pm on 8 May, 2023", None),
        ("1:56 pm on 31 February, 2023", None),
        ("Feb 29, 2025, 00:00:00", None),
        ("Jan 02, 2025, 24:00:00", None),
        ("Juin 02, 2025, 09:00:00", None),
        ("Jan 0٢, 2025, 09:00:00", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_a_time_is_read_or_none(text: str, when: datetime | None) -> None:
    assert parse(text) == when
    assert KnownTimes().check(text) == (when is not None)


@given(st.datetimes(min_value=datetime(1000, 1, 1)))
def test_the_written_form_of_any_time_is_read_back(when: datetime) -> None:
    when = when.replace(microsecond=0)
    assert parse(written(when)) == when


@given(st.text())
def test_any_text_is_read_or_none(text: str) -> None:
    times = KnownTimes()
    assert times.check(text) == (parse(text) is not None)
    times.sort_key(text)


@given(st.datetimes(min_value=datetime(1900, 1, 1)), st.datetimes(min_value=datetime(1900, 1, 1)))
def test_keys_sort_as_the_times_do(left: datetime, right: datetime) -> None:
    times = KnownTimes()
    keys = []
    for when in (left, right):
        times.check(written(when))
        keys.append(times.sort_key(written(when)))
    assert None not in keys
    assert (str(keys[0]) < str(keys[1])) == (left.replace(microsecond=0) < right.replace(microsecond=0))


def test_a_time_with_an_offset_sorts_as_utc() -> None:
    assert KnownTimes().sort_key("2025-01-02T01:00:00+02:00") == "2025010123:00:00"


def test_numbers_and_written_times_sort_together() -> None:
    key = KnownTimes().sort_key
    assert str(key("2026-01-08T04:10:41Z")) < str(key("1768964383")) < str(key("Jan 22, 2026, 00:00:00"))


def test_a_time_at_the_edge_of_the_calendar_has_no_key() -> None:
    assert KnownTimes().sort_key("0001-01-01T00:00:00+02:00") is None
