from __future__ import annotations

import json
import random
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from memarena.cli import cli
from memarena.errors import DataError
from memarena.records import JudgementRequest, Label
from memarena_arena.lexical import LexicalJudge
from memarena_builder.probes.finished import Question, finished, read_time
from memarena_builder.probes.judging import agreement, cases, confusion, measured
from memarena_builder.probes.shortcuts import (
    Reading,
    claims,
    families,
    in_captions,
    last_mention,
    measure,
    newest_picture,
    options,
    pieces,
    visible,
)
from memarena_builder.probes.words import Bm25, NaiveBayes, auc


@pytest.fixture(scope="module")
def samples(on_disk):
    return finished(on_disk[0].root)


def test_bm25_ranks_the_text_with_the_rare_word_first():
    index = Bm25(["the cat sat", "the dog sat", "the zebra sat on the cat"])
    assert index.best("zebra", 1) == [2]
    assert index.best("cat", 2) == [0, 2]


def test_naive_bayes_tells_sides_by_their_words():
    known = NaiveBayes(["alpha one", "alpha two"], ["beta one", "beta two"])
    assert known.score("alpha") > 0 > known.score("beta")
    assert known.score("one") == 0


def test_auc_is_the_share_of_pairs_in_order():
    assert auc([3, 1], [2, 0]) == 0.75
    assert auc([1], [1]) == auc([], []) == 0.5


def test_times_are_read_whatever_the_language_of_the_machine():
    assert read_time("Feb 09, 2026, 17:05:00").isoformat() == "2026-02-09T17:05:00"


def test_a_reading_of_few_cases_says_nothing():
    few, many, right = (Reading("x", "all", value, n, 0.0, 0.1) for value, n in ((1.0, 29), (1.0, 30), (0.1, 30)))
    assert [each.verdict for each in (few, many, right)] == ["too few", "outside", "holds"]
    assert [each.holds for each in (few, many, right)] == [True, False, True]


def test_visual_answers_are_in_no_text_and_no_caption(samples):
    assert [reading.value for reading in (*visible(samples), *in_captions(samples))] == [0.0] * 4


def test_a_visual_answer_that_somebody_says_is_found(samples, on_disk):
    answer = next(each.answer for each in samples[0].questions if each.type == "VFR")
    leaky = finished(on_disk[0].root)[0]
    leaky.raw["sessions"][0]["dialogue"][0]["content"] = f"It is {answer}."
    assert max(reading.value for reading in visible([leaky])) > 0


def test_the_last_mention_is_often_wrong(samples):
    reading = next(iter(last_mention(samples)))
    assert reading.n >= 6 and reading.value <= 0.8


def test_the_newest_picture_is_not_always_the_right_one(samples):
    by_hand = []
    for sample in samples:
        stale = {row["event"].get("image_id") for row in sample.events if row["event"]["kind"] == "distractor"}
        for each in (each for each in sample.questions if each.type == "VS"):
            subject = sample.pictures[each.answer]["subject"]
            sent = [name for turn in sample.turns if turn.session <= each.session for name in turn.images]
            mine = [name for name in sent if name not in stale and sample.pictures[name]["subject"] == subject]
            by_hand += [mine[-1] == each.answer] * (len(mine) > 1)
    reading = next(iter(newest_picture(samples)))
    assert (reading.n, reading.value) == (len(by_hand), sum(by_hand) / len(by_hand))
    assert 0 < reading.value < 1


def test_pieces_of_evidence_are_counted_as_the_samples_list_them(samples):
    rested = [
        len(question["evidence"])
        for sample in samples
        for stop in sample.raw["qa_checkpoints"]
        for question in stop["questions"]
        if question["evidence"]
    ]
    found = {reading.of: reading for reading in pieces(samples)}
    for name, few, target in (("1-2", {1, 2}, 0.6), ("3-4", {3, 4}, 0.3), ("5-6", {5, 6}, 0.1)):
        assert found[name].value == pytest.approx(sum(each in few for each in rested) / len(rested))
        assert (found[name].n, found[name].target) == (len(rested), target)
        assert found[name].low == pytest.approx(target - 0.05) and found[name].high == pytest.approx(target + 0.05)


def test_a_share_of_pieces_that_is_off_its_target_is_outside():
    def measured(*counts):
        asked = [Question(**{**ASKED, "pieces": each}, answer="a", options=()) for each in counts]
        return [each.verdict for each in pieces([SimpleNamespace(questions=asked, is_dialogue=True)])]

    assert measured(*[1] * 180, *[3] * 90, *[5] * 30) == ["holds"] * 3
    assert measured(*[1] * 210, *[3] * 80, *[5] * 10) == ["outside", "holds", "outside"]
    assert measured(*[1] * 232, *[3] * 60, *[5] * 8) == ["outside", "outside", "outside"]
    assert measured(*[1] * 209, *[3] * 80, *[5] * 10) == ["too few"] * 3


