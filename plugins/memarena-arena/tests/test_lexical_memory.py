"""Labelled memories, by hand: what the lexical judge must say of what a system keeps."""

from __future__ import annotations

import pytest

from memarena.records import JudgementRequest
from memarena_arena.lexical import LexicalJudge


def verdicts(**request: object) -> tuple[str | None, ...]:
    [found] = LexicalJudge().label([JudgementRequest(**request)])  # type: ignore[arg-type]
    assert found is not None
    return found.verdicts


SUPPORTED = [
    ("Aiko lives in Boston.", "Aiko lives in Boston."),
    ("Aiko lives in Boston.", "- Aiko lives in Boston"),
    ("Aiko lives in Boston.", "[Jan 02, 2025, 09:00:00] user: Hi, I am Aiko. I live in Boston near the sea."),
    ("The project budget is $1,240.", "user: my project has a budget of 1240 dollars"),
    ("Aiko moved to Leeds.", "user: Big news: I moved from Boston to Leeds last week.\nassistant: Congratulations!"),
    ("Aiko moved to Leeds.", "Aiko lives in Leeds."),
    ("Ruth owns three tasks on the whiteboard.", "image:\nimage_id: S01_img_1\nimage_caption: 3 tasks; owner Ruth"),
    ("The inventory holds 4 wood.", "Observation 4. Inventory: 4 wood."),
    ("The review is on 9 June 2023.", "The review takes place on June 9, 2023."),
    ("The call starts at 3:30 pm.", "Their call starts at 15:30."),
    ("Aiko does not eat meat.", "Aiko doesn't eat meat."),
    ("Aiko no longer drinks coffee.", "Aiko no longer drinks coffee"),
    ("The budget was cut from $1,240 to $900.", "Finance cut the budget from $1,240 to $900."),
    ("Aiko adopted a puppy.", "Aiko has adopted a dog."),
    ("The error code is E-1042.", "The device showed error code E-1042 at start."),
    ("艾子住在利兹。", "艾子现在住在利兹"),
    ("预算是5万元", "预算为50000元"),
    ("林晓梅的分机号是4417。", "user: 我抄下晓梅的分机号，4417。大家都点头。"),
    ("林晓梅的爱好是书法。", "user: 林晓梅迷上了书法这个爱好。"),
]

UNSUPPORTED = [
    ("Aiko lives in Boston.", "Aiko lives in Leeds."),
    ("Aiko lives in Boston.", "Aiko no longer lives in Boston."),
    ("Aiko lives in Boston.", "Aiko moved from Boston to Leeds."),
    ("Aiko lives in Boston.", "Aiko used to live in Boston, but now lives in Leeds."),
    ("The project budget is $1,240.", "The project budget is $1,200."),
    ("The project budget is $1,240.", "The project has a budget."),
    ("The review is on 9 June 2023.", "The review takes place on June 10, 2023."),
    ("The call starts at 3:30 pm.", "Their call starts at 3 pm."),
    ("Aiko does not eat meat.", "Aiko eats meat."),
    ("Aiko eats meat.", "Aiko does not eat meat."),
    ("Picture S01_img_1 shows the whiteboard.", "Picture S01_img_12 shows the whiteboard."),
    ("Ruth owns three tasks.", "Ruth owns four tasks."),
    ("Aiko adopted a puppy.", "The weather was fine."),
    ("Aiko drinks coffee.", "Aiko drinks tea instead of coffee."),
    ("The error code is E-1042.", "The error code is E-1043."),
    ("艾子住在利兹。", "艾子不住在利兹"),
    ("林晓梅的分机号是4417。", "user: 我抄下晓梅的分机号，4418。"),
    ("林晓梅的爱好是书法。", "user: 林晓梅迷上了围棋这个爱好。"),
    ("林晓梅的责任护士是邵振华。", "user: 林晓梅的责任护士是孔国栋。"),
]


@pytest.mark.parametrize(("point", "item"), SUPPORTED)
def test_a_point_is_recalled_where_values_and_words_are_held(point: str, item: str) -> None:
    assert verdicts(task="recall", points=(point,), items=("Nothing of note.", item)) == ("yes",)


@pytest.mark.parametrize(("point", "item"), UNSUPPORTED)
def test_a_point_is_not_recalled_from_another_value_or_a_denial(point: str, item: str) -> None:
    assert verdicts(task="recall", points=(point,), items=("Nothing of note.", item)) == ("no",)


def test_values_of_far_apart_sentences_do_not_make_a_fact() -> None:
    filler = " ".join(f"Sentence number {n} tells of the weather." for n in range(20))
    item = f"Aiko lives by the sea. {filler} Bob lives in Boston."
    assert verdicts(task="recall", points=("Aiko lives in Boston by the sea.",), items=(item,)) == ("no",)


NEW, OLD = "Aiko moved to Leeds.", "Aiko lives in Boston."
CUT, FULL = "The project budget is $51,300.", "The project budget is $1,240."
TEA, COFFEE = "Aiko prefers green tea in the morning.", "Aiko prefers strong coffee in the morning."

