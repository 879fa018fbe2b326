"""Questions told from evidence to verdict: in the traces of the report, and as a page in a terminal."""

from __future__ import annotations

import dataclasses
import gzip
import io
import json
import sys
from base64 import b64decode

import msgspec
import pytest
from click.testing import CliRunner
from report_runs import METRICS, Plan, write_run
from rich.console import Console

from memarena.errors import StoreError, UsageError
from memarena.records import Evidence, Metric
from memarena_report.explain import explain
from memarena_report.explaining import explainer_of
from memarena_report.explainpage import page
from memarena_report.html import HtmlReport
from memarena_report.questions import chosen_labels, find_question
from memarena_report.scores import Scores
from memarena_report.traces import pack

TELLER = '''
from memarena.explanations import EvidenceStory, Explanation, ListedItem, SessionStory, ToldTurn
from memarena.records import MemoryChange, Metric


class Teller:
    """Says of each question that its evidence was kept for one session and then replaced."""

    name = "teller"
    revision = 1
    metrics = {"told": Metric(title="Told", stage="use")}

    def explain(self, record, labels):
        for question in record.questions:
            point = question.question.evidence[0]
            changes = (
                MemoryChange(op="add", memory_id="m1", text=point.content),
                MemoryChange(op="update", memory_id="m1", text="Ana bought nothing", previous=(point.content,)),
            )
            first = record.sample.sessions[0].turns[0]
            names = [session.unit for session in record.sessions]
            since = names.index(point.session_id)
            held = ("active", "stale", "absent")
            yield Explanation(
                label=record.label,
                sample_id=record.sample_id,
                question_id=question.unit,
                checkpoint_id=question.checkpoint_id,
                after_session=names[question.session_index],
                question=question.question.text,
                type=question.question.type,
                reference=question.reference,
                answer=question.answer.text,
                verdict="Hallucination",
                verdict_reason=f"{len(labels)} labels",
                lost_at="maintain",
                reason="stale version",
                cut="2 items",
                evidence=(
                    EvidenceStory(
                        evidence_id=point.evidence_id,
                        content=point.content,
                        session_id=point.session_id,
                        told=(ToldTurn(turn_id="T7", session_id="S00", time="noon", text=first.text),),
                        sessions=tuple(
                            SessionStory(
                                session_id=names[place],
                                held=held[place - since],
                                changes=changes[place - since : place - since + 1],
                            )
                            for place in range(since, question.session_index + 1)
                        ),
                        ranks=(2,),
                        retrieved=True,
                        shown=False,
                    ),
                ),
                items=tuple(
                    ListedItem(rank=rank, memory_id=item.memory_id, text=item.text, score=item.score,
                               evidence=(point.evidence_id,) if rank == 2 else (), shown=rank < 2)
                    for rank, item in enumerate(question.retrieval.items, 1)
                ),
            )
'''  # fmt: skip
TOLD = {**METRICS, "told": Metric(title="Told", stage="use")}


@pytest.fixture
def teller(tmp_path, monkeypatch):
    """A scorer that can explain, installed as any other."""
    home = tmp_path / "site" / "memarena_teller-1.0.dist-info"
    home.mkdir(parents=True)
    (home / "METADATA").write_text("Name: memarena-teller\nVersion: 1.0\n", encoding="utf-8")
    (home / "entry_points.txt").write_text("[memarena.scorers]\nteller = memarena_teller:Teller\n", encoding="utf-8")
    (tmp_path / "site" / "memarena_teller.py").write_text(TELLER, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    yield
    sys.modules.pop("memarena_teller", None)


def run_of(tmp_path, **more):
    plan = Plan(**{"shares": {"bm25": 0.0, "log": 0.0}, "samples": 2, "floors": (), "metrics": TOLD, **more})
    return write_run(tmp_path / "run", plan)


def invoke(*words):
    result = CliRunner().invoke(explain, [str(word) for word in words], env={"COLUMNS": "100"})
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


# -- which question ---------------------------------------------------------------------------


def test_a_question_is_found_by_its_whole_name_or_a_part_that_is_its_own(tmp_path):
    store = run_of(tmp_path)
    for name in ("sample-01/C1:Q002", "01/C1:Q002", "ample-01/C1:Q002"):
        assert find_question(store, name).name == "sample-01/C1:Q002"


def test_a_question_id_that_one_sample_has_needs_no_sample(tmp_path):
    store = run_of(tmp_path, samples=1)
    assert find_question(store, "C2:Q005").name == "sample-00/C2:Q005"


def test_a_whole_id_wins_over_longer_ones_that_begin_with_it(tmp_path):
    store = run_of(tmp_path, samples=1, questions=12, sessions=11)
    assert find_question(store, "sample-00/C1:Q001").name == "sample-00/C1:Q001"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("C1:Q002", "2 questions of .* have 'C1:Q002' in their name: sample-00/C1:Q002, sample-01/C1:Q002; say more"),
        ("Q00", "36 questions of .* and 31 more; say more"),
        ("sample-01/C1:Q092", "no question 'sample-01/C1:Q092'; did you mean 'sample-01/C1:Q002'"),
        ("zzz", "no question 'zzz'; there are 36, such as 'sample-00/C0:Q000'"),
    ],
)
def test_a_question_that_is_not_one_says_what_there_is(tmp_path, name, message):
    with pytest.raises(UsageError, match=message):
        find_question(run_of(tmp_path), name)


