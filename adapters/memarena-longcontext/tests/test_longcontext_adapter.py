from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena.meter import estimate_tokens
from memarena.records import Attachment, RunContext, Turn
from memarena_longcontext import LongContext, LongContextOptions
from memarena_longcontext.adapter import PROMPT, STEP
from memarena_longcontext.history import GAP, History, fit, newest_pictures, render

CONTEXT = RunContext(folder="", namespace="test")


def turn(session_id: str, index: int, role: str, text: str, *pictures: Attachment, time: str | None = None) -> Turn:
    return Turn(
        turn_id=f"{session_id}:T{index}",
        session_id=session_id,
        index=index,
        role=role,
        text=text,
        time=time,
        attachments=pictures,
    )


def picture(number: int, path: str | None = "") -> Attachment:
    return Attachment(image_id=f"img_{number}", path=f"/p/{number}.png" if path == "" else path)


def heard(adapter: LongContext, *turns: Turn) -> LongContext:
    adapter.reset(CONTEXT)
    for said in turns:
        adapter.ingest_turn(said)
    adapter.end_session(turns[-1].session_id)
    return adapter


def small(room: int, **options) -> LongContext:
    """An adapter with room for `room` tokens of history, for a question of up to 64 tokens."""
    return LongContext(LongContextOptions(window=room + PROMPT + STEP, reserve=0, **options))


def numbered(count: int) -> list[Turn]:
    """Rounds of one turn and 20 tokens each, `user`, `:`, and 18 words of one token."""
    return [turn("S1", index, "user", " ".join([f"n{index:02}"] * 18)) for index in range(count)]


def kept(text: str) -> list[str]:
    """The numbers of `numbered` that are in `text`, and the gap."""
    return [part if part == GAP else part.split()[1] for part in text.split("\n\n") if not part.startswith("Session")]


def ask(adapter: LongContext, query: str = "Who?", top_k: int = 10, budget_tokens: int | None = None):
    return adapter.retrieve(query, top_k, budget_tokens)


def test_the_whole_history_is_one_item_with_a_heading_a_session():
    adapter = heard(
        LongContext(),
        turn("S1", 0, "user", "Hello.", time="Jan 05"),
        turn("S1", 1, "assistant", "Hi."),
        turn("S1", 2, "user", "Bye.", time="Jan 05"),
        turn("S2", 0, "user", "Again.", time="Feb 01"),
    )
    (item,) = ask(adapter).items
    assert item.text == (
        "Session S1, Jan 05\n\n[Jan 05] user: Hello.\nassistant: Hi.\n\n[Jan 05] user: Bye.\n\n"
        "Session S2, Feb 01\n\n[Feb 01] user: Again."
    )


def test_an_empty_history_gives_no_item():
    adapter = LongContext()
    adapter.reset(CONTEXT)
    assert ask(adapter).items == ()


def test_the_oldest_rounds_go_first():
    """Five rounds of 20 tokens and a heading of 3 are 103 of 110 tokens; a sixth round would make 123."""
    assert kept(ask(heard(small(110), *numbered(8))).items[0].text) == ["n03", "n04", "n05", "n06", "n07"]


def test_the_middle_goes_by_option():
    """The gap takes 5 of 120 tokens; two old rounds (3 + 20 + 20) fit half of 115, three new ones (63) the rest."""
    text = ask(heard(small(120, truncate="middle"), *numbered(9))).items[0].text
    assert kept(text) == ["n00", "n01", GAP, "n06", "n07", "n08"]


def test_what_fits_whole_has_no_gap():
    assert GAP not in ask(heard(small(400, truncate="middle"), *numbered(6))).items[0].text


def test_the_trace_says_how_much_was_dropped():
    assert ask(heard(small(110), *numbered(8))).trace == {"rounds": 8, "dropped_rounds": 3, "pictures": 0}


def test_the_kept_text_is_within_the_budget_of_window_reserve_and_question():
    adapter = heard(LongContext(LongContextOptions(window=1000, reserve=200)), *numbered(100))
    text = ask(adapter, "word " * 100).items[0].text
    assert estimate_tokens(text) <= 1000 - 200 - PROMPT - 128
    assert estimate_tokens(text) > 1000 - 200 - PROMPT - 128 - 22


def test_at_least_a_hundred_tokens_are_kept_whatever_the_window():
    assert len(kept(ask(heard(LongContext(LongContextOptions(window=10)), *numbered(9))).items[0].text)) == 4


