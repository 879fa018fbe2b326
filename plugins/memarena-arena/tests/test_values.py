from __future__ import annotations

from datetime import date
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena_arena.language import values
from memarena_arena.language.dates import Period, find, first_day, write
from memarena_arena.language.lines import LONGEST, lines, sentences
from memarena_arena.language.periods import Match, agrees, match
from memarena_arena.language.relative import find_anchored
from memarena_arena.language.spoken import said
from memarena_arena.language.statements import statement
from memarena_arena.language.words import alike, stem

MONDAY = date(2023, 5, 8)


def keys(text: str) -> list[str]:
    return [each.key for each in values.extract(text)[0]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,240", ["#1240"]),
        ("$1240.00", ["#1240"]),
        ("$51.3k", ["#51300"]),
        ("1.2 million", ["#1200000"]),
        ("3.5mg", ["#3.5"]),
        ("3.5 mg", ["#3.5"]),
        ("a 5K run", ["#5"]),
        ("1,2,3", ["#1", "#2", "#3"]),
        ("10-12 people", ["#10", "#12"]),
        ("-5 degrees", ["#-5"]),
        ("007", ["#7"]),
        ("the 2nd", ["#2"]),
        ("3:30 pm", ["t15:30"]),
        ("15:30", ["t15:30"]),
        ("12 am", ["t00:00"]),
        ("8 a.m.", ["t08:00"]),
        ("S04_img_1, S04_img_12", ["@s04_img_1", "@s04_img_12"]),
        ("v2.1.0", ["@v2.1.0"]),
        ("AB-123", ["@ab-123"]),
        ("1万", ["#10000"]),
        ("分机号是2011转", ["#2011"]),
        ("剂量为4,200毫克", ["#4200"]),
        ("none here", []),
    ],
)
def test_a_value_has_one_key_however_it_is_written(text: str, expected: list[str]) -> None:
    assert keys(text) == expected


def test_what_was_taken_is_blanked_out() -> None:
    found, rest = values.extract("at 3:30 pm, 12 men")
    assert [each.key for each in found] == ["t15:30", "#12"]
    assert rest == "at \0\0\0\0\0\0\0, \0\0 men"


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("7 May 2023", "2023-05-07", "2023-05-07"),
        ("May 7th, 2023", "2023-05-07", "2023-05-07"),
        ("2023-05-07", "2023-05-07", "2023-05-07"),
        ("1:56 pm on 8 May, 2023", "2023-05-08", "2023-05-08"),
        ("Jan 02, 2025, 09:00:00", "2025-01-02", "2025-01-02"),
        ("22August, 2022", "2022-08-22", "2022-08-22"),
        ("05/07/2023", "2023-05-07", "2023-05-07"),
        ("25/12/2023", "2023-12-25", "2023-12-25"),
        ("November 5-6, 2022", "2022-11-05", "2022-11-06"),
        ("May, 2023", "2023-05-01", "2023-05-31"),
        ("April.2023", "2023-04-01", "2023-04-30"),
        ("2023-06", "2023-06-01", "2023-06-30"),
        ("summer of 2024", "2024-06-01", "2024-08-31"),
        ("winter 2023", "2023-12-01", "2024-02-29"),
        ("in 2022", "2022-01-01", "2022-12-31"),
        ("2023年5月7日", "2023-05-07", "2023-05-07"),
        ("2023年5月", "2023-05-01", "2023-05-31"),
        ("the Friday before 15 July 2023", "2023-07-14", "2023-07-14"),
        ("the week before 9 June 2023", "2023-06-02", "2023-06-08"),
        ("the weekend before 17 July 2023", "2023-07-15", "2023-07-16"),
        ("two days before 3 March 2023", "2023-03-01", "2023-03-01"),
        ("a few days before 22 November 2023", "2023-11-16", "2023-11-21"),
        ("first week of June 2023", "2023-06-01", "2023-06-07"),
        ("two months after 3 March 2023", "2023-05-01", "2023-05-31"),
    ],
)
def test_a_date_is_a_period_of_days(text: str, first: str, last: str) -> None:
    [found] = find_anchored(text)
    assert (found.period.first.isoformat(), found.period.last.isoformat()) == (first, last)


@pytest.mark.parametrize("text", ["31 February 2023", "2023-13-40", "7:55 pm on 9 Juin, 2023 ", "$2023", "mayor 5"])
def test_what_the_calendar_does_not_have_is_no_day(text: str) -> None:
    assert first_day(text) is None


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("I went yesterday", "7 May 2023"),
        ("the day before yesterday", "6 May 2023"),
        ("we meet tomorrow", "9 May 2023"),
        ("this morning", "8 May 2023"),
        ("last Friday", "5 May 2023"),
        ("on Friday", "5 May 2023"),
        ("next Friday", "12 May 2023"),
        ("last week", "the week before 8 May 2023"),
        ("next month", "June 2023"),
        ("last year", "2022"),
        ("three days ago", "5 May 2023"),
        ("two weeks ago", "two weeks before 8 May 2023"),
        ("a few days ago", "a few days before 8 May 2023"),
        ("four years ago", "2019"),
        ("last weekend", "the weekend before 8 May 2023"),
        ("last summer", "summer 2022"),
        ("on August 9", "9 August 2023"),
        ("on the 3rd", "3 May 2023"),
        ("昨天", "7 May 2023"),
    ],
)
def test_a_spoken_date_hangs_on_the_day_of_speech(text: str, phrase: str) -> None:
    [found] = said(text, MONDAY)
    assert found.phrase == phrase