def test_oracles_are_told_only_if_asked(tmp_path):
    store = run_of(tmp_path, shares={"bm25": 0.5, "gold-evidence": 0.9})
    assert chosen_labels(store, ()) == ["bm25"]
    assert chosen_labels(store, ("gold-evidence",)) == ["gold-evidence"]
    with pytest.raises(UsageError, match="-a bm52: no such system here; there are bm25, gold-evidence"):
        chosen_labels(store, ("bm52",))


# -- what is told -----------------------------------------------------------------------------


def test_a_run_that_no_installed_scorer_explains_says_what_to_install(tmp_path):
    store = run_of(tmp_path)
    assert explainer_of(store.metrics()) is None
    with pytest.raises(UsageError, match=r"no scorer that is installed here explains .*: pip install memarena-arena"):
        invoke(store.path, "00/C0:Q000")


def test_a_run_that_is_not_scored_says_so(tmp_path):
    store = run_of(tmp_path)
    (store.path / "metrics.json").unlink()
    with pytest.raises(StoreError, match="has no scores yet; run `memarena score"):
        invoke(store.path, "00/C0:Q000")


def test_the_page_goes_from_the_telling_to_the_verdict(tmp_path, teller):
    shown = [line.rstrip() for line in invoke(run_of(tmp_path).path, "00/C2:Q001", "-a", "log").splitlines()]
    assert shown[:6] == [
        "sample-00/C2:Q001",
        "DU, asked after session 3 of 3 (S02)",
        "question   How many bicycles did Ana buy in town 21?",
        "reference  3",
        "evidence   mp_S02_1 (S02): Ana bought 3 red bicycles in town 21",
        "           told in T7, noon: Ana bought 2 red bicycles in town 00",
    ]
    assert shown[7:14] == [
        "log: Hallucination; not maintained (stale version)",
        "  mp_S02_1: S02 active",
        "    S02 add m1: Ana bought 3 red bicycles in town 21",
        "    retrieved: yes at #2; shown: no",
        "  retrieved 9, shown 1; cut: 2 items",
        "    #1 1 S02:T2: Ana bought 4 red bicycles in town 22",
        "    #2 0.5 S02:T1 [mp_S02_1] (not shown): Ana bought 3 red bicycles in town 21",
    ]
    assert shown[-2:] == ["  answer     I think it was nine", "  verdict    Hallucination: 0 labels"]


def test_further_sets_of_evidence_are_named_below_the_first(tmp_path):
    found = find_question(run_of(tmp_path), "00/C2:Q001")
    further = (Evidence(evidence_id="mp_S01_1"), Evidence(evidence_id="mp_S00_1"))
    either = dataclasses.replace(
        found, question=msgspec.structs.replace(found.question, evidence_alternatives=(further,))
    )
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(*page(either, ()))
    lines = [line.rstrip() for line in console.export_text().splitlines()]
    assert lines[lines.index("evidence   mp_S02_1 (S02): Ana bought 3 red bicycles in town 21") + 1] == (
        "or         mp_S01_1, mp_S00_1"
    )


