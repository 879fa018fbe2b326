"""Tables of a run: what stands in them, what is undefined and why."""

from __future__ import annotations

import pytest
from report_rows import row
from report_runs import METRICS, Plan, write_run

from memarena.records import Metric
from memarena_report.breakdowns import abstention_table, facet_table, stage_facet_tables, type_table
from memarena_report.costs import a_sample, time_table, usage_table
from memarena_report.frame import Frame
from memarena_report.known_wrong import above_ceiling, overlay_table
from memarena_report.repeats import repeats_table
from memarena_report.scores import Number, Scores
from memarena_report.table import between, reasons, shown
from memarena_report.tables import main_metrics, main_table, stage_tables
from memarena_report.terminal import signed


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    return Scores(write_run(tmp_path_factory.mktemp("tables") / "run", Plan(known_wrong=2)))


def numbers(table, label):
    line = next(line for line in table.rows if line.key == label)
    return dict(zip((column.key for column in table.columns), line.numbers, strict=True))


def test_the_main_table_has_the_systems_in_the_order_of_the_run(scores):
    assert [line.key for line in main_table(scores).rows] == ["bm25", "log", "nothing"]


def test_a_floor_is_marked(scores):
    assert [line.role for line in main_table(scores).rows] == ["", "", "floor"]


def test_the_main_table_takes_the_deepest_ranking_within_top_k(scores):
    assert main_metrics(scores) == ["recall", "update", "recall@10", "qa_c", "qa_h", "qa_o", "f1"]


def test_every_number_carries_n_and_an_interval(scores):
    one = numbers(main_table(scores), "bm25")["qa_c"]
    assert (one.n, one.invalid, one.skipped, one.samples) == (72, 0, 0, 4)
    assert one.lo <= one.value <= one.hi


def test_labels_of_answers_add_up_to_one(scores):
    found = numbers(main_table(scores), "bm25")
    assert found["qa_c"].value + found["qa_h"].value + found["qa_o"].value == pytest.approx(1)


def test_a_score_without_rows_is_undefined_with_a_reason_and_not_zero(tmp_path):
    plan = Plan(failed=[("log", f"sample-{place:02d}") for place in range(4)])
    table = main_table(Scores(write_run(tmp_path / "run", plan)))
    assert {one.value for one in numbers(table, "log").values()} == {None}
    assert {why for name, why, _ in reasons(table) if name == "log"} == {"no cell finished", "not measured"}


def test_units_of_a_failed_cell_are_skipped_and_not_lost(tmp_path):
    found = numbers(main_table(Scores(write_run(tmp_path / "run", Plan(failed=[("log", "sample-00")])))), "log")
    assert (found["qa_c"].n, found["qa_c"].skipped, found["qa_c"].samples) == (54, 18, 3)


def test_further_scores_stand_in_tables_of_their_stage(scores):
    titles = {table.key: [column.key for column in table.columns] for table in stage_tables(scores)}
    assert titles == {"stage-write": ["items"], "stage-retrieve": ["recall@5", "empty_retrieval"]}


def test_types_stand_under_their_axes_with_the_mean_of_an_axis_and_of_all(scores):
    keys = [column.key for column in type_table(scores).columns]
    assert keys == ["FR", "DU", "MB", "axis:robustness", "TR", "KR", "axis:reasoning", "VFR", "avg_type"]


def test_the_mean_of_an_axis_is_that_of_its_columns(scores):
    found = numbers(type_table(scores), "bm25")
    assert found["axis:robustness"].value == pytest.approx((found["DU"].value + found["MB"].value) / 2)


def test_a_facet_with_one_value_gets_no_table(scores):
    assert facet_table(scores, "domain") is None


def test_session_indices_are_sorted_as_numbers(tmp_path):
    table = facet_table(Scores(write_run(tmp_path / "run", Plan(samples=2, sessions=11, questions=1))), "session")
    assert [column.key for column in table.columns] == [str(place) for place in range(11)]
    assert table.columns[0].title == "1"