def test_where_the_right_option_stands_is_measured_from_the_first_to_the_last():
    asked = [Question(**ASKED, answer=answer, options=("a", "b", "c")) for answer in "abcc"]
    asked.append(Question(**ASKED, answer="b", options=("a", "b")))
    asked.append(Question(**{**ASKED, "type": "MC"}, answer="a", options=("a", "b")))
    found = {reading.of: reading for reading in options([SimpleNamespace(questions=asked)])}
    assert (found["TR"].n, found["TR"].value) == (5, (0 + 0.5 + 1 + 1 + 1) / 5)
    assert (found["MC"].n, found["MC"].value) == (1, 0)


def test_yes_is_counted_among_the_questions_that_are_answered_by_yes_or_no():
    asked = [Question(**{**ASKED, "type": "MC"}, answer=answer, options=()) for answer in ("Yes", "No, it is 4", "Yes")]
    asked.append(Question(**{**ASKED, "type": "MC"}, answer="the home of Ida", options=("the home of Ida", "the car")))
    reading = next(iter(claims([SimpleNamespace(questions=asked)])))
    assert (reading.n, reading.value) == (3, pytest.approx(2 / 3))


ASKED = {
    "sample_id": "s", "text": "Which?", "type": "TR", "session": 0, "turns": frozenset(), "sessions": (), "values": (),
    "template": "", "twin": "", "reason": "", "pieces": 3,
}  # fmt: skip


def test_splits_that_ask_in_the_same_words_are_found_and_those_of_a_build_do_not(samples):
    reading = next(iter(families(samples)))
    assert {sample.split for sample in samples} == {"dev", "test"} and reading.n >= 20 and reading.holds
    twice = [Like(samples[0], "dev"), Like(samples[0], "test")]
    assert not next(iter(families(twice))).holds


class Like:
    """The same sample as if it were of another split."""

    def __init__(self, sample, split):
        self.questions, self.split = sample.questions, split


def test_every_probe_measures_something(samples):
    assert len({reading.probe for reading in measure(samples)}) == 15


def test_the_lexical_judge_reaches_its_bars_where_labels_are_known(samples):
    asked = [case for sample in samples for case in cases(sample, random.Random(1))]
    found = confusion(LexicalJudge(), asked)
    bars = {"answer": 0.97, "coverage": 0.95, "recall": 0.95, "update": 0.95, "interference": 0.95}
    assert {task for task in bars if agreement(found[task]) < bars[task]} == set()
    assert set(found) == set(bars)


class Yes:
    """Says yes to all."""

    def label(self, requests):
        return [Label(verdicts=("yes",)) for _ in requests]


def test_a_judge_that_says_yes_to_all_is_found_out(samples):
    asked = [case for case in cases(samples[0], random.Random(1)) if case.request.task == "coverage"]
    found = confusion(Yes(), asked)["coverage"]
    assert agreement(found) < 0.6 and ("no", "yes") in found


def test_cases_have_both_verdicts_of_each_task(samples):
    rights: dict[str, set[str]] = {}
    for case in cases(samples[0], random.Random(1)):
        assert isinstance(case.request, JudgementRequest)
        rights.setdefault(case.request.task, set()).add(case.right)
    assert rights == {
        "recall": {"yes", "no"}, "coverage": {"yes", "no"}, "interference": {"memorized", "rejected"},
        "update": {"updated", "both", "outdated", "missed"}, "answer": {"Correct", "Hallucination", "Omission"},
    }  # fmt: skip


def test_a_folder_without_logs_is_a_person_s_mistake(tmp_path):
    with pytest.raises(DataError, match="hidden logs"):
        finished(tmp_path)


def test_the_command_prints_probes_and_the_judge(on_disk):
    found = CliRunner().invoke(cli, ["data", "probe", str(on_disk[0].root), "--json"])
    printed = json.loads(found.output)
    assert set(printed) == {"probes", "floors", "judge"} and printed["judge"]["answer"]["agreement"] > 0.97
    assert found.exit_code in (0, 1)


def test_a_row_with_too_few_cases_says_so(on_disk):
    asked = ["data", "probe", str(on_disk[0].root), "--no-judge"]
    rows = [line for line in CliRunner().invoke(cli, asked).output.splitlines() if "  n " in line]
    found = json.loads(CliRunner().invoke(cli, [*asked, "--json"]).output)
    assert len(rows) == len(found["probes"]) + len(found["floors"])
    for line, row in zip(rows, found["probes"], strict=False):
        assert line.endswith("  too few") == (row["n"] < row["enough"]) == (row["verdict"] == "too few")
        assert row["enough"] == (300 if row["probe"] == "pieces of evidence" else 30)
    assert {row["verdict"] for row in found["probes"]} >= {"too few", "holds"}


def test_the_lexical_judge_agrees_about_as_far_as_the_figures_that_it_ships(samples):
    shipped = LexicalJudge.calibration()["built"]
    for task, table in measured(LexicalJudge(), samples).items():
        assert abs(table["agreement"] - shipped[task]["agreement"]) < 0.04, task
        assert shipped[task]["n"] >= 100
