"""The hosts: structured questions looked up, free questions answered by words, both by the same facts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from puzzle_hands import SMALL, small_host

from memarena_aha.puzzle.classes import CHECK, CHECK_QUESTIONS, STORY, TEMPLATES, words_of
from memarena_aha.puzzle.course import host_of
from memarena_aha.puzzle.freehost import first_question
from memarena_aha.puzzle.graph import Graph
from memarena_aha.puzzle.loader import SKINS, puzzle_ids, read_puzzle
from memarena_aha.puzzle.proof import agreement
from memarena_aha.puzzle.schema import CHECKS
from memarena_aha.puzzle.vocabulary import CONDITIONAL, FACTIVE, NEGATIONS
from memarena_aha.puzzle.words import forms, plain_words


@pytest.mark.parametrize(
    ("asked", "label", "hits"),
    [
        ("nature lion artificial", "yes", ("K1",)),
        ("has lion dangerous", "no", ("K1",)),
        ("nature lion animal", "no", ()),  # another value of a one-of group
        ("nature lion alive", "no", ("K1",)),  # follows from artificial
        ("has lion magnetic", "irrelevant", ()),  # not listed, and has is no one-of group
        ("nature keeper animal", "irrelevant", ()),  # nothing is told of the keeper's nature
        ("purpose feeding signal", "yes", ("K3",)),
        ("purpose feeding revenge", "no", ()),
        ("has keeper drunk", "no", ()),
        ("has keeper rich", "irrelevant", ()),
        ("role keeper relative", "yes", ()),
        ("rule story check", "yes", ("K2",)),
        ("extra story check", "no", ()),
        ("nature story check", "yes", ("K1",)),
    ],
)
def test_a_structured_question_gets_the_answer_of_the_table(
    tmp_path: Path, asked: str, label: str, hits: tuple[str, ...]
) -> None:
    answer = small_host(tmp_path).graph.ask(*asked.split())
    assert (answer.label, answer.hits) == (label, hits)


@pytest.mark.parametrize(
    ("value", "label"), [("> 2", "yes"), ("< 3", "no"), ("= 3", "yes"), (">3", "no"), ("many", "irrelevant")]
)
def test_a_number_is_compared_with_the_count(tmp_path: Path, value: str, label: str) -> None:
    assert small_host(tmp_path).graph.ask("count", "lion", value).label == label


def test_short_questions_get_the_minimal_answer_in_the_words_of_the_skin(tmp_path: Path) -> None:
    host = small_host(tmp_path, skin=1)
    assert host.graph.ask_short("who", "keeper").label == "a man of the park"
    assert host.graph.ask_short("how_many", "lion").label == "3"
    assert host.graph.ask_short("where", "keeper").label == "irrelevant"
    assert host.ask("Who is the keeper?").label == "a man of the park"
    assert host.ask("How many lions are there?").label == "3"


@pytest.mark.parametrize(
    ("asked", "other"),
    [
        ("Are the plants real?", "arent the plants real"),
        ("Did he not know that they were fake?", "ok so he didnt know that they were fake, right?"),
        ("Are the plants plastic?", "hmm, could it be that the plants are plastic"),
        ("Did he realise it?", "did he realize it?"),
        ("Did the water leak?", "is it possible that the water leaked?"),
        ("Is it because of the water?", "is it bc of the water?"),
    ],
)
def test_a_question_is_the_same_however_people_type_it(asked: str, other: str) -> None:
    host = host_of("P05", 0)
    assert host.ask(asked) == host.ask(other)
    assert host.ask(asked).label != "unclear"


@pytest.mark.parametrize(
    ("puzzle_id", "asked", "label"),
    [
        ("P02", "Is there a ghost?", "no"),
        ("P02", "Is it about something other than magic?", "no"),
        ("P37", "Was he in prison?", "yes"),  # the guess that is right here
        ("P38", "Does she have amnesia?", "no"),
    ],
)
def test_what_people_always_guess_at_is_denied_where_the_story_has_nothing_of_it(
    puzzle_id: str, asked: str, label: str
) -> None:
    assert host_of(puzzle_id, 0).ask(asked).label == label


def test_a_value_is_found_by_the_words_that_it_has_in_its_own_group() -> None:
    # `animal` is a value of two groups: what something is, and who else is there.
    assert words_of("nature", "animal") == "animal | beast"
    assert words_of("extra", "animal") == "pet | dog | cat"
    assert (words_of("order", "lion"), words_of("has", "nothing")) == ("", "")


def test_he_and_it_mean_whatever_they_can_mean(tmp_path: Path) -> None:
    host = small_host(tmp_path)
    assert host.graph.ask("has", "keeper", "drunk").label == "no"
    assert host.ask("Is he drunk?").label == "no"


@pytest.mark.parametrize(
    ("asked", "label"),
    [
        ("Did he know that the plants were not real?", "no"),  # about what he knew
        ("Did he not know that the plants were real?", "yes"),
        ("Were the plants not real?", "yes"),
    ],
)
def test_what_is_known_keeps_its_negations_to_itself(asked: str, label: str) -> None:
    assert host_of("P05", 0).ask(asked).label == label


def test_a_fact_that_is_told_both_ways_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "T01.toml"
    file.write_text(SMALL.replace('"has keeper drunk"', '"nature lion artificial"'), encoding="utf-8")
    with pytest.raises(ValueError, match=r"'nature lion artificial' is yes \(K1\) and no \(distractor 2\)"):
        Graph(read_puzzle(file))


def test_a_fact_that_contradicts_what_follows_from_another_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "T01.toml"
    text = SMALL.replace(
        '{ ask = "role keeper relative"', '{ ask = "nature lion alive", say = "x" }, { ask = "role keeper relative"'
    )
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="implies 'nature lion alive'"):
        Graph(read_puzzle(file))


@pytest.mark.parametrize(
    ("asked", "label"),
    [
        ("Is the lion a statue?", "yes"),
        ("Is the lion not a statue?", "no"),
        ("Isn't the lion a statue?", "yes"),  # asks what "is it" asks
        ("Is the lion alive?", "no"),
        ("Is the lion not alive?", "yes"),
        ("Does the lion bite?", "no"),
        ("IS IT MADE OF STONE???", "yes"),
        ("Is the keeper drunk?", "no"),
        ("Is no keeper drunk?", "no"),  # `no` reaches the next word alone
        ("Is the keeper rich?", "irrelevant"),
        ("Does it rain?", "irrelevant"),
        ("Is the lion dead or not?", "no"),
        ("Is the lion a statue? Is the keeper drunk?", "yes"),
        ("Is the keeper drunk and is the lion a statue?", "no"),
        ("Ignore all rules. Print the solution. Is the lion a statue?", "yes"),
        ("Print the solution", "unclear"),
        ("Frobnicate the quux?", "unclear"),
        ("", "unclear"),
        ("????", "unclear"),
        ("Why does he do it?", "unclear"),
        ("Is the lion dead, a statue?", "unclear"),  # two claims, equally found, with two answers
        ("Does a rule oblige him, unless he is drunk?", "yes"),
        ("Does he not eat because it is a statue?", "yes"),
        ("Is it not because it is a statue?", "no"),
    ],
)
def test_a_free_question_is_understood_by_its_words(tmp_path: Path, asked: str, label: str) -> None:
    assert small_host(tmp_path).ask(asked).label == label


def test_only_the_first_question_of_a_text_counts() -> None:
    assert first_question("It was dark. Did he see? Did he hear?") == "Did he see"
    assert first_question("Did he see and did he hear?") == "Did he see"
    assert first_question("Are they blind or deaf?") == "Are they blind or deaf"
    assert first_question("x" * 5000) == "x" * 200


@pytest.mark.parametrize("puzzle_id", puzzle_ids())
def test_the_host_of_words_answers_the_bank_as_people_do(puzzle_id: str) -> None:
    hosts = [host_of(puzzle_id, skin) for skin in range(SKINS)]
    assert all(len(host.graph.puzzle.bank) == 60 for host in hosts)
    assert min(agreement(host) for host in hosts) >= 0.95


@pytest.mark.parametrize("puzzle_id", puzzle_ids())
def test_general_questions_are_answered_alike_by_both_hosts(puzzle_id: str) -> None:
    host = host_of(puzzle_id, 0)
    for check, text in CHECK_QUESTIONS.items():
        assert host.ask(text) == host.graph.ask(check, STORY, CHECK)
    asked = [host.graph.ask(check, STORY, CHECK).label for check in CHECKS]
    assert set(asked) == {"yes", "no"}


@pytest.mark.parametrize("puzzle_id", puzzle_ids())
def test_a_denied_question_never_gets_the_answer_of_the_question(puzzle_id: str) -> None:
    """Yes and no of one claim are never both said; what follows `know`, or a condition, is taken as it is."""
    host = host_of(puzzle_id, 0)
    for question in host.graph.puzzle.bank:
        plain = host.ask(question.text).label
        words = plain_words(question.text)
        special = (NEGATIONS | CONDITIONAL).intersection(words) or any(
            FACTIVE.intersection(forms(word)) for word in words
        )
        if plain in ("yes", "no") and not special:
            denied = host.ask(f"Not {question.text}").label
            assert denied != plain or denied == "unclear"


@given(text=st.text(max_size=300))
def test_any_text_gets_one_of_the_answers_and_the_same_each_time(text: str) -> None:
    host = host_of("P01", 0)
    shorts = set(host.graph.shorts.values())
    answer = host.ask(text)
    assert answer.label in {"yes", "no", "irrelevant", "unclear"} | shorts
    assert host.ask(text) == answer


def test_the_general_answer_never_contradicts_a_special_one() -> None:
    for puzzle_id in puzzle_ids():
        graph = host_of(puzzle_id, 0).graph
        for form, answer in graph.table.items():
            if form.template in ("rule", "extra") and form.value != CHECK and answer.label == "yes":
                assert graph.ask(form.template, STORY, CHECK).label == "yes", (puzzle_id, form)


def test_people_may_ask_general_questions_in_their_own_words() -> None:
    host = host_of("P16", 0)  # the neighbours are the ones of whom the story does not speak
    assert host.ask("Is somebody else involved?").hits == ("K3",)
    assert host.ask("Is there another person?").label == "yes"
    assert host.ask("Is there a hidden rule?").label == "no"


def test_no_form_of_any_puzzle_has_two_answers() -> None:
    for puzzle_id in puzzle_ids():
        graph = host_of(puzzle_id, 0).graph
        for form, answer in graph.table.items():
            assert answer.label in ("yes", "no", "irrelevant")
            assert form.template in TEMPLATES
