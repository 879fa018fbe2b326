"""Score cards, contrasts, funnels and the page of finished runs."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from aha_runs import start, tiny
from click.testing import CliRunner
from msgspec.structs import replace

from memarena import codec
from memarena.cli import cli
from memarena.errors import UsageError
from memarena.store import RunStore
from memarena_aha.suite.card import Counts
from memarena_aha.suite.figures import middle_mean
from memarena_aha.suite.page import LARGEST, render
from memarena_aha.suite.paper_sheet import paper
from memarena_aha.suite.runcard import RunCard
from memarena_aha.suite.sheets import board, cards, contrasts, details, funnel

pytestmark = pytest.mark.usefixtures("tiny_part")


@pytest.fixture
def card(tmp_path: Path) -> RunCard:
    return RunCard(
        tiny(
            tmp_path / "run",
            "verbatim",
            "tiny-ondisk",
            pairs=4,
            options=('aha.controls=["null","long-context","lossy"]',),
        )
    )


def test_lift_gap_retention_and_capture_of_a_memory_that_keeps_all(card: RunCard) -> None:
    one = next(arm for arm in card.arms if arm.label == "verbatim").aggregate
    assert [getattr(one, name).value for name in ("b", "s_sup", "p", "p_null", "p_gold")] == [0, 100, 100, 0, 100]
    assert [getattr(one, name).value for name in ("lift", "over_null", "null_gap", "gap_sup")] == [100, 100, 0, 0]
    assert (one.retention.value, one.capture.value) == (1.0, 1.0)
    assert one.foreign.value == 0
    # Its newest item comes first, and the agent believes what it reads last; all that was heard comes in order.
    long = next(arm for arm in card.arms if arm.label == "long-context").aggregate
    assert (one.poison.value, long.poison.value) == (0, -100)
    assert not one.withheld


def test_an_empty_memory_has_no_lift_and_captures_nothing(card: RunCard) -> None:
    one = next(arm for arm in card.arms if arm.label == "null").aggregate
    assert (one.lift.value, one.capture.value, one.gap_sup.value) == (0, 0, 100)


def test_a_store_that_loses_sessions_stands_between(card: RunCard) -> None:
    lifts = {arm.label: arm.aggregate.lift.value for arm in card.arms}
    assert lifts["null"] == 0
    assert 0 < (lifts["lossy"] or 0) < 100
    assert lifts["long-context"] == 100


def test_an_arm_is_ranked_by_its_score_and_its_lift_stands_in_brackets(card: RunCard) -> None:
    sheet = board(card)
    assert [row[0] for row in sheet.rows][-2:] == ["lossy [control]", "null [control]"]
    assert sheet.rows[-1][1] == "0.0 (±0.0)"
    assert sheet.rows[0][1] == "100.0 (+100.0)"
    assert sheet.rows[0][-1] == "4 of 4"


def test_the_published_figures_are_laid_beside_where_it_is_asked(card: RunCard) -> None:
    rows = {row[0]: row[1] for row in board(card, published=True).rows}
    assert rows["Claude Opus 4.6 [published]"] == "64.3 (+25.8)"
    assert rows["GPT-5.4 [published]"] == "42.5 (–)"
    assert rows["Hy3 Preview [published]"] == "– (+12.2)"
    assert not any("published" in row[0] for row in board(card).rows)


def test_the_funnel_says_where_a_lesson_was_lost(card: RunCard) -> None:
    found = {one.label: one for one in card.funnels if one.lesson == "seven"}
    kept, lost = found["verbatim"], found["null"]
    assert [(one.hits, one.of) for one in (kept.write, kept.keep, kept.retrieve, kept.use)] == [(4, 4)] * 4
    assert kept.credited
    assert [(one.hits, one.of) for one in (lost.write, lost.retrieve, lost.use)] == [(0, 4)] * 3
    assert not lost.credited


def test_contrasts_between_systems_are_adjusted_and_those_with_b_are_not(card: RunCard) -> None:
    found = {(one.left, one.right): one for one in card.contrasts}
    against_null = found["verbatim", "null"]
    # Of the 16 sign flips of four blocks that all differ by 100, two are as far apart.
    assert against_null.p == pytest.approx(2 / 16)
    # Five contrasts between systems, two with p = 1/8: 5 x 1/8.
    assert against_null.p_holm == pytest.approx(5 / 8)
    assert found["verbatim", "B"].p_holm is None
    assert ("verbatim", "tiny-ondisk") in found


@pytest.mark.parametrize("words", [["report"], ["aha", "score"]])
def test_a_terminal_is_shown_a_row_a_memory_and_where_the_rest_is(card: RunCard, words: list[str]) -> None:
    result = CliRunner().invoke(cli, [*words, str(card.store.path)], env={"COLUMNS": "80"})
    assert result.exit_code == 0, result.output
    shown = result.output.splitlines()
    # Five memories in one part; of the three parts of a whole run that makes about a hundred lines.
    assert len(shown) < 60
    assert max(len(line) for line in shown if not line.startswith("report: ")) <= 80
    assert "intervals rest on only 4 blocks: likely too narrow" in shown
    assert "report.html" in result.output
    assert ("The paper's score card: puzzle" in result.output) is (words != ["report"])
    funnels = [line.split() for line in shown if line.startswith("verbatim ") and line.endswith("/12")]
    # One lesson in four pairs with three decisions each; nothing was cut.
    assert funnels == ([["verbatim", "4/4", "4/4", "4/4", "4/4", "yes", "0/12"]] if words == ["report"] else [])


def test_near_and_far_transfer_are_compared_without_pairing(card: RunCard) -> None:
    found = {(one.left, one.right): one.figure for one in card.contrasts}
    assert found["verbatim: near", "far"].value == 0
    assert (found["verbatim: near", "far"].n, found["verbatim: near", "far"].blocks) == (4, 4)


def test_the_forgetting_curve_has_a_point_for_each_number_of_distractors(card: RunCard) -> None:
    points = [(one.distractors, one.lift.value) for one in card.curves if one.label == "verbatim"]
    assert points == [(0, 100), (2, 100)]


def test_the_card_of_the_paper_takes_support_from_the_course(card: RunCard) -> None:
    one = card.paper["null"][0]
    # With no memory the unit of the course, whose trace the agent does not see, scores nothing.
    assert (one.initial.value, one.post.value, one.support.value, one.support_gap.value) == (0, 0, 0, 0)
    assert (card.paper["verbatim"][0].support.value, card.paper["verbatim"][0].support_gap.value) == (100, 0)
    assert set(one.ours) == {"initial", "retention"}


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([0, 10, 20, 100], 15),  # the two in the middle
        ([0, 10, 20, 30, 100], (0.75 * 10 + 20 + 0.75 * 30) / 2.5),
        ([7], 7),
        ([0, 100], 50),
    ],
)
def test_the_mean_of_the_middle_half(scores: list[float], expected: float) -> None:
    assert middle_mean(scores) == pytest.approx(expected)


def test_results_are_withheld_where_the_null_arm_is_not_cold(card: RunCard) -> None:
    row = next(cell for cell in card.results.cells if cell.label == "null").cell_id
    file = card.store.path / "cells" / row / "episodes.jsonl"
    for cell in card.results.cells:
        if cell.label == "null":
            file = card.store.path / "cells" / cell.cell_id / "episodes.jsonl"
            text = file.read_text(encoding="utf-8").replace('"score":0.0', '"score":50.0')
            file.write_text(text, encoding="utf-8")
    again = RunCard(RunStore.open(card.store.path))
    assert again.withheld == {"puzzle"}
    assert any("withheld" in text for text in again.warnings)
    assert {cell for row in board(again).rows for cell in row[1:-1]} == {"withheld"}
    for sheet in (*cards(again), paper(again)):
        assert {cell for row in sheet.rows for cell in row[1:]} == {"withheld"}, sheet.title
    assert {cell for row in contrasts(again).rows for cell in row[1:5]} == {"withheld"}
    told = CliRunner().invoke(cli, ["report", str(card.store.path)], env={"COLUMNS": "80"}).output
    assert "results are withheld" in " ".join(told.split())
    # What is measured without any memory is told, and no score of one with a memory.
    assert next(line.split()[1] for line in told.splitlines() if line.startswith("verbatim ")) == "withheld"
    page = (card.store.path / "report.html").read_text(encoding="utf-8")
    assert "+100.0" not in page


def test_the_card_is_plain_json_without_paths_or_times(card: RunCard) -> None:
    text = codec.encode(card.as_object()).decode()
    assert str(card.store.path) not in text
    found = json.loads(text)
    assert [arm["memory"] for arm in found["arms"]][-1] == "null"
    assert found["arms"][0]["aggregate"]["counts"]["scored"] == 4


class Tags(HTMLParser):
    """Collects what is opened and closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        if tag not in ("meta", "line", "circle", "polyline", "rect", "polygon", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("line", "circle", "polyline", "rect", "polygon"):
            assert self.open.pop() == tag


def test_the_page_is_whole_small_and_escaped(card: RunCard) -> None:
    card.header["models"]["names"] = {"answer": "<script>alert(1)</script>"}
    page = render(card)
    assert len(page) < LARGEST
    tags = Tags()
    tags.feed(page.decode("utf-8"))
    assert (tags.open, tags.scripts) == ([], 0)
    assert b"&lt;script&gt;alert(1)&lt;/script&gt;" in page
    for sheet in (board(card), *cards(card), contrasts(card), funnel(card, "puzzle"), paper(card), *details(card)):
        for row in sheet.rows:
            assert row[0].encode() in page


def test_report_compare_and_score_read_such_a_run(card: RunCard) -> None:
    path = str(card.store.path)
    runner = CliRunner()
    report = runner.invoke(cli, ["report", path, "--json"])
    assert report.exit_code == 0, report.output
    assert (card.store.path / "report.html").exists()
    compared = runner.invoke(cli, ["compare", path, "-a", "verbatim", "-a", "lossy", "--json"])
    assert compared.exit_code == 0, compared.output
    assert json.loads(compared.output)["pairs"][0]["metric"] == "p"
    before = (card.store.path / "scores.jsonl").read_bytes()
    scored = runner.invoke(cli, ["aha", "score", path, "--published"])
    assert scored.exit_code == 0, scored.output
    assert "Claude Opus 4.6" in scored.output
    as_json = runner.invoke(cli, ["aha", "score", path, "--json", "--published"])
    assert as_json.exit_code == 0, as_json.output
    told = json.loads(as_json.output)
    assert {name: value for name, value in told.items() if name != "published"} == json.loads(report.stdout)
    assert [row["lift"] for row in told["published"]] == [25.8, 8.2, None, 12.2]
    assert (card.store.path / "scores.jsonl").read_bytes() == before
    failed = runner.invoke(cli, ["report", path, "--no-html", "--fail-if", "null.lift < 0.5"])
    assert failed.exit_code == 1


@pytest.mark.parametrize(
    "words",
    [
        ["score", "--judge", "lexical"],
        ["answer"],
        ["explain", "Q1"],
        ["report", "--variant", "strict"],
    ],
)
def test_what_has_no_meaning_for_such_a_run_is_refused(card: RunCard, words: list[str]) -> None:
    result = CliRunner().invoke(cli, [words[0], str(card.store.path), *words[1:]])
    assert isinstance(result.exception, UsageError)
    assert "the suite aha" in str(result.exception)


def test_runs_of_other_sizes_are_compared_on_the_pairs_that_both_have(tmp_path: Path) -> None:
    few = ('aha.controls=["null"]', "aha.extras=[]")
    tiny(tmp_path / "small", "verbatim", pairs=2, options=few)
    tiny(tmp_path / "large", "tiny-ondisk", pairs=3)
    result = CliRunner().invoke(cli, ["compare", str(tmp_path / "small"), str(tmp_path / "large"), "--json"])
    assert result.exception is None, result.output
    pairs = {(one["left"], one["right"]): one["units"] for one in json.loads(result.output)["pairs"]}
    assert pairs["small:verbatim", "large:tiny-ondisk"] == 2
    assert not any("baseline" in name for names in pairs for name in names)


def test_runs_with_other_agents_are_not_compared(tmp_path: Path) -> None:
    few = ('aha.controls=["null"]', "aha.extras=[]")
    tiny(tmp_path / "one", "verbatim", options=few)
    tiny(tmp_path / "two", "verbatim", options=few, agent="tiny-refusing")
    result = CliRunner().invoke(cli, ["compare", str(tmp_path / "one"), str(tmp_path / "two")])
    assert isinstance(result.exception, UsageError)
    assert "settings.agent (tiny-reader / tiny-refusing)" in str(result.exception)


def test_a_system_that_answers_by_itself_is_warned_of(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run", "constant", options=('aha.controls=["null"]', "aha.extras=[]"))
    assert RunCard(store).warnings == ["constant: answers by itself; only what it retrieves reaches the agent here"]


def test_a_part_without_scores_leaves_no_aggregate(tmp_path: Path) -> None:
    few = ("aha.pairs=1", 'aha.controls=["null"]', "aha.extras=[]")
    parts = ('aha.parts=["puzzle","euler"]', "puzzle.broken=1", 'euler.conditions="full"', 'euler.kinds="single"')
    start(tmp_path / "run", options=(*few, *parts))
    card = RunCard(RunStore.open(tmp_path / "run")).arms[0]
    assert card.parts["euler"].p.value == 0
    assert (card.aggregate.p.value, card.aggregate.p.note) == (None, "not in puzzle")
    assert card.aggregate.lift.value is None


def test_a_memory_is_valid_where_it_can_be_asked_and_told() -> None:
    heard = Counts(planned=1, memory_calls=1000, memory_asked=50, memory_told=800)
    assert heard.valid
    assert replace(heard, memory_errors=5, memory_unanswered=5).valid
    mute = replace(heard, memory_errors=50, memory_unanswered=50)
    assert (mute.valid, mute.broken) == (False, "100 % of its retrievals")
    assert replace(heard, memory_errors=80, memory_unheard=80).valid
    deaf = replace(heard, memory_errors=88, memory_unheard=84, memory_unanswered=4)
    assert (deaf.valid, deaf.broken) == (False, "10 % of the calls that it learns from")
    dark = replace(heard, memory_errors=150)
    assert (dark.valid, dark.unseen) == (True, (150, 150))
