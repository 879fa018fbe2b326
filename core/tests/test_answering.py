"""What the answerer sees: items cut to the budgets of items, tokens and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena import meter
from memarena.answering import ShowSettings, answer, sessions_of, shorten, show
from memarena.cell import CellSettings
from memarena.errors import ModelError
from memarena.records import Answer, AskedQuestion, Question, RetrievedItem, Shown
from memarena.testing.tiny import tiny_samples


def item(number: int, text: str = "one two", path: str = "") -> RetrievedItem:
    return RetrievedItem(memory_id=f"m{number}", text=text, image_path=path)


def test_items_beyond_top_k_are_cut_and_counted() -> None:
    shown = show([item(number) for number in range(5)], ShowSettings(top_k=3))
    assert [one.rank for one in shown.items] == [1, 2, 3]
    assert shown.cut_items == 2


def test_an_item_that_does_not_fit_the_tokens_goes_as_a_whole_and_a_later_one_may_fit() -> None:
    items = [item(1, "aaaa bbbb"), item(2, "aaaa bbbb cccc dddd"), item(3, "aaaa")]
    shown = show(items, ShowSettings(budget_tokens=3))
    assert [one.memory_id for one in shown.items] == ["m1", "m3"]
    assert (shown.tokens, shown.cut_tokens, shown.cut_items) == (3, 4, 1)


def test_a_first_item_that_is_too_long_is_shortened() -> None:
    shown = show([item(1, "aaaa bbbb cccc")], ShowSettings(budget_tokens=2))
    assert shown.items[0].text.strip() == "aaaa bbbb"
    assert (shown.tokens, shown.cut_tokens) == (2, 1)


@given(st.text(max_size=60), st.integers(0, 12))
def test_a_shortened_text_fits_and_is_the_longest_that_does(text: str, budget: int) -> None:
    kept = shorten(text, budget)
    assert text.startswith(kept)
    assert meter.estimate_tokens(kept) <= budget
    assert kept == text or meter.estimate_tokens(text[: len(kept) + 1]) > budget


def test_a_text_is_never_cut_inside_a_character() -> None:
    assert shorten("😀" * 20, 4) == "😀" * 4


def test_each_picture_is_handed_over_once_up_to_the_limit(tmp_path: Path) -> None:
    paths = []
    for number in range(3):
        (tmp_path / f"{number}.png").write_bytes(b"png")
        paths.append(str(tmp_path / f"{number}.png"))
    items = [item(1, path=paths[0]), item(2, path=paths[0]), item(3, path=paths[1]), item(4, path=paths[2])]
    shown = show(items, ShowSettings(max_pictures=2))
    assert [one.image_path for one in shown.items] == [paths[0], "", paths[1], ""]
    assert shown.cut_pictures == 1


def test_a_picture_that_cannot_be_read_and_pictures_off_show_none(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone.png")
    assert show([item(1, path=gone)], ShowSettings()).cut_pictures == 1
    assert show([item(1, path=gone)], ShowSettings(pictures=False)).items[0].image_path == ""


class Answering:
    name, revision = "answering", 1

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.asked: list[Any] = []

    def answer(self, asked: AskedQuestion, shown: Shown) -> Answer:
        self.asked.append((asked, shown))
        if self.error:
            raise self.error
        return Answer(question_id=asked.question_id, text="Leeds")


QUESTION = Question(question_id="C1:Q001", text="Where?", reference="GOLD", type="DU", stale_answers=("GOLD",))


def ask(answerer: Answering) -> Any:
    return answer(answerer, QUESTION, [item(1)], "cell", CellSettings(), ShowSettings())


def test_the_answerer_sees_no_gold() -> None:
    answerer = Answering()
    assert ask(answerer).answer.text == "Leeds"
    assert "GOLD" not in repr(answerer.asked)
    assert "DU" not in repr(answerer.asked)


def test_an_answerer_that_fails_gives_an_empty_answer_with_the_reason() -> None:
    given = ask(Answering(ValueError("no\nluck")))
    assert (given.answer.text, given.answer.error) == ("", "ValueError: no luck")


def test_a_model_that_cannot_be_used_at_all_stops_the_run() -> None:
    with pytest.raises(ModelError):
        ask(Answering(ModelError("OPENAI_API_KEY is not set")))


def test_evidence_mode_session_shows_each_source_session_once_and_keeps_what_comes_from_none() -> None:
    sample = tiny_samples()[0]
    items = [item(1), item(2), item(3), item(4, "made up")]
    shown = sessions_of(items, [("S02",), ("S01", "S02"), ("S01",), ()], sample, CellSettings())
    assert [one.memory_id for one in shown] == ["S02", "S01", "m4"]
    assert shown[0].text.startswith("[S02]\n[")
    assert all(turn.text in shown[1].text for turn in sample.sessions[0].turns)
