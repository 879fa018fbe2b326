"""`memarena report` and `memarena compare`, end to end on run folders."""

from __future__ import annotations

import io
import json

import pytest
from click.testing import CliRunner
from report_runs import Plan, write_run
from rich.console import Console

from memarena.errors import StoreError, UsageError
from memarena.store import RunStore
from memarena_report.commands import compare, report
from memarena_report.html import HtmlReport


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("commands") / "run"
    write_run(path, Plan())
    return path


def invoke(command, *words):
    result = CliRunner().invoke(command, [str(word) for word in words], env={"COLUMNS": "100"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_report_prints_the_table_and_writes_the_page(run):
    result = invoke(report, run)
    assert "Scores  paper, mean over samples" in result.stdout
    assert "bm25" in result.stdout
    assert (run / "report.html").exists()


def test_no_line_is_wider_than_the_terminal(run):
    assert max(map(len, invoke(report, run, "--no-html").stdout.splitlines())) <= 100


def test_report_writes_elsewhere_or_not_at_all(tmp_path):
    write_run(tmp_path / "run", Plan(samples=1))
    invoke(report, tmp_path / "run", "--no-html")
    assert not (tmp_path / "run" / "report.html").exists()
    invoke(report, tmp_path / "run", "--out", tmp_path / "page.html")
    assert (tmp_path / "page.html").exists()
    assert not (tmp_path / "run" / "report.html").exists()


def test_report_json_is_strict_and_holds_no_paths(run):
    text = invoke(report, run, "--json", "--no-html").stdout
    found = json.loads(text, parse_constant=pytest.fail)
    main = found["tables"][0]
    row = next(row for row in main["rows"] if row["key"] == "bm25")
    assert row["numbers"]["qa_c"]["n"] == 72
    assert str(run) not in text


def test_report_of_a_folder_that_is_no_run_is_one_line(tmp_path):
    with pytest.raises(StoreError, match=r"is no run folder: it has no run\.json"):
        invoke(report, tmp_path)


def test_report_of_a_run_without_scores_says_what_to_do(tmp_path):
    store = write_run(tmp_path / "run", Plan(samples=1))
    (store.path / "scores.jsonl").unlink()
    (store.path / "metrics.json").unlink()
    with pytest.raises(StoreError, match="memarena score"):
        invoke(report, store.path)


@pytest.fixture
def summary(run):
    def printed(width):
        console = Console(width=width, record=True, file=io.StringIO())
        HtmlReport().print_summary(RunStore.open(run), console)
        return console.export_text()

    return printed


def test_a_run_ends_with_one_table_the_flags_and_where_the_rest_is(summary, run):
    text = summary(120)
    assert text.count("─\n") == 1
    assert "QA-C by question type" not in text
    assert "! Most retrievals are empty" in text or "· The judge is lexical" in text
    assert text.rstrip().endswith(f"memarena report {run}")


def test_the_table_at_the_end_of_a_run_is_in_two_pieces_at_most_on_a_narrow_terminal(summary, run):
    text = summary(80)
    assert text.count("─\n") <= 2
    assert "…" not in text
    assert text.rstrip().endswith(f"memarena report {run}")
    assert max(map(len, text.splitlines()[:-1])) <= 80


def test_the_table_at_the_end_of_a_run_shows_intervals_in_whole_percents(summary, run):
    row = main_row(run, "bm25")
    lo, hi = (f"{100 * row['numbers']['qa_c'][end]:.0f}" for end in ("lo", "hi"))
    assert f"{lo}–{hi}" in summary(120)


def test_report_prints_every_table_that_the_object_has(run):
    text = invoke(report, run, "--no-html").stdout
    tables = json.loads(invoke(report, run, "--json", "--no-html").stdout)["tables"]
    assert [title for title in (table["title"] for table in tables) if f"{title}  " not in text] == []


def test_report_prints_each_number_with_its_n(run):
    assert "n 72" in invoke(report, run, "--no-html").stdout


def main_row(run, label):
    tables = json.loads(invoke(report, run, "--json", "--no-html").stdout)["tables"]
    return next(row for row in tables[0]["rows"] if row["key"] == label)


def pairs_of(*words):
    return json.loads(invoke(compare, *words, "--json").stdout)


def test_compare_tests_all_pairs_of_a_run(run):
    found = pairs_of(run)
    assert [(pair["left"], pair["right"]) for pair in found["pairs"]] == [
        ("bm25", "log"),
        ("bm25", "nothing"),
        ("log", "nothing"),
    ]
    first = found["pairs"][0]
    assert first["units"] == 72
    assert first["difference"]["value"] == pytest.approx(first["difference"]["left"] - first["difference"]["right"])
    assert first["p_holm"] >= first["difference"]["p"]


def test_compare_takes_chosen_systems_and_metrics(run):
    found = pairs_of(run, "-a", "bm25", "-a", "nothing", "--metric", "f1", "--metric", "recall@10")
    assert [pair["metric"] for pair in found["pairs"]] == ["f1", "recall@10"]


def test_compare_pairs_systems_of_several_runs(tmp_path):
    for name, share in (("before", 0.3), ("after", 0.8)):
        write_run(tmp_path / name, Plan(shares={"bm25": share}, samples=8))
    found = pairs_of(tmp_path / "before", tmp_path / "after")
    pair = found["pairs"][0]
    assert (pair["left"], pair["right"]) == ("before:bm25", "after:bm25")
    assert pair["difference"]["value"] < -0.3
    assert pair["p_holm"] < 0.05


def test_compare_leaves_out_samples_that_only_one_run_has(tmp_path):
    write_run(tmp_path / "small", Plan(shares={"bm25": 0.5}, samples=3))
    write_run(tmp_path / "large", Plan(shares={"bm25": 0.5}, samples=5))
    pair = pairs_of(tmp_path / "small", tmp_path / "large")["pairs"][0]
    assert (pair["units"], pair["left_only"], pair["right_only"]) == (54, 0, 36)
    assert pair["difference"]["samples"] == 3


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("top_k", 5),
        ("judge", "llm"),
        ("answerer", "llm"),
        ("pictures", False),
        ("captions", "full"),
        ("budget_tokens", 9),
    ],
)
def test_compare_refuses_runs_made_under_other_conditions(tmp_path, setting, value):
    write_run(tmp_path / "one", Plan(samples=2))
    write_run(tmp_path / "two", Plan(samples=2, settings={setting: value}))
    with pytest.raises(UsageError, match=rf"under other conditions: settings\.{setting} .*--allow-unequal"):
        invoke(compare, tmp_path / "one", tmp_path / "two")
    found = pairs_of(tmp_path / "one", tmp_path / "two", "--allow-unequal")
    assert f"settings.{setting}" in [row["name"] for row in found["unequal"]]


