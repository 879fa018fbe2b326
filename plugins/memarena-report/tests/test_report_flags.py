"""What a reader is told before any number."""

from __future__ import annotations

import json

import pytest
from report_runs import Plan, write_run

from memarena.store import RunStore
from memarena_report.flags import flags
from memarena_report.scores import Scores
from memarena_report.tables import main_table, stage_tables


def texts(tmp_path, plan):
    return [flag.text for flag in flags(Scores(write_run(tmp_path / "run", plan)))]


def test_a_system_that_retrieves_nothing_is_flagged(tmp_path):
    assert "Most retrievals are empty: nothing 100 %." in texts(tmp_path, Plan())


def test_a_k_that_takes_in_the_whole_store_is_flagged(tmp_path):
    found = next(text for text in texts(tmp_path, Plan(sessions=6)) if text.startswith("k = 10"))
    assert "bm25 50 %" in found
    assert "nothing" not in found.partition("questions:")[2]


def test_failed_cells_are_flagged_with_their_number(tmp_path):
    found = texts(tmp_path, Plan(failed=[("log", "sample-01")]))
    assert "Not all cells are done, and scores rest on those that are: log 3 of 4." in found


def test_the_embedded_judge_and_answerer_are_named_as_no_language_models(tmp_path):
    found = " ".join(texts(tmp_path, Plan()))
    assert "The judge is lexical: rules over words and values, not a language model." in found
    assert "The answerer is extractive" in found


def test_language_models_are_not(tmp_path):
    found = " ".join(texts(tmp_path, Plan(settings={"judge": "llm", "answerer": "llm"})))
    assert "language model" not in found


@pytest.mark.parametrize("code", ["missing_picture", "broken_picture", "picture_not_released"])
def test_every_picture_that_cannot_be_seen_is_told(tmp_path, code):
    found = texts(tmp_path, Plan(findings={code: 1490, "odd_time": 3}))
    assert "Pictures that the data set names and does not hold: 1,490." in found


def test_points_that_a_model_wrote_are_called_silver(tmp_path):
    assert not [text for text in texts(tmp_path / "a", Plan()) if "silver" in text]
    (found,) = [text for text in texts(tmp_path / "b", Plan(findings={"silver_points": 10})) if "silver" in text]
    assert "written by a model" in found


def test_missing_pictures_and_the_licence_are_told(tmp_path):
    found = texts(tmp_path, Plan())
    assert "Pictures that the data set names and does not hold: 2." in found
    assert "Licence of the data: CC BY 4.0" in found


NO_EVIDENCE = "No question of these data has evidence: RC, Recall and NDCG are not measured."


def test_data_without_any_evidence_have_no_scores_of_retrieval_rather_than_zeros(tmp_path):
    path = write_run(tmp_path / "run", Plan()).path
    usual = Scores(RunStore.open(path))
    assert "recall@10" in [column.key for column in main_table(usual).columns]
    assert NO_EVIDENCE not in [flag.text for flag in flags(usual)]

    lines = [json.loads(line) for line in (path / "scores.jsonl").read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if "type" in line["facets"]:
            line["facets"]["evidence"] = 0
    (path / "scores.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    bare = Scores(RunStore.open(path))
    keys = {column.key for table in (main_table(bare), *stage_tables(bare)) for column in table.columns}
    assert not {key for key in keys if key == "rc" or key.startswith(("recall@", "ndcg@"))}
    assert {"qa_c", "recall"} <= keys
    assert NO_EVIDENCE in [flag.text for flag in flags(bare)]


def test_a_score_above_what_the_key_allows_is_flagged(tmp_path):
    found = texts(tmp_path, Plan(shares={"bm25": 1.0}, known_wrong=2))
    assert "bm25 scores above what a right answer key allows." in found


@pytest.mark.parametrize("state", ["running", "cancelled", "failed"])
def test_a_run_that_is_not_done_says_so_first(tmp_path, state):
    store = write_run(tmp_path / "run", Plan())
    store.set_status(state)
    first = flags(Scores(store))[0]
    assert (first.level, first.text.startswith(f"The run is {state}")) == ("warning", True)


def test_failed_judgements_are_counted_by_system(tmp_path):
    found = texts(tmp_path, Plan(shares={"bm25": 0.0, "log": 1.0}, f1=None))
    assert "Judgements failed; none counts as 0 or 1. Score rows without one: bm25 72." in found


def test_shares_above_one_are_flagged(tmp_path):
    found = texts(tmp_path, Plan(shares={"bm25": 0.0}, f1=5.0))
    assert "Shares below 0 or above 1 came from a scorer; rows: F1 72." in found


def test_what_a_system_says_of_itself_is_a_warning(tmp_path):
    found = flags(Scores(write_run(tmp_path / "run", Plan(shares={"unheld": 0.5, "bm25": 0.5}))))
    assert [flag.level for flag in found if flag.text == "unheld: nothing held it."] == ["warning"]
