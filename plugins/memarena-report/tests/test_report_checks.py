"""`--fail-if`: what its expressions mean, what they refuse, what they say, and the XML for continuous integration."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from report_rows import METRICS, row
from report_runs import Plan, write_run

from memarena.errors import StoreError, UsageError
from memarena_report.checks import Outcome, Subject
from memarena_report.commands import compare, report
from memarena_report.expressions import Expression, Side, read
from memarena_report.frame import Frame

SYSTEMS = {"mem0": "", "v1.2": "", "nothing": "floor", "gold-evidence": "oracle"}


def frame() -> Frame:
    """`mem0` answers 3 of 4, `v1.2` 2 of 4, `nothing` 0 of 4; the questions of the second sample are FR."""
    right = {"mem0": (1, 1, 1, 0), "v1.2": (1, 1, 0, 0), "nothing": (0, 0, 0, 0)}
    return Frame.read(
        row(f"s{place // 2}", f"Q{place}", n=float(n), label=label, facets={"type": ("DU", "FR")[place // 2]})
        for label, values in right.items()
        for place, n in enumerate(values)
    )


def check(text: str) -> list[Outcome]:
    subject = Subject("run", frame(), METRICS, SYSTEMS, "paper", ())
    return subject.check(subject.read([text]))


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("mem0.qa_c < 0.4", Expression(Side(0.0, "qa_c", "mem0"), "<", Side(0.4))),
        ("mem0.qa_c<40%", Expression(Side(0.0, "qa_c", "mem0"), "<", Side(0.4))),
        ("v1.2.qa_c >= mem0.qa_c - 0.02", Expression(Side(0.0, "qa_c", "v1.2"), ">=", Side(-0.02, "qa_c", "mem0"))),
        ("-.5 <= mem0.f1", Expression(Side(-0.5), "<=", Side(0.0, "f1", "mem0"))),
        (
            "surely mem0.qa_c > 1 on type=FR",
            Expression(Side(0.0, "qa_c", "mem0"), ">", Side(1.0), (("type", "FR"),), surely=True),
        ),
    ],
)
def test_an_expression_is_read_as_it_is_meant(text: str, expression: Expression) -> None:
    metrics = (*METRICS, "f1")
    assert read([text], metrics, SYSTEMS, frame()) == [expression]
    assert read([str(expression)], metrics, SYSTEMS, frame()) == [expression]


def test_a_metric_alone_stands_for_each_system_under_test() -> None:
    assert [str(one) for one in read(["qa_c < 0.4"], METRICS, SYSTEMS, frame())] == [
        "mem0.qa_c < 0.4",
        "v1.2.qa_c < 0.4",
    ]
    assert [str(one) for one in read(["qa_c < mem0.qa_c"], METRICS, SYSTEMS, frame())] == ["v1.2.qa_c < mem0.qa_c"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("qa_c", r"write SIDE < SIDE, e\.g\. qa_c < 0\.4"),
        ("qa_c == 1", r"write SIDE < SIDE"),
        ("0.1 < qa_c < 0.2", r"write SIDE < SIDE"),
        ("1 < 2", r"two numbers; name a score"),
        ("qa_cc < 0.4", r"no such score here: 'qa_cc'; did you mean 'qa_c'\?"),
        ("mem0.shine < 0.4", r"no such score here: 'shine'"),
        ("mem1.qa_c < 0.4", r"no such system here: 'mem1'; did you mean 'mem0'\?"),
        ("mem0.qa_c < 0.4 + 0.1", r"only a score can be moved"),
        ("mem0.qa_c - nothing.qa_c < 0.4", r"only a score can be moved, and only by a number"),
        ("mem0.qa_c * 2 < 0.4", r"neither a number nor"),
        ("__import__('os') < 1", r"no such score here"),
        ("qa_c < 0.4 on typ=FR", r"'typ=FR' is no FACET=VALUE of this run; did you mean 'type'\?"),
        ("qa_c < 0.4 on type=XX", r"no type is 'XX' here"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as refused:
        read([text], METRICS, SYSTEMS, frame())
    assert "\n" not in str(refused.value)


def test_a_metric_alone_needs_a_system_under_test() -> None:
    with pytest.raises(UsageError, match=r"none here is under test: write LABEL\.METRIC, of nothing"):
        read(["qa_c < 0.4"], METRICS, {"nothing": "floor"}, frame())


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(UsageError):
        read([text], METRICS, SYSTEMS, frame())


@pytest.mark.parametrize(
    ("text", "holds", "why"),
    [
        ("mem0.qa_c < 0.8", True, "0.75 is lower than 0.8 by 0.05"),
        ("mem0.qa_c < 75%", False, "0.75 is equal to 0.75"),
        ("mem0.qa_c <= 75%", True, "0.75 is equal to 0.75"),
        ("v1.2.qa_c < mem0.qa_c - 0.3", False, "0.5 is higher than 0.45 by 0.05"),
        ("v1.2.qa_c + 0.5 > mem0.qa_c", True, "1 is higher than 0.75 by 0.25"),
        ("mem0.qa_c < 0.6 on type=FR", True, "0.5 is lower than 0.6 by 0.1"),
        ("mem0.qa_c < 0.6 on type=DU", False, "1 is higher than 0.6 by 0.4"),
    ],
)
def test_an_outcome_says_by_how_much(text: str, holds: bool, why: str) -> None:
    (found,) = check(text)
    assert (found.holds, found.why) == (holds, why)
    assert str(found) == f"{found.check}: {'holds: ' if holds else ''}{why}"


def test_a_score_that_is_not_there_is_no_success() -> None:
    (found,) = check("gold-evidence.qa_c < 0.1")
    assert (found.holds, found.passed) == (None, False)
    assert str(found) == "gold-evidence.qa_c < 0.1: cannot be told: gold-evidence has no qa_c here"


def test_surely_needs_ten_samples() -> None:
    (found,) = check("surely mem0.qa_c > 0.1")
    assert found.holds is None
    assert "an interval needs 10 samples" in found.why


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("a.qa_c < 1", True),
        ("surely a.qa_c < 1", True),
        ("a.qa_c < 0.6", True),
        ("surely a.qa_c < 0.6", False),
        ("surely 0.6 > a.qa_c", False),
        ("surely 1 > a.qa_c", True),
        ("surely a.qa_c < b.qa_c", True),
        ("surely b.qa_c > a.qa_c", True),
        ("surely a.qa_c < b.qa_c - 0.4", False),
        ("surely a.qa_c + 0.4 < b.qa_c", False),
        ("surely a.qa_c < b.qa_c - 0.1", True),
    ],
)
def test_surely_asks_the_interval(text: str, holds: bool) -> None:
    # Ten of twenty samples are right in `a`, all in `b`: 0.5, from 0.3 to 0.7; apart by 0.3 to 0.7.
    rows = [row(f"s{n}", "Q", n=float(label == "b" or n % 2), label=label) for label in "ab" for n in range(20)]
    subject = Subject("run", Frame.read(rows), METRICS, {"a": "", "b": ""}, "paper", ())
    (found,) = subject.check(subject.read([text]))
    assert found.holds is holds


def invoke(command: object, *words: object) -> Result:
    result = CliRunner().invoke(command, [str(word) for word in words], env={"COLUMNS": "100"})  # type: ignore[arg-type]
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("checks") / "run"
    write_run(path, Plan(samples=2, failed=[("log", "sample-00")]))
    return path


def test_report_exits_with_1_where_an_expression_holds_and_says_which(run: Path) -> None:
    result = invoke(report, run, "--no-html", "--fail-if", "bm25.qa_c > 0.1", "--fail-if", "bm25.qa_c > 1")
    assert result.exit_code == 1
    assert [line for line in result.stderr.splitlines() if line.startswith("--fail-if")] == [
        f"--fail-if bm25.qa_c > 0.1: holds: {value(run):.4g} is higher than 0.1 by {value(run) - 0.1:.4g}"
    ]
    assert invoke(report, run, "--no-html", "--fail-if", "bm25.qa_c > 1").exit_code == 0


def value(run: Path) -> float:
    tables = json.loads(invoke(report, run, "--json", "--no-html").stdout)["tables"]
    main = {row["key"]: row["numbers"] for row in tables[0]["rows"]}
    return float(main["bm25"]["qa_c"]["value"])


def test_report_refuses_an_unknown_score_before_it_writes(run: Path) -> None:
    with pytest.raises(UsageError, match="no such score"):
        invoke(report, run, "--fail-if", "shine < 1")
    assert not (run / "report.html").exists()


def test_json_holds_the_checks_where_there_are_any(run: Path) -> None:
    found = json.loads(invoke(report, run, "--json", "--no-html", "--fail-if", "bm25.qa_c < 2%").stdout)
    assert [(one["check"], one["holds"]) for one in found["checks"]] == [("bm25.qa_c < 0.02", False)]
    assert "checks" not in json.loads(invoke(report, run, "--json", "--no-html").stdout)


def test_compare_guards_a_system_against_what_it_was(tmp_path: Path) -> None:
    for name, share in (("before", 0.9), ("after", 0.2)):
        write_run(tmp_path / name, Plan(shares={"bm25": share}, samples=10))
    words = (tmp_path / "before", tmp_path / "after", "--fail-if", "surely after:bm25.qa_c < before:bm25.qa_c")
    result = invoke(compare, *words, "--junit", tmp_path / "checks.xml")
    assert result.exit_code == 1
    assert "--fail-if surely after:bm25.qa_c < before:bm25.qa_c: holds: " in result.stderr
    case = cases(tmp_path / "checks.xml")[0]
    assert case.get("name") == "surely after:bm25.qa_c < before:bm25.qa_c"
    assert "lower than" in str(case[0].get("message"))


def cases(file: Path) -> list[ElementTree.Element]:
    return list(ElementTree.parse(file).getroot().iter("testcase"))


def test_junit_has_one_case_a_check_and_one_a_cell(run: Path, tmp_path: Path) -> None:
    file = tmp_path / "checks.xml"
    words = ("--fail-if", "bm25.qa_c > 0.1", "--fail-if", "nothing.qa_c > 1", "--junit", file)
    assert invoke(report, run, "--no-html", *words).exit_code == 1
    suites = ElementTree.parse(file).getroot().findall("testsuite")
    counted = [{name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} for suite in suites]
    assert counted == [
        {"tests": "2", "failures": "1", "errors": "0", "skipped": "0"},
        {"tests": "6", "failures": "0", "errors": "1", "skipped": "0"},
    ]
    failed = next(case for case in cases(file) if case.find("error") is not None)
    assert failed.get("name") == "log~sample-00"
    assert failed[0].get("message") == "log.retrieve: the index is gone"


def test_junit_is_xml_whatever_a_system_said(tmp_path: Path) -> None:
    from memarena.cells import CellInfo
    from memarena_report.junit import write

    cell = CellInfo(cell_id="a~b", label="a", sample_id="b", repeat=0, status="failed", error="\x00]]><&\ud800")
    later = CellInfo(cell_id="a~c", label="a", sample_id="c", repeat=0, status="planned")
    write(tmp_path / "checks.xml", "run", [], [("one:", cell), ("one:", later)])
    first, second = cases(tmp_path / "checks.xml")
    assert first.get("name") == "one:a~b"
    assert first[0].get("message") == "\ufffd]]><&\ufffd"
    assert second[0].tag == "skipped"


def test_a_place_that_cannot_be_written_is_said(run: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="No such file"):
        invoke(report, run, "--no-html", "--junit", tmp_path / "missing" / "checks.xml")
