from __future__ import annotations

import socket
from time import perf_counter

import pytest

from memarena.errors import AdapterFailure
from memarena.records import NOT_MENTIONED, AskedQuestion, JudgementRequest, Shown
from memarena.testing import DatasetContract, run_checks
from memarena.testing.fakes import (
    FlakyAdapter,
    ForgetfulAdapter,
    RecordingAdapter,
    ScriptedAnswerer,
    ScriptedJudge,
    SlowAdapter,
)
from memarena.testing.tiny import PICTURE, Tiny
from memarena.testing.tiny_records import tiny_records


class TestTiny(DatasetContract):
    make = Tiny


@pytest.mark.parametrize("adapter", [RecordingAdapter, SlowAdapter])
def test_an_adapter_that_only_watches_fails_no_check(adapter):
    assert [result for result in run_checks(adapter) if result.outcome == "failed"] == []


def test_tiny_has_three_sessions_and_five_questions(tiny_samples):
    sessions = [session for sample in tiny_samples for session in sample.sessions]
    questions = [q for sample in tiny_samples for stop in sample.checkpoints for q in stop.questions]
    assert len(sessions) == 3
    assert [(question.type, question.reference) for question in questions] == [
        ("FR", "555-0101"),
        ("DU", "555-0202"),
        ("MB", NOT_MENTIONED),
        ("VFR", "Red"),
        ("KR", "5"),
    ]


def test_the_reference_of_a_tiny_question_is_in_its_evidence_where_the_evidence_says_it(tiny_samples):
    first, second = tiny_samples[0].checkpoints
    assert "555-0101" in first.questions[0].evidence[0].content
    assert "555-0202" in second.questions[0].evidence[0].content
    assert second.questions[1].evidence == ()
    assert not second.questions[1].answerable


def test_only_the_full_caption_of_the_tiny_picture_tells_its_colour(tiny_samples):
    picture = tiny_samples[1].sessions[0].turns[0].attachments[0]
    assert "red" in picture.caption_full
    assert "red" not in picture.caption


def test_the_tiny_picture_is_a_png_beside_the_code():
    assert PICTURE.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_tiny_records_hold_each_system_s_sessions_questions_and_samples():
    kinds = [(record.label, record.kind) for record in tiny_records()]
    for label in ("verbatim", "nothing"):
        assert [kinds.count((label, kind)) for kind in ("session", "question", "sample")] == [3, 5, 2]


def test_recording_remembers_everything_in_order(rig, tiny_samples):
    adapter = RecordingAdapter()
    mounted = rig(adapter)
    said = tiny_samples[0].sessions[0].turns[0]
    mounted.ingest_turn(said)
    mounted.end_session("S01")
    mounted.retrieve(query="phone?", top_k=3)
    assert [method for method, _ in adapter.given] == ["reset", "ingest_turn", "end_session", "retrieve"]
    assert adapter.given[1] == ("ingest_turn", {"turn": said})
    assert "555-0101" in adapter.text()
    assert "phone?" in adapter.text()


def test_flaky_fails_at_the_chosen_call_and_works_before_and_after(rig):
    mounted = rig(FlakyAdapter("retrieve", call=2))
    assert mounted.retrieve(query="a", top_k=1).items == ()
    with pytest.raises(AdapterFailure, match=r"^FlakyAdapter\.retrieve: ConnectionError: planted failure in retrieve$"):
        mounted.retrieve(query="b", top_k=1)
    assert mounted.retrieve(query="c", top_k=1).items == ()


def test_slow_waits_in_the_chosen_method(rig):
    mounted = rig(SlowAdapter("end_session", seconds=0.05))
    start = perf_counter()
    mounted.end_session("S01")
    assert perf_counter() - start >= 0.05


def test_forgetful_loses_every_second_turn(rig, tiny_samples):
    mounted = rig(ForgetfulAdapter(every=2))
    for turn in tiny_samples[0].sessions[0].turns:
        mounted.ingest_turn(turn)
    assert [item.memory_id for item in mounted.snapshot_memories()] == ["S01:T000", "S01:T002"]


def test_the_scripted_answerer_answers_from_its_script_and_keeps_what_it_was_shown():
    answerer = ScriptedAnswerer({"Who?": "Ana"})
    shown = Shown(tokens=3)
    known, unknown = (AskedQuestion(question_id=name, text=text) for name, text in (("Q1", "Who?"), ("Q2", "Why?")))
    assert [answerer.answer(asked, shown).text for asked in (known, unknown)] == ["Ana", NOT_MENTIONED]
    assert answerer.asked == [(known, shown), (unknown, shown)]


def test_the_scripted_judge_gives_the_chosen_verdict_to_every_point_and_fails_where_told():
    judge = ScriptedJudge({"recall": 1}, failing=("update",))
    recall = JudgementRequest(task="recall", points=("a", "b"))
    update = JudgementRequest(task="update", points=("a",))
    answer = JudgementRequest(task="answer")
    labels = judge.label([recall, update, answer])
    assert labels[0].verdicts == ("no", "no")
    assert labels[1] is None
    assert labels[2].verdicts == ("Correct",)
    assert judge.batches == [(recall, update, answer)]


def test_run_cli_runs_the_real_command_line_in_an_empty_folder(run_cli, tmp_path):
    done = run_cli("--help")
    assert done.returncode == 0
    assert "list-adapters" in done.stdout
    assert list((tmp_path / "cli").iterdir()) == []


def test_run_cli_does_not_hand_on_settings_of_the_caller(run_cli, monkeypatch):
    monkeypatch.setenv("MEMARENA_DISABLE", "verbatim")
    assert "verbatim" in run_cli("list-adapters").stdout


def test_no_network_refuses_other_machines_and_lets_the_loopback_through(no_network):
    with pytest.raises(RuntimeError, match=r"yet it asked for 'example\.org'$"):
        socket.create_connection(("example.org", 80))
    with socket.socket() as other, pytest.raises(RuntimeError, match=r"198\.51\.100\.1"):
        other.connect(("198.51.100.1", 80))
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()
