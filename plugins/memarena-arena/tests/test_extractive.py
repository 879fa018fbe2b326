from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena.records import NOT_MENTIONED, Answer, AskedQuestion, Shown, ShownItem
from memarena_arena.extractive import ExtractiveAnswerer, ExtractiveOptions


def answer(question: str, *texts: str, options: ExtractiveOptions | None = None) -> Answer:
    items = tuple(ShownItem(rank=at, memory_id=f"m{at}", text=text) for at, text in enumerate(texts, 1))
    return ExtractiveAnswerer(options).answer(AskedQuestion(question_id="q", text=question), Shown(items=items))


PROFILE = "[Jan 02, 2025, 09:00:00] user: Hi, I am Aiko. I live in Boston and my project has a budget of $1,240."
MOVE = "[Jan 09, 2025, 10:05:00] user: Big news: I moved from Boston to Leeds last week."
CUT = "[Jan 16, 2025, 09:00:00] user: Finance cut the budget to $51,300."
BOARD = (
    "user: Here is the whiteboard from today.\n\n"
    "image:\nimage_id: S01_img_1\nimage_caption: Whiteboard listing three tasks; owner Ruth"
)
CAFE = "user: Lunch!\n\nimage:\nimage_id: S02_img_12\nimage_caption: Photo of a cafe with green chairs"
TALK = "\n".join(
    (
        "[1:56 pm on 8 May, 2023] Caroline: I went to a support group yesterday and it was so powerful.",
        "[1:56 pm on 8 May, 2023] Melanie: Wow! I ran a charity race last Saturday. I signed up for pottery too.",
        "[9:00 am on 25 May, 2023] Caroline: I adopted two kittens, they are called Tom and Zoe.",
        "[9:00 am on 25 May, 2023] Melanie: Lovely! I've been married for five years now.",
    )
)


@pytest.mark.parametrize(
    ("question", "texts", "expected"),
    [
        ("When did Caroline go to the support group?", (TALK,), "7 May 2023"),
        ("When did Melanie run the charity race?", (TALK,), "6 May 2023"),
        ("How many kittens did Caroline adopt?", (TALK,), "two"),
        ("How long has Melanie been married?", (TALK,), "five years"),
        ("What are Caroline's kittens called?", (TALK,), "Tom and Zoe"),
        ("Which city does Aiko live in now?", (PROFILE, MOVE), "Leeds"),
        ("Which city does Aiko live in now?", (MOVE, PROFILE), "Leeds"),
        ("How much is the project budget now?", (PROFILE, CUT), "$51,300"),
        ("Which picture shows the whiteboard?", (BOARD, CAFE), "S01_img_1"),
        ("Which picture shows the cafe?", (BOARD, CAFE), "S02_img_12"),
        ("Is the mug clean or dirty?", ("The mug is dirty.",), "dirty"),
        ("Does Aiko like tea?", ("Aiko does not like tea.",), "No"),
        ("Does Aiko like tea?", ("Aiko likes tea with milk.",), "Yes"),
        ("Why did Aiko stay home?", ("Aiko stayed home because the trains were on strike.",), "trains were on strike"),
        ("Who called Aiko?", ("Yesterday Ruth Ames called Aiko.",), "Ruth Ames"),
        ("艾子住在哪里？", ("艾子住在利兹。",), "利兹"),
    ],
)
def test_the_answer_is_taken_from_what_is_shown(question: str, texts: tuple[str, ...], expected: str) -> None:
    assert expected in answer(question, *texts).text


def test_an_answer_cites_the_items_it_rests_on() -> None:
    assert answer("Which picture shows the whiteboard?", CAFE, BOARD).cited == ("m2",)


def test_pictures_are_separated_by_commas() -> None:
    texts = [f"image:\nimage_id: S0{n}_img_1\nimage_caption: a red bicycle" for n in (1, 2)]
    assert answer("Which pictures show a red bicycle?", *texts).text == "S01_img_1, S02_img_1"


def test_a_picture_handed_over_beside_its_text_is_named() -> None:
    item = ShownItem(rank=1, memory_id="m", text="The red bicycle in the yard", image_id="S09_img_2")
    asked = AskedQuestion(question_id="q", text="Which picture shows the red bicycle?")
    assert ExtractiveAnswerer().answer(asked, Shown(items=(item,))).text == "S09_img_2"


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("What is the name of Aiko's dog?", ()),
        ("What is the name of Aiko's dog?", (PROFILE, MOVE)),
        ("What is the name of Aiko's dog?", ("",)),
        ("Which volcano did Bob climb?", (TALK,)),
        ("When did Melanie go to the support group?", (TALK,)),
        ("", (TALK,)),
        ("?", (TALK,)),
    ],
)
def test_it_abstains_where_nothing_supports_an_answer(question: str, texts: tuple[str, ...]) -> None:
    found = answer(question, *texts)
    assert (found.text, found.cited) == (NOT_MENTIONED, ())


def test_a_joke_is_not_where_somebody_lives() -> None:
    joke = "[Jan 16, 2025, 09:00:00] user: A colleague joked that I should move to Turin."
    assert answer("Which city does Aiko live in now?", PROFILE, MOVE, joke).text == "Leeds"


def test_what_was_first_is_not_replaced_by_what_is_newer() -> None:
    assert answer("How much was the project budget at first?", PROFILE, CUT).text == "$1,240"


def test_a_long_sentence_is_cut_to_the_words_allowed() -> None:
    long = "Aiko paints " + ", ".join(f"thing{n} in a rather long row of other things" for n in range(30))
    found = answer("What does Aiko paint?", long, options=ExtractiveOptions(words=12))
    assert 0 < len(found.text.split()) <= 12


def test_support_decides_when_it_abstains() -> None:
    question, text = "What colour is the old wooden garden gate of Aiko?", "The gate is green."
    assert answer(question, text, options=ExtractiveOptions(support=0.05)).text != NOT_MENTIONED
    assert answer(question, text, options=ExtractiveOptions(support=0.9, support_among_many=0.9)).text == NOT_MENTIONED


def test_a_whole_history_in_one_item_is_answered_in_milliseconds() -> None:
    history = "\n".join(
        f"[9:00 am on {1 + n % 28} May, 2023] {'Ann' if n % 2 else 'Bob'}: On trip {n} I bought lamp {n} in town {n}."
        for n in range(6000)
    )
    assert "4321" in answer("What did Ann buy in town 4321?", history).text
    start = process_time()
    for n in range(100, 150):
        answer(f"What did Ann buy in town {n}?", history)
    assert (process_time() - start) / 50 < 0.1


@given(st.text(max_size=80), st.lists(st.text(max_size=200), max_size=4))
def test_it_never_fails_and_never_answers_with_nothing(question: str, texts: list[str]) -> None:
    first, again = answer(question, *texts), answer(question, *texts)
    assert first.text.strip()
    assert first == again


@pytest.mark.parametrize("unit", ["1", "a", "A ", "from ", "A. ", "前", "image:\n", "not ", "$1,", '"', "because "])
def test_a_hundred_thousand_characters_of_one_kind_are_answered_from_at_once(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    start = process_time()
    for question in ("When did A go from 1?", "Who is not A because of 1?", text):
        answer(question, text)
    assert process_time() - start < 20