def test_compare_allows_other_seeds_and_repeats(tmp_path):
    write_run(tmp_path / "one", Plan(samples=2))
    write_run(tmp_path / "two", Plan(samples=2, repeats=2, settings={"seed": 7}))
    assert pairs_of(tmp_path / "one", tmp_path / "two")["unequal"] == []


def test_compare_prints_a_table_that_fits_a_narrow_terminal(tmp_path):
    write_run(tmp_path / "run", Plan(samples=8))
    result = CliRunner().invoke(compare, [str(tmp_path / "run")], env={"COLUMNS": "80"})
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    row = next(place for place, line in enumerate(lines) if line.startswith("bm25 "))
    assert lines[row].split()[-1] == "bm25"
    assert lines[row + 1].split()[0] == "log"
    assert "…" not in result.stdout


def test_compare_breaks_no_name_where_a_narrow_terminal_has_room(tmp_path):
    write_run(tmp_path / "run", Plan(shares={"gold-evidence": 0.9, "last-session": 0.5}, samples=8))
    chosen = ("-a", "gold-evidence", "-a", "last-session")
    result = CliRunner().invoke(compare, [str(tmp_path / "run"), *chosen], env={"COLUMNS": "80"})
    assert {"gold-evidence", "last-session"} <= set(result.stdout.split())


def test_compare_says_how_early_each_pair_would_have_been_decided(tmp_path):
    write_run(tmp_path / "run", Plan(shares={"good": 0.9, "twin": 0.9, "poor": 0.1}, samples=10))
    found = pairs_of(tmp_path / "run", "--stop-early", "--seed", 3)["stopped"]
    assert [(one["left"], one["right"], one["higher"]) for one in found] == [
        ("good", "twin", ""),
        ("good", "poor", "good"),
        ("twin", "poor", "twin"),
    ]
    assert all(one["asked"] + one["saved"] == one["questions"] == 180 for one in found)
    result = CliRunner().invoke(compare, [str(tmp_path / "run"), "--stop-early"], env={"COLUMNS": "80"})
    assert "undecided" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "stopped" not in pairs_of(tmp_path / "run")


def test_compare_takes_systems_in_the_order_of_the_run(tmp_path):
    write_run(tmp_path / "run", Plan(shares={"zeta": 0.5, "alpha": 0.5}, samples=2))
    assert pairs_of(tmp_path / "run")["pairs"][0]["left"] == "zeta"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--metric", "shine"), "--metric shine: no such score here"),
        (("-a", "bm52"), "-a bm52: no such system here; there are bm25, log, nothing"),
        (("-a", "bm25"), "a comparison needs two systems, and there is only bm25"),
    ],
)
def test_compare_says_what_is_wrong_in_one_line(run, words, message):
    with pytest.raises(UsageError, match=message):
        invoke(compare, run, *words)
