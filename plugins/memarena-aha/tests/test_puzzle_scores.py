"""What explanations are worth."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from puzzle_hands import small_host

from memarena_aha.puzzle.course import host_of
from memarena_aha.puzzle.judge import Judgement, judge, points
from memarena_aha.puzzle.loader import puzzle_ids

# Weights of the small puzzle: K1 .35, K2 .35, K3 .30; a false claim costs .15, all of them .45 at most.


@pytest.mark.parametrize(
    ("text", "correctness"),
    [
        ("The lion is made of stone.", 0.35),
        ("It is a statue. A rule demands it. It is a signal.", 1.0),
        ("It is a statue, not alive.", 0.35),
        ("The lion is not alive.", 0.35),
        ("The lion is not a statue.", 0.0),
        ("It is a signal. The lion is not a statue.", 0.15),  # .30 less .15 for the denial of K1
        ("It is a statue. It is not a statue.", 0.0),
        ("It is a signal, not a statue.", 0.15),
        ("It is a statue instead of dead.", 0.35),
        ("Not only is it a statue, it is also a signal.", 0.65),
        ("It is a statue and the keeper is drunk.", 0.20),  # .35 less .15
        ("It is a statue. The keeper is not drunk.", 0.35),
        ("The keeper is not drunk but the lion is a statue.", 0.35),
        ("The keeper does not know that it is a statue.", 0.35),
        ("It is false that it is a statue.", 0.0),
        ("The keeper is drunk.", 0.0),
        # A part of a long sentence is read by itself, and what it states the rest does not deny.
        ("he does not feed them because it is a statue which a rule demands", 0.70),
        ("A rule demands it. It is a statue. The lion is dead, he is drunk, asleep and the keeper is blind.", 0.25),
        ("", 0.0),
        ("word " * 120 + "It is a statue.", 0.0),  # beyond the words that are read
    ],
)
def test_a_text_is_worth_what_it_states_less_what_is_false(tmp_path: Path, text: str, correctness: float) -> None:
    host = small_host(tmp_path)
    assert judge(host, text).correctness == pytest.approx(correctness)


@pytest.mark.parametrize(
    ("slots", "checks", "correctness"),
    [
        ({"K1": "artificial", "K2": "custom", "K3": "signal"}, (), 1.0),
        ({"K1": "animal"}, (), 0.0),
        ({"K2": "custom", "K1": "animal"}, (), 0.20),  # .35 less .15 for the false nature
        ({"K2": "tax"}, (), 0.0),  # not listed: irrelevant, so no penalty
        ({"K9": "artificial"}, (), 0.0),
        ({}, ("nature",), 0.175),  # half of K1
        ({"K1": "artificial"}, ("nature",), 0.35),
        ({}, ("nature", "order"), 0.025),  # half of K1 less .15
        ({}, ("nature", "nature", "frob"), 0.175),
        ({"K1": "artificial"}, ("rule", "purpose"), 0.675),
    ],
)
def test_a_structured_solution_is_compared_exactly(
    tmp_path: Path, slots: dict[str, str], checks: tuple[str, ...], correctness: float
) -> None:
    host = small_host(tmp_path)
    assert judge(host, "", slots, checks).correctness == pytest.approx(correctness)


def test_the_penalty_has_a_limit(tmp_path: Path) -> None:
    host = small_host(tmp_path)
    truth = "It is a statue. A rule demands it. It is a signal. "
    lies = "The lion is dead. He is drunk. The lion is asleep. The keeper is blind."
    assert judge(host, truth + lies).correctness == pytest.approx(0.55)


def test_naming_all_mechanisms_is_worth_less_than_naming_the_right_ones() -> None:
    for puzzle_id in puzzle_ids():
        host = host_of(puzzle_id, 0)
        everything = judge(host, "", {}, ("nature", "order", "place", "literal", "purpose", "rule", "extra", "knows"))
        right = judge(host, "", {}, host.graph.puzzle.checks)
        assert everything.correctness < right.correctness <= 0.5


@pytest.mark.parametrize(("used", "expected"), [(0, 100.0), (8, 88.0), (20, 70.0), (21, 70.0)])
def test_questions_take_at_most_thirty_percent(used: int, expected: float) -> None:
    assert points(Judgement({}, (), 1.0, 0.0, 1.0), used) == expected


_LIES = [(name, row.text) for name in puzzle_ids() for row in host_of(name, 0).graph.puzzle.distractors]


@settings(max_examples=120, deadline=None)
@given(lie=st.sampled_from(_LIES), told=st.sets(st.integers(0, 5)), more=st.text(max_size=60))
def test_an_additional_false_claim_never_raises_a_score(lie: tuple[str, str], told: set[int], more: str) -> None:
    host = host_of(lie[0], 0)
    key = host.graph.puzzle.key
    text = " ".join(key[place].text for place in sorted(told) if place < len(key)) + " " + more.replace("\n", " ")
    before = judge(host, f"{text}.")
    after = judge(host, f"{text}. {lie[1]}")
    assert after.correctness <= before.correctness


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(max_size=400),
    slots=st.dictionaries(
        st.sampled_from(["K1", "K2", "K3", "K9"]), st.sampled_from(["artificial", "animal", "signal", "custom", ""])
    ),
    checks=st.lists(st.sampled_from(["nature", "order", "rule", "x"])),
)
def test_any_explanation_is_worth_between_nothing_and_all(
    tmp_path: Path, text: str, slots: dict[str, str], checks: list[str]
) -> None:
    host = small_host(tmp_path)
    one = judge(host, text, slots, checks)
    other = judge(host, text, dict(reversed(slots.items())), list(reversed(checks)))
    assert 0 <= one.correctness <= 1
    assert one.correctness == other.correctness
    assert one.penalty <= 0.45


@pytest.mark.parametrize("puzzle_id", puzzle_ids())
def test_the_solution_of_another_story_earns_next_to_nothing(puzzle_id: str) -> None:
    host = host_of(puzzle_id, 0)
    others = [name for name in puzzle_ids() if name != puzzle_id]
    earned = [judge(host, host_of(name, 1).graph.puzzle.solution).correctness for name in others]
    assert sum(earned) / len(earned) < 0.01


PARAPHRASES = {
    "P01": (
        "All the listeners were hearing impaired. They applauded with their hands, which they waved in the air. "
        "The musician had worried beforehand that her playing would mean nothing to them. They could sense the "
        "vibrations of the music. Noticing the raised hands made her cry with happiness.",
        ("K1", "K2", "K3", "K4", "K5"),
    ),
    "P04": (
        "The number belongs to her own apartment. She lives there by herself, so the flat should be vacant. "
        "When somebody answered she understood that a burglar had broken in.",
        ("K1", "K2", "K3"),
    ),
    "P05": (
        "All the plants were made of plastic and the man was not aware of it. Every morning the water trickled into "
        "the room underneath, where it ruined the equipment.",
        ("K1", "K2", "K3", "K4"),
    ),
    "P08": (
        "The police repeatedly stormed the wrong home because every house in the row is indistinguishable. The suspect "
        "actually lives next door. The resident hired the painter so that officers can distinguish his house.",
        ("K1", "K2", "K3", "K4"),
    ),
    "P15": (
        "He had sold a sheep earlier. Only 29 should be there. The additional one must be a stray from another herd, "
        "and there is a contagious sickness around.",
        ("K1", "K2", "K3", "K4"),
    ),
}
"""Solutions as others would tell them, and the facts in them."""


@pytest.mark.parametrize("puzzle_id", sorted(PARAPHRASES))
def test_a_solution_in_other_words_states_the_same_facts(puzzle_id: str) -> None:
    text, facts = PARAPHRASES[puzzle_id]
    told = judge(host_of(puzzle_id, 0), text)
    assert tuple(sorted(told.stated)) == facts
    assert told.false == ()


@pytest.mark.parametrize("puzzle_id", puzzle_ids())
def test_the_truth_scores_in_full_and_the_surface_scores_nothing(puzzle_id: str) -> None:
    host = host_of(puzzle_id, 1)
    assert judge(host, host.graph.puzzle.solution).correctness == 1
    assert judge(host, host.graph.puzzle.surface).correctness == 0


_OWN_WORDS: dict[str, str] = tomllib.loads(
    (Path(__file__).parent / "puzzle_explanations.toml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("puzzle_id", puzzle_ids())
def test_the_truth_in_a_person_s_own_words_is_understood(puzzle_id: str) -> None:
    assert judge(host_of(puzzle_id, 0), _OWN_WORDS[puzzle_id]).correctness >= 0.7


def test_the_truth_in_a_person_s_own_words_solves_nine_puzzles_of_ten() -> None:
    solved = [judge(host_of(name, 0), text).solved for name, text in _OWN_WORDS.items()]
    assert len(solved) == 40
    assert sum(solved) >= 36


def test_the_solution_of_another_puzzle_hardly_ever_states_a_fact() -> None:
    hosts = {name: host_of(name, 0) for name in puzzle_ids()}
    stated = [
        (name, other)
        for name, host in hosts.items()
        for other, foreign in hosts.items()
        if name != other and judge(host, foreign.graph.puzzle.solution).stated
    ]
    assert len(stated) <= 0.005 * 40 * 39, stated
