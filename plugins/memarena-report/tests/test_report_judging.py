"""Every table of judged numbers says who judged, and how far that judge agrees with labels that are known."""

from __future__ import annotations

import io
import json
import sys

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from report_runs import Plan, write_run
from rich.console import Console

from memarena import codec
from memarena.store import RunStore
from memarena_report.commands import compare, report
from memarena_report.html import HtmlReport
from memarena_report.judging import Judging, judging

FIGURES = {
    "judge": "mine", "revision": 3, "n": 10, "invalid": 2, "right": 6, "accepted_wrongly": 1, "not_correct": 4,
    "rejected_wrongly": 2, "correct": 4, "kappa": 0.456, "built": {"answer": {"agreement": 0.98765, "n": 81}},
}  # fmt: skip


def test_the_figures_are_told_as_shares():
    told = Judging("mine", 3, FIGURES)
    assert told.mark == "judge mine, kappa 0.46"
    assert told.sentence == (
        "The judge mine agrees with 75.0 % of 10 labelled answers (kappa 0.46); it accepts 25.0 % of the wrong ones "
        "and rejects 50.0 % of the right ones. On data that was built, where all labels are known: 98.8 % (answer)."
    )


def test_without_figures_it_is_said_how_to_get_some():
    told = Judging("llm", 1, None)
    assert told.mark == "judge llm, not calibrated"
    assert told.sentence == "The judge llm is not calibrated: memarena judge calibrate --judge llm does it."


def header(**row):
    return {"plugins": {"judge": {"name": "mine", "distribution": "memarena-mine", "revision": 3, **row}}}


CODE = """
class Mine:
    name, revision = "mine", 4

    @staticmethod
    def calibration():
        return {figures!r}


class Bare:
    name, revision = "bare", 1
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    home = tmp_path / "memarena_mine-1.0.dist-info"
    home.mkdir()
    (home / "METADATA").write_text("Name: memarena-mine\nVersion: 1.0\n", encoding="utf-8")
    points = "[memarena.judges]\nmine = memarena_mine:Mine\nbare = memarena_mine:Bare\n"
    (home / "entry_points.txt").write_text(points, encoding="utf-8")
    (tmp_path / "memarena_mine.py").write_text(CODE.format(figures=FIGURES), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("memarena_mine", None)


def test_anybody_s_judge_can_ship_its_figures(installed):
    assert judging(header()).calibration == FIGURES
    assert judging(header(name="bare", revision=1)).mark == "judge bare, not calibrated"


def test_figures_of_another_revision_are_not_taken(installed):
    assert judging(header(revision=4)).calibration is None


def test_a_judge_that_is_not_installed_here_is_not_calibrated():
    assert judging(header()).mark == "judge mine, not calibrated"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    store = write_run(tmp_path_factory.mktemp("judged") / "run", Plan(samples=3))
    for place, split in enumerate(("dev", "test", "test")):
        sample = store.sample(f"sample-{place:02d}")
        file = store.path / "samples" / f"{sample.sample_id}.json"
        file.write_bytes(codec.encode(replace(sample, meta={"split": split})))
    return store.path


def printed(command, *words):
    return CliRunner().invoke(command, [*map(str, words)], env={"COLUMNS": "400"}, catch_exceptions=False).stdout


def test_each_judged_table_on_a_terminal_names_the_judge_and_no_other_does(run):
    headings = [line for line in printed(report, run, "--no-html").splitlines() if "interval" in line and ";" in line]
    named = [line for line in headings if line.endswith("; judge lexical, not calibrated")]
    assert len(named) > 5 and named[0].startswith("Scores")
    others = [line.partition("  ")[0] for line in headings if line not in named]
    assert others == ["Write: further scores", "Seconds a sample by stage"]  # items kept, and times


def test_the_terminal_says_which_splits_were_seen_and_who_judged(run):
    found = printed(report, run, "--no-html")
    line = next(line for line in found.splitlines() if line.startswith("· answerer:"))
    assert "judge: lexical, not calibrated; " in line and line.endswith("samples by split: dev 1, test 2")
    console = Console(file=io.StringIO(), width=400)
    HtmlReport().print_summary(RunStore.open(run), console)
    assert line in console.file.getvalue() and "judge lexical, not calibrated" in console.file.getvalue()


def test_data_without_splits_have_no_such_line(tmp_path):
    store = write_run(tmp_path / "run", Plan(samples=1))
    assert "by split" not in printed(report, store.path, "--no-html")


def test_the_page_names_the_judge_below_its_tables(run):
    page = HtmlReport().write(RunStore.open(run)).read_text(encoding="utf-8")
    told = page[page.index('<section id="pairs">') :]
    assert '<p class="judged">judge lexical, not calibrated</p>' in told[: told.index("</section>")]
    assert page.count('<p class="judged">judge lexical, not calibrated</p>') > 5
    assert "<dt>samples by split</dt><dd>dev 1, test 2</dd>" in page
    assert "The judge lexical is not calibrated" in page


def test_json_has_the_judge_and_the_setup(run):
    found = json.loads(printed(report, run, "--json", "--no-html"))
    assert found["setup"]["samples by split"] == "dev 1, test 2"
    assert found["judge"] == {"name": "lexical", "revision": 1, "calibration": None}


def test_a_comparison_names_the_judge(run):
    found = printed(compare, run, "--metric", "qa_c", "--metric", "items")
    lines = [line for line in found.splitlines() if "left minus right" in line]
    assert [line.endswith("; judge lexical, not calibrated") for line in lines] == [True, False]
