"""The calibration set is what it says, and a judge's mistakes on it are counted right."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from memarena import codec
from memarena.records import NOT_MENTIONED, JudgementRequest, Label
from memarena_arena.lexical import LexicalJudge
from memarena_models.calibration import calibrate, labelled_answers
from memarena_models.commands_judge import judge as command


class Knows:
    """A judge that gives the known labels, but for those that it is told to give otherwise; None: it fails."""

    name, revision = "knows", 1

    def __init__(self, **otherwise: str | None) -> None:
        self._known = {one.request: otherwise.get(one.label, one.label) for one in labelled_answers()}

    def label(self, requests: Sequence[JudgementRequest]) -> list[Label | None]:
        words = [self._known[request] for request in requests]
        return [None if word is None else Label(verdicts=(word,)) for word in words]


def test_the_set_has_at_least_two_hundred_answers_and_none_twice() -> None:
    answers = labelled_answers()
    assert len(answers) >= 200
    assert len({one.request for one in answers}) == len(answers)


def test_every_kind_and_every_label_is_there_often_enough() -> None:
    kinds = Counter(one.kind for one in labelled_answers())
    labels = Counter(one.label for one in labelled_answers())
    assert min(kinds[kind] for kind in ("right", "paraphrase", "wrong", "partial", "abstaining", "orders")) >= 25
    assert min(labels[label] for label in ("Correct", "Hallucination", "Omission")) >= 60


def test_kinds_and_labels_go_together() -> None:
    for one in labelled_answers():
        unanswerable = one.reference == NOT_MENTIONED
        if one.kind in ("right", "paraphrase"):
            assert one.label == "Correct"
        elif one.kind == "wrong":
            assert one.label == "Hallucination"
        elif one.kind == "partial":
            assert one.label == "Omission"
        elif one.kind == "abstaining":
            assert one.label == ("Correct" if unanswerable else "Omission")


def test_abstaining_is_there_for_questions_with_and_without_an_answer() -> None:
    found = Counter(one.label for one in labelled_answers() if one.kind == "abstaining")
    assert found["Correct"] >= 5
    assert found["Omission"] >= 20


def test_every_answer_and_every_question_has_a_text() -> None:
    assert all(one.question.strip() and one.answer.strip() and one.reference.strip() for one in labelled_answers())


def test_a_judge_that_is_always_right_has_no_mistakes() -> None:
    found = calibrate(Knows())
    assert (found.right, found.invalid, found.accepted_wrongly, found.rejected_wrongly) == (found.n, 0, 0, 0)
    assert found.kappa == 1
    assert all(row.accuracy == 1 for row in found.kinds)


def test_a_judge_that_accepts_everything_accepts_all_that_is_wrong() -> None:
    found = calibrate(Knows(Hallucination="Correct", Omission="Correct"))
    assert found.accepted_wrongly == found.not_correct > 100
    assert found.rejected_wrongly == 0
    assert found.kappa == 0


def test_a_judge_that_rejects_everything_rejects_all_that_is_right() -> None:
    found = calibrate(Knows(Correct="Omission"))
    assert found.rejected_wrongly == found.correct > 50
    assert found.accepted_wrongly == 0


def test_judgements_that_failed_are_counted_apart() -> None:
    found = calibrate(Knows(Omission=None))
    omissions = sum(one.label == "Omission" for one in labelled_answers())
    assert found.invalid == omissions
    assert found.not_correct + found.correct == found.n - omissions
    assert found.kappa == 1
    assert {row.kind: row.accuracy for row in found.kinds}["partial"] == 0


def test_several_batches_at_a_time_give_the_same() -> None:
    assert calibrate(LexicalJudge(), jobs=4) == calibrate(LexicalJudge())


def test_the_lexical_judge_is_better_than_chance_and_seldom_accepts_what_is_wrong() -> None:
    found = calibrate(LexicalJudge())
    assert found.kappa is not None
    assert found.kappa > 0.5
    assert found.accepted_wrongly / found.not_correct < 0.1


def run(*words: str) -> str:
    result = CliRunner().invoke(command, ["calibrate", *words], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_the_command_prints_a_line_a_number() -> None:
    lines = run().splitlines()
    assert [line[:15].strip() for line in lines] == [
        *("judge", "answers", "invalid", "right label", "false accepts", "false rejects", "Cohen's kappa"),
        *("abstaining", "orders", "paraphrase", "partial", "right", "wrong"),
    ]
    assert lines[0].split() == ["judge", "lexical"]


def test_the_command_prints_json() -> None:
    found = json.loads(run("--json"))
    assert found["n"] == len(labelled_answers())
    assert {row["kind"] for row in found["kinds"]} >= {"right", "orders"}


def test_the_judge_llm_is_calibrated_with_the_model_offline() -> None:
    found = json.loads(run("--judge", "llm", "--model", "offline", "--json"))
    lexical = calibrate(LexicalJudge())
    assert (found["judge"], found["invalid"], found["right"]) == ("llm", 0, lexical.right)


@pytest.mark.parametrize(
    "words", [("--judge", "llm"), ("--gateway", "x.toml"), ("--judge", "llm", "--model", "no-such-model")]
)
def test_a_judge_without_its_model_is_refused(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(command, ["calibrate", *words])
    assert result.exit_code != 0
    assert result.exception is not None
    assert "--model" in str(result.exception)


def test_on_data_that_was_built_all_tasks_are_measured(tmp_path: Path) -> None:
    building = pytest.importorskip("memarena_builder.makers")
    from memarena_builder.presets import orders

    order = orders("tiny", 7)[0]
    building.make(order, tmp_path)
    found = json.loads(run("--data", str(tmp_path), "--most", "40", "--json"))["built"]
    assert set(found) == {"answer", "coverage", "interference", "recall", "update"}
    assert all(table["n"] <= 40 and table["agreement"] > 0.9 for table in found.values())
    shown = run("--data", str(tmp_path), "--most", "40").splitlines()
    assert sum(line.startswith("built: ") for line in shown) == 5
    assert any(line.split()[:3] == ["Correct", ">", "Correct"] for line in shown)


def test_a_folder_that_was_not_built_is_named(tmp_path: Path) -> None:
    pytest.importorskip("memarena_builder")
    result = CliRunner().invoke(command, ["calibrate", "--data", str(tmp_path)])
    assert "hidden logs" in str(result.exception)


def test_the_figures_that_the_lexical_judge_ships_are_those_of_now() -> None:
    shipped = dict(LexicalJudge.calibration())
    built = shipped.pop("built")
    assert shipped == json.loads(codec.encode(calibrate(LexicalJudge())))
    assert set(built) == {"answer", "coverage", "interference", "recall", "update"}