def test_a_question_s_own_budget_counts_too():
    assert kept(ask(heard(LongContext(), *numbered(9)), budget_tokens=45).items[0].text) == ["n07", "n08"]


def test_the_questions_of_a_checkpoint_get_the_same_text():
    adapter = heard(small(110), *numbered(8))
    first = ask(adapter, "Who?").items[0].text
    assert ask(adapter, "Where was the boat?").items[0].text is first


def test_a_longer_question_that_leaves_the_same_rounds_gets_the_same_text():
    adapter = heard(LongContext(), *numbered(6))
    assert ask(adapter, "word " * 300).items[0].text is ask(adapter, "Who?").items[0].text


def test_what_was_said_since_is_in_the_next_text():
    adapter = heard(LongContext(), *numbered(1))
    ask(adapter)
    adapter.ingest_turn(turn("S2", 0, "user", "News."))
    adapter.end_session("S2")
    assert ask(adapter).items[0].text.endswith("Session S2\n\nuser: News.")


def test_pictures_follow_the_text_newest_first_up_to_k():
    adapter = heard(LongContext(), *(turn("S1", n, "user", "Look.", picture(n)) for n in range(5)))
    items = ask(adapter, top_k=4).items
    assert [(item.image_id, item.image_path) for item in items] == [
        ("", ""),
        ("img_4", "/p/4.png"),
        ("img_3", "/p/3.png"),
        ("img_2", "/p/2.png"),
    ]


def test_only_the_newest_pictures_are_kept():
    adapter = heard(
        LongContext(LongContextOptions(max_pictures=2)), turn("S1", 0, "user", "Look.", *map(picture, range(4)))
    )
    assert [item.image_id for item in ask(adapter).items[1:]] == ["img_3", "img_2"]


def test_a_picture_takes_its_tokens_of_the_budget_and_goes_with_its_round():
    """A round with its picture takes 20 + 40 tokens, and the heading 3: two rounds are 123 of 125."""
    turns = [turn("S1", n, "user", said.text, picture(n)) for n, said in enumerate(numbered(3))]
    found = ask(heard(small(125, tokens_per_picture=40), *turns))
    assert kept(found.items[0].text) == ["n01", "n02"]
    assert [item.image_id for item in found.items[1:]] == ["img_2", "img_1"]


def test_a_picture_that_is_not_handed_over_costs_nothing_and_is_not_listed():
    found = ask(heard(small(110), *(turn("S1", n, "user", f"n{n:02}", picture(n, None)) for n in range(3))))
    assert len(found.items) == 1
    assert kept(found.items[0].text) == ["n00", "n01", "n02"]


def test_a_picture_that_was_shown_twice_is_listed_once():
    adapter = heard(LongContext(), *(turn("S1", n, "user", "Look.", picture(7)) for n in range(2)))
    assert [item.image_id for item in ask(adapter).items] == ["", "img_7"]


def test_reset_forgets_texts_that_were_made():
    adapter = heard(LongContext(), *numbered(1))
    ask(adapter)
    adapter.reset(CONTEXT)
    assert ask(adapter).items == ()


@pytest.mark.parametrize("middle", [False, True])
@given(
    sizes=st.lists(st.integers(1, 60), max_size=25),
    cuts=st.sets(st.integers(0, 24)),
    budget=st.integers(0, 400),
)
def test_what_is_kept_never_exceeds_the_budget(middle, sizes, cuts, budget):
    history, session = History(), 0
    for index, size in enumerate(sizes):
        session += index in cuts
        history.add(turn(f"S{session}", index, "user", " ".join(["word"] * size)))
    history.close()
    costs = [found.tokens for found in history.rounds]
    runs = fit(history.rounds, costs, budget, middle=middle)
    assert estimate_tokens(render(history.rounds, runs)) <= budget
    places = [place for run in runs for place in run]
    assert places == sorted(set(places))


def test_the_newest_pictures_are_counted_from_the_end():
    history = History()
    for index in range(3):
        history.add(turn("S1", index, "user", "Look.", picture(2 * index), picture(2 * index + 1)))
    history.close()
    shown = newest_pictures(history.rounds, 3)
    assert [[it.image_id for it in pictures] for pictures in shown] == [[], ["img_3"], ["img_4", "img_5"]]


def test_what_a_world_tells_opens_a_round_and_what_an_agent_does_closes_it():
    history = History()
    for index, role in enumerate(["environment", "agent", "environment", "agent", "teacher"]):
        history.add(turn("S1", index, role, f"{role} {index}"))
    history.close()
    assert len(history.rounds) == 3
