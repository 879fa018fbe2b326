"""Losses, costs of stages and the life of facts, on rows whose numbers can be told by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_rows import ScoreRow, row
from report_runs import METRICS, Plan, write_run

from memarena import codec
from memarena.records import Metric
from memarena_report import html
from memarena_report.facts import facts_tables
from memarena_report.followed import CORRECT, LOST, REACHED, STATE, UPDATE_FORMS
from memarena_report.followed_page import lost_section
from memarena_report.frame import Frame
from memarena_report.lost import funnel, lost_by, lost_facet_tables, lost_table, reasons_table
from memarena_report.page import context
from memarena_report.scores import Scores
from memarena_report.stagecosts import stage_costs
from memarena_report.survival import hazard_table, survival, survival_by, survival_table
from memarena_report.traces import BUDGET, Packed

FOLLOWED = {
    **METRICS,
    **{name: Metric(title=name, stage="write", better="low") for name in LOST},
    "fact_lost": Metric(title="Lost a session", stage="maintain", pooled=True),
}


def scored(tmp_path, rows, plan=None):
    """A run with these rows in place of its own."""
    plan = plan or Plan(shares={"a": 0.5, "b": 0.5}, samples=2, floors=(), metrics=FOLLOWED)
    scores = Scores(write_run(tmp_path / "run", plan))
    scores.frame = Frame.read(rows)
    return scores


def asked(unit, lost_at, label="a", sample="sample-00", **facets):
    """The rows of one question: lost at a stage, at none (""), or nobody knows where (None)."""
    for metric, stage in LOST.items():
        if metric != "lost_unseen":
            n = None if lost_at is None else float(stage == lost_at)
            invalid = int(lost_at is None)
            yield row(sample, unit, metric, n, label=label, invalid=invalid, facets=facets)


def values(table, label):
    line = next(line for line in table.rows if line.key == label)
    return {column.key: one.value for column, one in zip(table.columns, line.numbers, strict=True)}


STAGES_ASKED = ("write", "write", "maintain", "retrieve", "use", "use", "use", "", "", "")


def ten_questions(label="a"):
    return [one for place, stage in enumerate(STAGES_ASKED) for one in asked(f"Q{place}", stage, label)]


def test_each_question_is_lost_once_and_the_rest_is_correct(tmp_path):
    found = values(lost_table(scored(tmp_path, ten_questions())), "a")
    assert found == pytest.approx(
        {"lost_write": 0.2, "lost_maintain": 0.1, "lost_retrieve": 0.1, "lost_show": 0.0, "lost_use": 0.3, CORRECT: 0.3}
    )


@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["", None, *set(LOST.values()) - {"unseen"}])), min_size=1)
)
def test_the_parts_of_a_funnel_add_up_to_one_at_both_levels(asked_of):
    rows = [
        one for place, (sample, stage) in enumerate(asked_of) for one in asked(f"Q{place}", stage, sample=f"s{sample}")
    ]
    scores = object.__new__(Scores)
    scores.frame, scores.metrics = Frame.read(rows), FOLLOWED
    for level in ("samples", "run"):
        shares = [one.value for one in funnel(scores, "a", "paper", level).values()]
        if all(stage is None for _, stage in asked_of):
            assert set(shares) == {None}
        else:
            assert sum(shares) == pytest.approx(1)


def test_a_question_whose_loss_nobody_knows_is_in_no_part_and_counted(tmp_path):
    rows = [*ten_questions(), *asked("Q10", None)]
    table = lost_table(scored(tmp_path, rows))
    first = table.rows[0].numbers
    assert {(one.n, one.invalid) for one in first} == {(10, 1)}
    assert sum(one.value for one in first) == pytest.approx(1)


def test_a_system_that_was_not_followed_says_why(tmp_path):
    table = lost_table(scored(tmp_path, ten_questions()))
    assert {one.note for one in table.rows[1].numbers} == {"no question whose evidence can be followed"}


def test_losses_are_told_apart_by_type_and_session_counted_from_one(tmp_path):
    rows = [*asked("Q0", "write", type="FR", session=0), *asked("Q1", "", type="TR", session=10)]
    scores = scored(tmp_path, rows)
    found = {one.value: {name: share.value for name, share in one.shares.items()} for one in lost_by(scores, "session")}
    assert list(found) == ["1", "11"]
    assert found["1"]["lost_write"] == found["11"][CORRECT] == 1
    assert [line.key for line in next(lost_facet_tables(scores)).rows] == ["a: FR", "a: TR"]


def test_a_facet_with_one_value_tells_nothing_apart(tmp_path):
    assert lost_by(scored(tmp_path, ten_questions()), "type") == []


def test_reasons_are_shares_of_what_a_stage_lost(tmp_path):
    rows = [
        *asked("Q0", "use", reason="stale value"),
        *asked("Q1", "use", reason="evidence ignored"),
        *asked("Q2", "use", reason="evidence ignored"),
        *asked("Q3", "use", reason="evidence ignored"),
        *asked("Q4", "maintain", reason="gone"),
        *asked("Q5", ""),
    ]
    found = values(reasons_table(scored(tmp_path, rows)), "a")
    assert found == {"lost_maintain:gone": 1, "lost_use:stale value": 0.25, "lost_use:evidence ignored": 0.75}


def test_a_run_that_was_not_followed_has_none_of_these_tables(tmp_path):
    scores = Scores(write_run(tmp_path / "run", Plan()))
    assert (lost_table(scores), reasons_table(scores), stage_costs(scores), lost_section(scores)) == (None,) * 4
    assert facts_tables(scores) == []


# -- what a stage costs -----------------------------------------------------------------------


def with_oracles(tmp_path, shares, **more):
    plan = Plan(shares=shares, samples=8, floors=(), metrics=FOLLOWED, **more)
    store = write_run(tmp_path / "run", plan)
    header = codec.decode((tmp_path / "run" / "run.json").read_bytes(), dict, "run.json")
    for one in header["adapters"]:
        of, _, stage = one["label"].partition("+")
        if stage:
            one |= {"name": f"oracle:{stage}", "of": of}
    store.header = header
    return Scores(store)


def test_a_stage_costs_what_gold_in_its_place_gains_on_the_same_questions(tmp_path):
    scores = with_oracles(tmp_path, {"bm25": 0.2, "bm25+write": 1.0, "log": 1.0, "gold-evidence": 1.0})
    table = stage_costs(scores)
    found = {line.key: line.numbers for line in table.rows}
    own = scores.quantity("bm25", "qa_c", "paper").value
    assert [column.key for column in table.columns] == ["write", "retrieve"]
    assert [one.value for one in found["bm25"]] == pytest.approx([1 - own, 1 - own])
    assert found["bm25"][0].lo < 1 - own < found["bm25"][0].hi
    assert (found["bm25"][0].n, found["bm25"][0].samples) == (144, 8)
    assert (found["log"][0].note, found["log"][1].value) == ("there is no such row", 0)


def test_a_cost_that_cannot_be_told_names_the_failure_of_the_oracle(tmp_path):
    failed = [("bm25+write", f"sample-{place:02d}") for place in range(8)]
    table = stage_costs(with_oracles(tmp_path, {"bm25": 0.2, "bm25+write": 1.0}, failed=failed))
    assert table.rows[0].numbers[0].note == "bm25+write: bm25+write.retrieve: the index is gone"


def test_oracles_are_in_no_pair_and_no_ranking(tmp_path):
    scores = with_oracles(tmp_path, {"bm25": 0.2, "log": 0.3, "bm25+write": 1.0, "log+maintain": 1.0})
    shown = context(scores, Packed())
    assert [(pair.left, pair.right) for pair in shown["paired"]["qa_c"]] == [("bm25", "log")]
    assert shown["best"].startswith(("log answers best", "bm25 answers best"))
    assert [line.key for line, *_ in shown["leaders"]] == ["bm25", "log"]


# -- the life of facts ------------------------------------------------------------------------

FIVE = ((1, 1), (2, 0), (3, 1), (3, 0), (4, 0))
"""Sessions at risk, and whether the fact was lost then."""


def lives(*facts, label="a", sample="s1", **facets) -> list[ScoreRow]:
    return [
        row(sample, f"{sample}:{place}", "fact_lost", float(lost), float(risk), label, facets=facets)
        for place, (risk, lost) in enumerate(facts)
    ]


def curve(rows, samples=1):
    return survival(Frame.read(rows).column("a", "fact_lost", "paper"), samples)


def test_a_survival_curve_of_five_facts_is_that_by_hand():
    # One of 5 is lost after the first session, none of 4 after the second, one of 3 after the third.
    found = curve(lives(*FIVE))
    assert [one.value for one in found] == pytest.approx([1, 4 / 5, 4 / 5, 8 / 15, 8 / 15])
    assert [one.n for one in found] == [5, 5, 4, 3, 1]


def test_the_interval_of_one_sample_is_greenwoods():
    found = curve(lives(*FIVE))[3]
    spread = 1.959964 * math.sqrt(1 / (5 * 4) + 1 / (3 * 2)) / abs(math.log(8 / 15))
    assert found.lo == pytest.approx((8 / 15) ** math.exp(spread), abs=1e-6)
    assert found.hi == pytest.approx((8 / 15) ** math.exp(-spread), abs=1e-6)


def test_the_interval_of_several_samples_comes_from_drawing_them():
    # Each sample loses all or nothing, so the draws of two reach from 0 to 1.
    found = curve([*lives((1, 1), (1, 1)), *lives((1, 0), (1, 0), sample="s2")], samples=2)[1]
    assert (found.value, found.lo, found.hi, found.samples) == (0.5, 0, 1, 2)


def test_a_curve_on_which_nothing_is_lost_has_no_interval_that_greenwood_could_give():
    assert [(one.value, one.lo) for one in curve(lives((3, 0), (2, 0)))] == [(1, None)] * 4


def test_facts_that_were_never_at_risk_have_no_curve():
    assert curve([row("s1", "u", "fact_lost", None, invalid=1)]) == []


@given(st.lists(st.tuples(st.integers(1, 6), st.booleans()), min_size=1, max_size=40))
def test_a_survival_curve_never_rises_and_ends_at_nothing_only_where_all_are_lost(facts):
    found = [one.value for one in curve(lives(*facts))]
    assert found == sorted(found, reverse=True)
    assert all(0 <= value <= 1 for value in found)
    assert len(found) == max(risk for risk, _ in facts) + 1


def test_without_censoring_the_curve_is_the_share_that_is_left():
    found = curve(lives((1, 1), (2, 1), (2, 1), (4, 1)))
    assert [one.value for one in found] == pytest.approx([1, 3 / 4, 1 / 4, 1 / 4, 0])


def test_the_hazard_is_losses_over_sessions_at_risk_by_what_a_fact_is(tmp_path):
    rows = [*lives(*FIVE, sample="sample-00", modality="text"), *lives((1, 1), sample="sample-01", modality="visual")]
    scores = scored(tmp_path, rows)
    found = values(hazard_table(scores), "a")
    assert found == pytest.approx({"all": 3 / 14, "modality:text": 2 / 13, "modality:visual": 1})
    assert [(name, value) for name, value, _ in survival_by(scores)] == [("modality", "text"), ("modality", "visual")]


def test_systems_whose_facts_end_earlier_have_dashes_with_a_reason(tmp_path):
    rows = [*lives(*FIVE, sample="sample-00"), *lives((1, 1), label="b", sample="sample-00")]
    table = survival_table(scored(tmp_path, rows))
    assert [one.value for one in table.rows[1].numbers] == [1, 0, None, None, None]
    assert table.rows[1].numbers[2].note == "no fact was at risk so long"


# -- the page ---------------------------------------------------------------------------------


def busy(systems, types=1, sessions=1, mark=""):
    """Rows of systems with every table and chart: questions of each type after each session, facts of each length."""
    for label in systems:
        for sample in ("sample-00", "sample-01"):
            for place in range(max(types, sessions)):
                facets = {"type": f"{mark}{place % types}", "session": place % sessions, "age": place % sessions}
                stage = STAGES_ASKED[place % 10]
                yield from asked(f"Q{place}", stage, label, sample, reason=f"{mark}why", domain=f"{mark}d", **facets)
                chain = (*REACHED, "correct_by_age", "lucky", "grounded")
                yield from (row(sample, f"Q{place}", name, label=label, facets=facets) for name in chain)
            for step in range(sessions):
                facts = {"session": step, "kind": f"{mark}{step % 2}", "modality": f"{mark}{step % 3}"}
                unit = f"S{step}"
                yield row(sample, f"{unit}:0", "fact_lost", float(step % 2), float(step + 1), label, facets=facts)
                yield from (row(sample, unit, name, label=label, facets=facts) for name in STATE)
                yield from (
                    row(sample, f"{unit}:0", name, float(not place), label=label, facets=facts)
                    for place, name in enumerate(UPDATE_FORMS)
                )


EVERYTHING = {
    **FOLLOWED,
    **{name: Metric(title=name, stage="use") for name in (*REACHED, *STATE, *UPDATE_FORMS, "correct_by_age", "lucky")},
    "grounded": Metric(title="grounded", stage="use"),
}


def page_of(tmp_path, systems, **more):
    plan = Plan(shares=dict.fromkeys(systems, 0.5), samples=2, floors=(), metrics=EVERYTHING)
    return html.render(scored(tmp_path, busy(systems, **more), plan), Packed()).decode()


def test_nothing_of_the_facets_becomes_markup(tmp_path):
    nasty = "<img src=x onerror=alert(1)>\"'"
    text = page_of(tmp_path, [f"{nasty}system"], types=2, sessions=3, mark=nasty)
    assert 'id="lost"' in text
    assert 'id="facts"' in text
    assert "<img" not in text
    assert "onerror=alert(1)&gt;" in text


def test_the_tables_and_charts_of_ten_systems_over_thirty_sessions_leave_room_for_the_traces(tmp_path):
    text = page_of(tmp_path, [f"system-{place}" for place in range(10)], types=11, sessions=30)
    assert len(text) < html.LARGEST - BUDGET