def test_every_system_has_its_part_and_one_that_failed_says_why(tmp_path, teller):
    store = run_of(tmp_path, failed=[("log", "sample-00")])
    shown = invoke(store.path, "00/C0:Q000")
    assert "bm25: Hallucination" in shown
    assert "its cell is failed: log.retrieve: the index is gone" in shown


def test_an_object_has_the_explanations_and_who_has_none(tmp_path, teller):
    store = run_of(tmp_path, failed=[("log", "sample-00")])
    shown = json.loads(invoke(store.path, "00/C1:Q000", "--json"))
    assert (shown["sample_id"], shown["question_id"]) == ("sample-00", "C1:Q000")
    assert [(one["label"], one["lost_at"], one["reason"]) for one in shown["systems"]] == [
        ("bm25", "maintain", "stale version")
    ]
    assert shown["missing"] == [
        {"label": "log", "why": "its cell is failed: log.retrieve: the index is gone"},
    ]


def test_nothing_of_the_data_steers_the_terminal(tmp_path, teller):
    store = run_of(tmp_path, text=lambda text: f"\x1b[2J\x07\u202e[bold]{text}[/bold]")
    shown = invoke(store.path, "00/C0:Q000")
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)
    assert r"\x1b[2J\x07\x202e[bold]How many" in shown


# -- in the report ----------------------------------------------------------------------------


def trace_of(store, unit, sample="sample-00"):
    packed = pack(Scores(store))
    trace = json.loads(gzip.decompress(b64decode(packed.blobs[sample])))
    return packed, trace["q"][unit], trace["t"]


def test_a_trace_has_the_stage_and_the_story_of_each_piece_of_evidence(tmp_path, teller):
    _, trace, texts = trace_of(run_of(tmp_path, sessions=4), "C1:Q001")
    seen = trace["y"]["0"]
    assert (seen["l"], seen["w"], seen["b"]) == ("maintain", "stale version", "2 items")
    (story,) = seen["h"]
    assert (story["s"], story["h"], story["k"]) == (2, "a", [2])
    session, op, memory, text, previous = story["c"][0]
    assert (session, op, memory, texts[text], previous) == (2, "add", "m1", "Ana bought 3 red bicycles in town 11", [])
    turn, time, told = trace["e"][0][4][0]
    assert (turn, time, texts[told]) == ("T7", "noon", "Ana bought 2 red bicycles in town 00")


def test_items_are_marked_as_the_scorer_says(tmp_path, teller):
    _, trace, _ = trace_of(run_of(tmp_path), "C1:Q001")
    assert [hits for _, _, hits, _ in trace["y"]["0"]["g"]][:3] == [[], [0], []]


def test_the_index_says_where_each_system_lost_each_question(tmp_path):
    lost = {"lost_write": Metric(title="Never written", stage="write"), "made_up": Metric(title="Made up", stage="use")}
    store = run_of(tmp_path, metrics={**METRICS, **lost})
    scores = Scores(store)
    from report_rows import row

    from memarena_report.frame import Frame

    facts = {"C0:Q000": ("lost_write", 1.0), "C0:Q001": ("lost_write", 0.0), "C0:Q002": ("made_up", 1.0)}
    rows = [row("sample-00", unit, metric, n, label="bm25") for unit, (metric, n) in facts.items()]
    scores.frame = Frame.read([*rows, row("sample-00", "C0:Q003", "lost_write", None, label="bm25", invalid=1)])
    listed = {question[0]: question[4] for question in pack(scores).index[0]["q"]}
    assert [listed[f"C0:Q00{place}"] for place in range(5)] == ["W.", "-.", "X.", "?.", ".."]


def test_hostile_stories_stay_text(tmp_path, teller):
    nasty = "</script><img src=x onerror=alert(1)>"
    text = HtmlReport().write(run_of(tmp_path, text=lambda text: nasty + text)).read_text(encoding="utf-8")
    assert "<img" not in text
    assert text.count("</script>") == 2


def test_a_report_without_an_explaining_scorer_shows_what_was_written_near(tmp_path):
    _, trace, _ = trace_of(run_of(tmp_path), "C1:Q001")
    assert "h" not in trace["y"]["0"]
    assert trace["y"]["0"]["d"][0][0][2] == 100
