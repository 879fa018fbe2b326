"""Which items support which points: by hand, and against the pairs one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memarena.judgements import fits
from memarena.records import JudgementRequest, Label
from memarena_arena.lexical import LexicalJudge
from memarena_arena.readings import readings
from memarena_arena.support import Telling, claim, supports

POINTS = (
    "Ana moved to Leeds in May 2024.",
    "Ana's dog is called Bruno.",
    "The build takes 12 minutes.",
    "Ana does not eat fish.",
)
WORDS = ("Ana", "moved", "to", "Leeds", "Boston", "in", "May", "2024", "dog", "is", "called", "Bruno", "the", "build")
WORDS += ("takes", "12", "14", "minutes", "does", "not", "eat", "fish", "no longer", "from", ".", "She", "plans to")


def places(*items: str, points: tuple[str, ...] = POINTS, **more: tuple[str, ...]) -> list[str]:
    request = JudgementRequest(task="support", items=items, points=points, **more)
    (label,) = LexicalJudge().label([request])
    assert fits(label, request)
    return list(label.verdicts)


def test_each_item_gets_the_places_of_the_points_that_it_states():
    both = "Ana moved to Leeds in May 2024. Her dog is called Bruno."
    assert places(both, "The build takes 12 minutes.", "It rains.") == ["0 1", "2", "-"]


def test_another_value_or_a_denial_is_no_support():
    assert places("The build takes 14 minutes.", "Ana eats fish.", "Ana no longer eats fish.") == ["-", "-", "3"]


def test_a_picture_supports_its_point_and_so_does_a_text_that_states_its_caption():
    more = {"point_images": ("S01_img_1",), "point_captions": ("A red bicycle in front of the town hall.",)}
    items = ("a photo", "A red bicycle stands in front of the town hall.", "A blue car.")
    found = places(*items, points=("image_id: S01_img_1",), item_images=("S01_img_1", "", ""), **more)
    assert found == ["0", "0", "-"]


def test_a_point_that_two_turns_state_together_is_supported_by_each_of_them():
    turns = ("[2024-05-01] assistant: What is Ana's dog called?", "[2024-05-01] user: Bruno.")
    assert places(*turns, points=("Ana's dog is called Bruno.",)) == ["0", "0"]


def test_without_items_or_points_there_is_nothing_to_say():
    assert places() == []
    assert places("Ana's dog is called Bruno.", points=()) == ["-"]


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join), max_size=6))
def test_the_verdicts_are_those_of_every_pair_alone(items):
    wanted = [
        [place for place, point in enumerate(POINTS) if supports(Telling(claim(point)), text)]
        for text in readings(items, together=False)
    ]
    assert places(*items) == [" ".join(map(str, each)) or "-" for each in wanted]


def test_a_label_fits_only_with_places_of_points_that_there_are():
    request = JudgementRequest(task="support", items=("a", "b"), points=("x", "y"))
    for verdicts, fit in ((("0 1", "-"), True), (("2", "-"), False), (("", "-"), False), (("0",), False)):
        assert fits(Label(verdicts=verdicts), request) is fit
    assert fits(Label(verdicts=(None, "0")), request)


def test_a_text_without_blanks_supports_the_points_whose_letters_it_has() -> None:
    request = JudgementRequest(
        task="support",
        items=("user: 我帮林晓梅粉刷的家在苏州。", "user: 潘国栋不再花生过敏。"),
        points=("林晓梅的家是在苏州。", "林晓梅的家是在昆明。", "潘国栋不再花生过敏。"),
    )
    label = LexicalJudge().label([request])[0]
    assert label is not None and label.verdicts == ("0", "2")