def test_without_a_day_a_spoken_date_is_not_made_up() -> None:
    assert said("I went yesterday", None) == ()


def test_a_written_date_reads_as_itself() -> None:
    for text in ("7 May 2023", "May 2023", "2023", "5-6 November 2022"):
        assert write(find(text)[0].period) == text


@pytest.mark.parametrize(
    ("given", "wanted", "expected"),
    [
        ("May 7, 2023", "7 May 2023", Match.SAME),
        ("7 May", "7 May 2023", Match.SAME),
        ("7 May 2023", "May 2023", Match.SAME),
        ("May 2023", "7 May 2023", Match.VAGUER),
        ("2023", "7 May 2023", Match.VAGUER),
        ("8 May 2023", "7 May 2023", Match.OTHER),
        ("7 May 2022", "7 May 2023", Match.OTHER),
        ("the week of 6 June 2023", "the week before 9 June 2023", Match.SAME),
    ],
)
def test_dates_match_as_values(given: str, wanted: str, expected: Match) -> None:
    assert match(find_anchored(given)[0].period, find_anchored(wanted)[0].period) is expected


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2199, 12, 31)))
def test_every_day_agrees_with_itself_in_every_format(day: date) -> None:
    period = Period(day, day)
    for form in (
        write(period),
        day.isoformat(),
        f"{day:%B} {day.day}, {day.year}",
        f"{day.year}年{day.month}月{day.day}日",
    ):
        [found] = find(form)
        assert agrees(found.period, period)


@given(st.decimals(min_value=0, max_value=10**9, places=2))
def test_separators_and_trailing_zeros_do_not_change_a_number(number: object) -> None:
    assert keys(f"{number:,}") == keys(f"{number}") == keys(f"${number}00")


def test_a_line_gives_its_speaker_and_its_day() -> None:
    [line] = lines("[1:56 pm on 8 May, 2023] Caroline: I went there. It was good.")
    assert (line.speaker, line.day, line.sentences) == ("Caroline", MONDAY, ("I went there.", "It was good."))


def test_the_lines_of_a_picture_give_its_id_and_caption() -> None:
    body, caption = lines("user: Look.\n\nimage:\nimage_id: S04_img_1\nimage_caption: a red door")
    assert (body.body, body.image_id) == ("Look.", "")
    assert (caption.body, caption.image_id, caption.is_caption) == ("a red door", "S04_img_1", True)


def test_a_line_that_is_only_a_time_dates_the_lines_after_it() -> None:
    [line] = lines("DATE: 1:56 pm on 8 May, 2023\nuser: hello")
    assert (line.day, line.speaker) == (MONDAY, "user")


def test_a_list_of_facts_has_no_speakers() -> None:
    assert [(line.body, line.speaker) for line in lines("- likes tea\n- The plan: we go")] == [
        ("likes tea", ""),
        ("The plan: we go", ""),
    ]


@pytest.mark.parametrize(
    ("text", "held", "not_held"),
    [
        ("I moved from Boston to Leeds.", "Leeds", "Boston"),
        ("Aiko no longer lives in Boston", "", "Boston"),
        ("Aiko used to live in Boston, but now lives in Leeds.", "Leeds", "Boston"),
        ("He replaced the oak desk with a pine table", "pine", "oak"),
        ("The oak desk was replaced by a pine table", "pine", "oak"),
        ("She drinks coffee instead of tea", "coffee", "tea"),
        ("He doesn't eat meat, but he eats fish", "fish", "meat"),
        ("A colleague joked that we should move to Turin", "", "Turin"),
        ("I can't wait to see Rex", "Rex", ""),
        ("Not only tea", "tea", ""),
    ],
)
def test_a_sentence_holds_some_of_its_words_and_turns_others(text: str, held: str, not_held: str) -> None:
    found = statement(text).held
    assert not held or stem(held.lower()) in found
    assert not not_held or stem(not_held.lower()) not in found


def test_words_are_alike_by_their_beginnings_only_when_long() -> None:
    assert alike(stem("psychology"), stem("psychologist"))
    assert not alike("car", "carpet")


@given(st.text(max_size=300))
def test_sentences_lose_no_word(text: str) -> None:
    joined = "".join("".join(sentences(text)).split())
    assert joined == "".join(text.split())


@given(st.text(max_size=300), st.dates())
def test_reading_never_fails(text: str, day: date) -> None:
    for line in lines(text):
        for sentence in line.sentences:
            statement(sentence)
            said(sentence, day)
    find_anchored(text)


UNITS = ("1", "a", "-", "1,", "1a", "$", "3:", "_", " ", "1.", "前", "[", "(", "A ", "A: ", "\n", "image:", "a. ")
PHRASES = ("May ", "from ", "not ", "1 May ", "n't", "last ", "the week before ")


@pytest.mark.parametrize("unit", UNITS + PHRASES)
def test_a_hundred_thousand_characters_of_one_kind_are_read_at_once(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    start = process_time()
    found = lines(text)
    for line in found[:2000]:
        for sentence in line.sentences:
            assert len(sentence) <= LONGEST
            statement(sentence)
    assert process_time() - start < 5