def test_scores_before_the_answers_are_broken_down_too(scores):
    assert [table.key for table in stage_facet_tables(scores)] == [
        "session-recall",
        "session-update",
        "type-recall@10",
        "session-recall@10",
    ]


def test_a_table_can_be_transposed(scores):
    table = facet_table(scores, "session")
    turned = table.transposed()
    assert [column.key for column in turned.columns] == ["bm25", "log", "nothing"]
    assert turned.rows[2].numbers[1] == table.rows[1].numbers[2]


def test_questions_without_an_answer_get_a_table_where_there_are_some(scores):
    assert abstention_table(scores) is None


def test_known_wrong_questions_are_left_out_beside_the_whole_and_set_the_ceiling(scores):
    table = overlay_table(scores)
    assert "8 questions" in table.title
    found = numbers(table, "bm25")
    assert (found["qa_c:all"].n, found["qa_c:sound"].n) == (72, 64)
    assert found["ceiling"].value == pytest.approx(64 / 72)


def test_a_score_above_the_ceiling_is_seen(tmp_path):
    plan = Plan(shares={"oracle": 1.0, "bm25": 0.5}, known_wrong=2)
    assert above_ceiling(overlay_table(Scores(write_run(tmp_path / "run", plan)))) == ["oracle"]


def test_times_are_seconds_a_sample(scores):
    found = numbers(time_table(scores), "bm25")
    assert found["write"].value == pytest.approx(0.3)
    assert found["retrieve"].value == pytest.approx(0.45)
    assert numbers(main_table(scores), "bm25")["time"].value == pytest.approx(0.75)


def test_a_sample_that_took_no_time_counts(scores):
    times = {"sample-00": 0.0, "sample-01": 10.0, "sample-02": None, "sample-03": None}
    found = a_sample(scores, scores.systems[0], lambda cell: times[cell.sample_id])
    assert (found.value, found.counts.samples) == (5.0, 2)


def test_usage_that_nobody_counted_is_not_shown_as_zero(scores):
    assert usage_table(scores) is None


def test_repeats_show_their_spread(tmp_path):
    assert repeats_table(Scores(write_run(tmp_path / "one", Plan()))) is None
    several = Scores(write_run(tmp_path / "three", Plan(repeats=3)))
    found = numbers(repeats_table(several), "bm25")
    assert found["recall"].value == 0
    assert found["qa_c"].value > 0
    assert found["qa_c"].n == 3


def test_a_run_of_other_scorers_shows_what_it_has(tmp_path):
    plan = Plan(metrics={"f1": METRICS["f1"], "shine": Metric(title="Shine", stage="gloss")})
    scores = Scores(write_run(tmp_path / "run", plan))
    assert main_metrics(scores) == ["f1"]


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.4567, "share", "45.7"),
        (None, "share", "–"),
        (12.34, "seconds", "12.3 s"),
        (0.0123, "seconds", "12.3 ms"),
        (0.0000123, "seconds", "12.3 µs"),
        (0.0, "seconds", "0 s"),
        (4321.0, "seconds", "4,321 s"),
        (12345.6, "tokens", "12,346"),
        (0.256, "ratio", "0.256"),
    ],
)
def test_values_are_shown_in_their_unit(value, unit, text):
    assert shown(value, unit) == text


def test_an_interval_names_its_unit_once():
    assert between(Number(1.5, 1.0, 2.0), "seconds") == "1–2 s"
    assert between(Number(0.5, 0.0005, 2.0), "seconds") == "500 µs–2 s"


def test_counts_of_a_frame_do_not_depend_on_the_order_of_rows():
    rows = [row("s1", "q1"), row("s2", "q1", n=0.0), row("s1", "q2", n=None)]
    one, other = Frame.read(rows), Frame.read(reversed(rows))
    assert len(one.asked("qa_c")) == len(other.asked("qa_c")) == 3


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [(0.236, "points", "+23.6"), (-0.005, "points", "−0.5"), (0.0, "points", "±0.0"), (0.236, "share", "+23.6")],
)
def test_a_difference_has_one_sign(value: float, unit: str, said: str):
    assert signed(value, unit) == said
