"""Comparisons that stop early: decided rightly, soon where they are clear, and never against the whole set."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_rows import row
from report_runs import Plan, write_run

from memarena.errors import UsageError
from memarena_report.comparison import Comparison
from memarena_report.frame import Frame
from memarena_report.stopping import Rule, Stopped, decide, stop_early


def pairs(better: int, worse: int, same: int) -> np.ndarray:
    return np.array([1.0] * better + [-1.0] * worse + [0.0] * same)


def test_a_clear_pair_is_decided_after_few_questions() -> None:
    gains = pairs(600, 100, 300)
    looks = [decide(np.random.default_rng(seed).permutation(gains), 0.05) for seed in range(200)]
    assert {sign for _, sign in looks} == {1}
    assert np.mean([asked for asked, _ in looks]) < 0.1 * len(gains)


def test_the_sides_are_treated_alike() -> None:
    gains = np.random.default_rng(1).permutation(pairs(60, 20, 20))
    asked, sign = decide(gains, 0.05)
    assert decide(-gains, 0.05) == (asked, -sign)


def test_equal_systems_stay_undecided() -> None:
    gains = pairs(0, 0, 50)
    assert decide(gains, 0.05) == (50, 0)
    assert decide(np.array([]), 0.05) == (0, 0)


@pytest.mark.parametrize(("better", "worse"), [(50, 50), (51, 50), (110, 100)])
def test_a_true_tie_is_seldom_called_and_a_near_tie_seldom_the_wrong_way(better: int, worse: int) -> None:
    gains = pairs(better, worse, 100)
    calls = [decide(np.random.default_rng(seed).permutation(gains), 0.05)[1] for seed in range(400)]
    wrong = calls.count(-1) if better > worse else len(calls) - calls.count(0)
    assert wrong / len(calls) <= 0.05


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=1, max_size=60))
def test_the_last_look_never_contradicts_what_was_seen(gains: list[float]) -> None:
    asked, sign = decide(np.array(gains), 0.05)
    assert 1 <= asked <= len(gains)
    if sign and asked == len(gains):
        assert np.sign(sum(gains)) == sign


def test_a_smaller_error_asks_for_more() -> None:
    gains = np.random.default_rng(3).permutation(pairs(60, 30, 110))
    assert decide(gains, 0.2)[0] <= decide(gains, 0.05)[0] <= decide(gains, 0.001)[0]


def stopped(rows, level="samples", **rule) -> Stopped:
    frame = Frame.read(rows)
    columns = [(label, frame.column(label, "qa_c", "paper")) for label in frame.labels]
    (found,) = stop_early("qa_c", columns, rule=Rule(**rule), level=level)
    return found


def two_systems(samples: dict[str, tuple[int, int, int]]):
    """Rows of two systems: by sample, how many questions `a` alone, `b` alone, and both answer rightly."""
    for sample, (a_alone, b_alone, both) in samples.items():
        outcomes = [(1.0, 0.0)] * a_alone + [(0.0, 1.0)] * b_alone + [(1.0, 1.0)] * both
        for number, values in enumerate(outcomes):
            for label, value in zip("ab", values, strict=True):
                yield row(sample, f"Q{number}", n=value, label=label)


def test_a_pair_says_where_it_stopped_which_is_higher_and_what_was_saved() -> None:
    found = stopped(two_systems({"s": (60, 0, 40)}))
    assert (found.left, found.right, found.higher, found.questions) == ("a", "b", "a", 100)
    assert found.asked + found.saved == 100
    assert found.asked < 30


def test_equal_systems_are_said_to_be_undecided_with_nothing_saved() -> None:
    found = stopped(two_systems({"s": (20, 20, 10)}))
    assert (found.higher, found.asked, found.saved) == ("", 50, 0)


def test_a_near_tie_stays_undecided_although_the_end_of_the_set_is_known() -> None:
    assert stopped(two_systems({"s": (30, 29, 41)})).higher == ""


def test_a_question_counts_as_much_as_its_sample_gives_it() -> None:
    # Nine small samples where b is better, one large one where a is: the means over samples favour b.
    samples = {"large": (300, 0, 0), **{f"small-{number}": (0, 20, 0) for number in range(9)}}
    assert stopped(two_systems(samples), level="run").higher == "a"
    assert stopped(two_systems(samples), level="samples").higher == "b"


def test_repeats_of_a_question_are_one_question() -> None:
    rows = [row("s", f"Q{n}", n=float(r), label="a", repeat=r) for n in range(40) for r in (0, 1)]
    rows += [row("s", f"Q{n}", n=0.5, label="b") for n in range(40)]
    found = stopped(rows)
    assert (found.questions, found.higher) == (40, "")


def test_one_seed_is_one_order() -> None:
    samples = {"s": (40, 20, 40)}
    looks = {seed: stopped(two_systems(samples), seed=seed).asked for seed in range(5)}
    assert looks[3] == stopped(two_systems(samples), seed=3).asked
    assert len(set(looks.values())) > 1


def test_what_one_system_alone_was_asked_is_no_question_of_both() -> None:
    rows = [*two_systems({"s": (9, 0, 0)}), *(row("s", f"X{n}", label="a") for n in range(5))]
    assert stopped(rows).questions == 9
    nothing = stopped([row("s", "Q1", label="a"), row("s", "Q2", label="b")])
    assert (nothing.asked, nothing.questions, nothing.higher) == (0, 0, "")


@pytest.mark.parametrize("error", [0.0, 1.0, -0.1])
def test_an_error_that_is_no_chance_is_refused(error: float) -> None:
    with pytest.raises(UsageError, match=r"--error .*above 0 and below 1"):
        Rule(error)


def test_a_flag_that_would_do_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="--seed belongs to --stop-early"):
        Rule.asked(stop_early=False, error=None, seed=1)
    assert Rule.asked(stop_early=False, error=None, seed=None) is None
    assert Rule.asked(stop_early=True, error=0.1, seed=None) == Rule(0.1, 0)


def test_what_is_no_share_is_refused(tmp_path) -> None:
    write_run(tmp_path / "run", Plan(samples=2))
    with pytest.raises(UsageError, match="items is counted in items; only shares"):
        Comparison.of([tmp_path / "run"], [], ["items"], "paper", stop=Rule())


def test_no_pair_that_all_questions_separate_is_decided_the_other_way(tmp_path) -> None:
    shares = {"one": 0.8, "two": 0.65, "three": 0.5, "four": 0.48, "five": 0.3, "six": 0.1}
    write_run(tmp_path / "run", Plan(shares=shares, samples=12, sessions=5, questions=8))
    seeds = range(20)
    found = [Comparison.of([tmp_path / "run"], [], ["qa_c"], "paper", stop=Rule(seed=seed)) for seed in seeds]
    for place, pair in enumerate(found[0].pairs["qa_c"]):
        looks = [one.stopped["qa_c"][place] for one in found]
        if pair.p_holm is not None and pair.p_holm < 0.05:
            better = pair.left if pair.difference.value > 0 else pair.right
            assert {one.higher for one in looks} <= {better, ""}
        if abs(pair.difference.value) > 0.25:
            assert np.mean([one.asked / one.questions for one in looks]) <= 0.25
    assert {one.stopped["qa_c"][9].higher for one in found} == {""}  # three and four
