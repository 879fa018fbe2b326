from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memarena.errors import UsageError
from memarena_arena.metrics import text

SENTENCES = st.text(st.sampled_from("abdehnot .,'_-5789 \n’é北京。ＡＢสวัสดี"), max_size=40)
ENGLISH = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=40)


def normalised(written: str, tokens: text.Tokens = "paper") -> str:
    return " ".join(text.words(written, tokens))


@pytest.mark.parametrize(
    ("prediction", "reference", "f1", "bleu1"),
    [
        ("The cat walked home.", "A cat walks to the home", 0.857143, 0.477688),
        ("S04_img_4", "S04_img_4, S05_img_1", 0.666667, 0.367879),
        ("3.5 mg", "3.5mg", 0.0, 0.0),
        ("yes", "Yes, it was moved to Friday, May 3, 2025.", 0.2, 0.000335),
        ("dog dog dog", "dog", 0.5, 0.333333),
        ("", "", 0.0, 0.0),
        ("the", "a", 0.0, 0.0),
    ],
)
def test_the_published_vectors_come_out(prediction: str, reference: str, f1: float, bleu1: float) -> None:
    assert text.f1(prediction, reference) == pytest.approx(f1, abs=5e-7)
    assert text.bleu1(prediction, reference) == pytest.approx(bleu1, abs=5e-7)


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("The CAT and a dog", "cat dog"),
        ("$1,200.50", "1 200.50"),
        ("1.2.3", "1.2.3"),
        ("5. or .5", "5 or 5"),
        ("user_name's", "user_name s"),
        ("_the_", "_the_"),
        ("’a b", "’ b"),
        ("tab\tand\nline", "tab line"),
    ],
)
def test_the_normaliser_keeps_points_between_digits_and_underscores(written: str, normal: str) -> None:
    assert normalised(written) == normal


def test_identical_chinese_text_has_bleu_one() -> None:
    assert text.bleu1("今天天气很不错", "今天天气很不错") == 1.0


def test_full_width_punctuation_does_not_block_a_match() -> None:
    assert text.exact("北京。", "北京") == 1.0
    assert text.f1("北京。", "北京", tokens="multilingual") == 1.0
    assert text.f1("北京。", "北京") == 0.0


def test_a_script_without_blanks_is_split_into_characters() -> None:
    assert normalised("住在北京", tokens="multilingual") == "住 在 北 京"
    assert text.f1("住在北京", "他住在上海", tokens="multilingual") == pytest.approx(2 * 2 / (4 + 5))


def test_a_tone_mark_stays_with_its_letter() -> None:
    assert normalised("ที่นี่", tokens="multilingual") == "ที่ นี่"


def test_full_width_digits_and_letters_are_folded() -> None:
    assert text.exact("ＡＢ　３．５", "ab 3.5") == 1.0


def test_a_number_is_not_found_inside_another() -> None:
    assert text.f1("12 people", "1") == 0.0
    assert text.exact("12 people", "1") == 0.0


def test_an_empty_reference_matches_nothing() -> None:
    for answer in ("", "anything"):
        assert (text.f1(answer, ""), text.bleu1(answer, ""), text.exact(answer, "")) == (0.0, 0.0, 0.0)


def test_an_answer_that_is_an_article_counts_in_strict_and_in_exact_match() -> None:
    assert text.f1("A", "a.") == 0.0
    assert text.f1("A", "a.", tokens="strict") == 1.0
    assert text.exact("A", "a.") == 1.0
    assert text.exact("A", "the") == 0.0


def test_one_word_has_bleu_one() -> None:
    assert text.bleu1("Paris", "Paris") == 1.0


def test_word_order_breaks_an_exact_match() -> None:
    assert text.exact("Ann beat Bob", "Bob beat Ann") == 0.0
    assert text.f1("Ann beat Bob", "Bob beat Ann") == 1.0


def test_listing_everything_costs_precision() -> None:
    assert text.f1("tennis golf chess rugby judo polo", "golf") == pytest.approx(2 / 7)


def test_repeats_cost_precision() -> None:
    assert text.f1("no no no no", "no") == pytest.approx(0.4)


def test_an_unknown_way_to_tokenise_is_refused() -> None:
    with pytest.raises(UsageError, match="choose one of paper, multilingual, strict"):
        text.f1("a", "b", tokens="chinese")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "answer", ["", "  ", "Not mentioned in memory.", "No information available.", "I don't know", "Unknown."]
)
def test_abstaining_is_seen(answer: str) -> None:
    assert text.abstains(answer)


@pytest.mark.parametrize("answer", ["Paris", "No", "Unknown Pleasures", "It was not mentioned that he left", "Nothing"])
def test_an_answer_is_not_taken_for_abstaining(answer: str) -> None:
    assert not text.abstains(answer)


@settings(deadline=None)
@given(SENTENCES, SENTENCES)
def test_scores_stay_between_zero_and_one(prediction: str, reference: str) -> None:
    for tokens in ("paper", "multilingual", "strict"):
        assert 0.0 <= text.f1(prediction, reference, tokens=tokens) <= 1.0
        assert 0.0 <= text.bleu1(prediction, reference, tokens=tokens) <= 1.0


@settings(deadline=None)
@given(SENTENCES)
def test_a_text_equals_itself_unless_nothing_is_left_of_it(sentence: str) -> None:
    expected = 1.0 if normalised(sentence) else 0.0
    assert text.f1(sentence, sentence) == expected
    assert text.bleu1(sentence, sentence) == expected


@settings(deadline=None)
@given(SENTENCES, SENTENCES)
def test_f1_is_symmetric(prediction: str, reference: str) -> None:
    assert text.f1(prediction, reference) == pytest.approx(text.f1(reference, prediction), abs=1e-12)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["red", "blue", "3.5", "runs", "S04_img_4"]), min_size=1))
def test_f1_and_bleu1_do_not_see_word_order(words: list[str]) -> None:
    turned = " ".join(sorted(words))
    assert text.f1(" ".join(words), turned) == 1.0
    assert text.bleu1(" ".join(words), turned) == 1.0


@settings(deadline=None)
@given(ENGLISH)
def test_on_english_text_both_ways_to_tokenise_agree(sentence: str) -> None:
    assert normalised(sentence, tokens="multilingual") == normalised(sentence)


@settings(deadline=None)
@given(SENTENCES)
def test_normalising_twice_changes_nothing(sentence: str) -> None:
    once = normalised(sentence, tokens="multilingual")
    assert normalised(once, tokens="multilingual") == once


def test_the_stemmer_is_loaded_only_when_a_text_is_stemmed() -> None:
    code = (
        "import sys; from memarena_arena.metrics import aggregate, ranking, text; text.bleu1('a b', 'b');"
        "assert 'nltk' not in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