UPDATES = [
    (NEW, OLD, ("Aiko lives in Leeds.",), "updated"),
    (NEW, OLD, ("I moved from Boston to Leeds last week.",), "updated"),
    (NEW, OLD, ("Aiko no longer lives in Boston.", "Aiko moved to Leeds."), "updated"),
    (NEW, OLD, ("Aiko used to live in Boston, now Aiko lives in Leeds.",), "updated"),
    (NEW, OLD, ("user: I live in Boston.", "user: I moved to Leeds."), "both"),
    (NEW, OLD, ("Aiko lives in Boston.",), "outdated"),
    (NEW, OLD, ("Aiko likes tea.",), "missed"),
    (NEW, OLD, (), "missed"),
    (CUT, FULL, ("Finance cut the budget to $51,300.",), "updated"),
    (CUT, FULL, ("Finance cut the project budget from $1,240 to $51,300.",), "updated"),
    (CUT, FULL, ("The project budget was $1,240 but is now $51,300.",), "updated"),
    (CUT, FULL, ("The project budget is $1,240.", "The project budget is $51,300."), "both"),
    (CUT, FULL, ("The project budget is 1240 dollars.",), "outdated"),
    (TEA, COFFEE, ("Aiko prefers green tea in the morning.",), "updated"),
    (TEA, COFFEE, ("Aiko prefers green tea in the morning instead of strong coffee.",), "updated"),
    (TEA, COFFEE, ("Aiko prefers strong coffee in the morning.",), "outdated"),
    ("Aiko plays chess and go.", "Aiko plays chess.", ("Aiko plays chess and go.",), "updated"),
]


@pytest.mark.parametrize(("new", "old", "items", "expected"), UPDATES)
def test_an_update_is_judged_by_what_is_kept_of_new_and_old(
    new: str, old: str, items: tuple[str, ...], expected: str
) -> None:
    assert verdicts(task="update", points=(new,), replaces=((old,),), items=items) == (expected,)


def test_an_update_that_replaces_nothing_is_updated_or_missed() -> None:
    request = {"task": "update", "points": (NEW, CUT), "replaces": ((), ()), "items": ("Aiko moved to Leeds.",)}
    assert verdicts(**request) == ("updated", "missed")


PLAN = "Aiko plans to move to Turin."
INTERFERENCE = [
    ("user: The budget is cut. By the way, a colleague joked we should all move to Turin.", "memorized"),
    ("Aiko plans to move to Turin.", "memorized"),
    ("Aiko wants to move to Turin next year.", "memorized"),
    ("A colleague joked about Aiko moving to Turin.", "rejected"),
    ("Aiko does not plan to move to Turin.", "rejected"),
    ("Aiko lives in Leeds.", "rejected"),
    ("The plan of moving to Turin was cancelled.", "rejected"),
]


@pytest.mark.parametrize(("item", "expected"), INTERFERENCE)
def test_interference_is_memorized_where_an_item_holds_it(item: str, expected: str) -> None:
    assert verdicts(task="interference", points=(PLAN,), items=("Aiko likes tea.", item)) == (expected,)


DIALOGUE = (
    "Hi, I am Aiko. I live in Boston and my project has a budget of $1,240.",
    "Nice to meet you. I will keep that in mind.",
    "I never eat meat. My sister Ruth visits me on Friday with her two dogs.",
)
FAITHFUL = [
    (DIALOGUE[0], "correct"),
    (f"[Jan 02, 2025, 09:00:00] user: {DIALOGUE[0]}\nassistant: {DIALOGUE[1]}", "correct"),
    ("Aiko lives in Boston.", "correct"),
    ("Aiko's project has a budget of 1240 dollars.", "correct"),
    ("Aiko never eats meat.", "correct"),
    ("Her sister Ruth visits on Friday with two dogs.", "correct"),
    ("Aiko's project has a budget of $2,000.", "hallucination"),
    ("Aiko lives in Paris.", "hallucination"),
    ("Aiko eats meat.", "hallucination"),
    ("Aiko does not live in Boston.", "hallucination"),
    ("Her sister Ruth visits on Friday with three dogs.", "hallucination"),
    ("A volcano erupted on Mars.", "irrelevant"),
    ("Bob bought seventeen submarines yesterday.", "irrelevant"),
    ("", "irrelevant"),
]


@pytest.mark.parametrize(("item", "expected"), FAITHFUL)
def test_a_memory_is_held_against_the_dialogue(item: str, expected: str) -> None:
    found = verdicts(task="correctness", dialogue=DIALOGUE, points=("Aiko lives in Boston.",), items=(item,))
    assert found == (expected,)


def test_a_picture_covers_its_point_by_id_or_by_its_fact() -> None:
    caption = "Whiteboard listing three tasks; owner Ruth"
    request = {
        "task": "coverage",
        "question": "Which picture shows the whiteboard?",
        "points": ("image_id: S01_img_1",) * 2,
        "point_images": ("S01_img_1", "S01_img_1"),
        "point_captions": (caption, caption),
    }
    assert verdicts(**request, items=("whatever",), item_images=("S01_img_1",)) == ("yes", "yes")
    assert verdicts(**request, items=("The whiteboard lists three tasks, owner Ruth.",), item_images=("",))[0] == "yes"
    assert verdicts(**request, items=("A cat.",), item_images=("S01_img_12",)) == ("no", "no")


def test_a_point_without_a_picture_is_covered_by_text_alone() -> None:
    request = {"task": "coverage", "points": ("Ruth owns three tasks.",), "items": ("three tasks are owned by Ruth",)}
    assert verdicts(**request) == ("yes",)


def test_no_items_support_nothing() -> None:
    assert verdicts(task="recall", points=("Aiko lives in Boston.", "x"), items=()) == ("no", "no")
    assert verdicts(task="interference", points=(PLAN,), items=()) == ("rejected",)
    assert verdicts(task="correctness", items=()) == ()
