"""MemoryAgentBench, on invented rows as JSON and as parquet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from public_lookalikes import codes, memoryagentbench, only, paths, write_lines, write_list

from memarena.errors import UsageError
from memarena.records import NOT_MENTIONED, Sample
from memarena_arena.public.chunks import LETTERS, Context
from memarena_arena.public.memoryagentbench import MemoryAgentBench, MemoryAgentBenchOptions
from memarena_arena.public.opened import PublicSamples


def opened(path: Path, **options: Any) -> PublicSamples:
    return MemoryAgentBench().open(str(path), MemoryAgentBenchOptions(**options))


def row(
    tmp_path: Path, record: Any, split: str = "Conflict_Resolution", **options: Any
) -> tuple[Sample, dict[str, int]]:
    data = opened(write_lines(tmp_path / f"{split}.jsonl", record), **options)
    sample = only(data)
    return sample, {code: count for code, count in data.report.counts.items() if code != "rows"}


def changed(fields: dict[str, Any], metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    record = memoryagentbench()
    return {**record, **fields, "metadata": {**record["metadata"], **(metadata or {})}}


def flagged(*texts: str) -> list[Any]:
    """The haystacks of two questions; the first has these turns flagged."""
    turns = [{"role": "user", "content": text, "has_answer": True} for text in texts]
    return [[turns, [{"role": "user", "content": "x", "has_answer": False}]], []]


def test_a_row_is_a_sample_of_chunks(tmp_path: Path) -> None:
    sample, odd = row(tmp_path, memoryagentbench(), chunk_tokens=50, chunks=3)
    turns = [turn for session in sample.sessions for turn in session.turns]
    assert (sample.sample_id, sample.domain) == (
        "Conflict_Resolution_000",
        "memoryagentbench/factconsolidation_sh_6k",
    )
    assert "".join(turn.text for turn in turns) == memoryagentbench()["context"]
    assert all(len(turn.text) <= 200 and turn.text.endswith("\n") for turn in turns[:-1])
    assert [len(session.turns) for session in sample.sessions[:-1]] == [3] * (len(sample.sessions) - 1)
    assert odd == {"several_answers": 1}


def test_any_of_several_answers_is_right(tmp_path: Path) -> None:
    sample, _ = row(tmp_path, memoryagentbench())
    first, second = sample.checkpoints[0].questions
    assert (first.reference, first.aliases) == ("21", ())
    assert (second.reference, second.aliases, second.right) == ("35", ("thirty-five",), "35 or thirty-five")


def test_answers_that_say_the_same_stand_once(tmp_path: Path) -> None:
    sample, _ = row(tmp_path, changed({"answers": [["France", "france.", "France", "Gaul"], ["?"]]}))
    first, second = sample.checkpoints[0].questions
    assert (first.reference, first.aliases) == ("France", ("Gaul",))
    assert (second.reference, second.aliases) == ("?", ())


@pytest.mark.parametrize(
    ("split", "source", "kind"),
    [
        ("Accurate_Retrieval", "ruler_qa1_197K", "FR"),
        ("Accurate_Retrieval", "eventqa_full", "TR"),
        ("Test_Time_Learning", "icl_banking77", "TTL"),
        ("Long_Range_Understanding", "detective_qa", "KR"),
        ("Conflict_Resolution", "factconsolidation_sh_262k", "DU"),
        ("Conflict_Resolution", "factconsolidation_mh_262k", "MC"),
        ("Conflict_Resolution", "something_new", "UNKNOWN"),
    ],
)
def test_split_and_source_become_a_question_type(tmp_path: Path, split: str, source: str, kind: str) -> None:
    sample, _ = row(tmp_path, changed({}, {"source": source}), split)
    question = sample.checkpoints[0].questions[0]
    assert (question.type, question.raw_type) == (kind, source)


def test_answers_of_one_question_are_all_right(tmp_path: Path) -> None:
    sample, odd = row(tmp_path, changed({"questions": ["Which?"], "answers": [["a"], "b"]}, {"qa_pair_ids": None}))
    assert only(sample.checkpoints[0].questions).right == "a or b"
    assert odd == {"answers_of_one_question": 1}


def test_a_wrong_one_among_the_answers_of_one_question_is_named_by_its_place(tmp_path: Path) -> None:
    record = changed({"questions": ["Which?"], "answers": [["a"], [], [7, None]]}, {"qa_pair_ids": None})
    data = opened(write_lines(tmp_path / "Conflict_Resolution.jsonl", record))
    assert only(only(data).checkpoints[0].questions).right == "a or 7"
    assert paths(data, "number_answer") == ["$.answers[2][0]"]
    none = changed({"questions": ["Which?"], "answers": [[], []]}, {"qa_pair_ids": None})
    data = opened(write_lines(tmp_path / "Conflict_Resolution.jsonl", none))
    assert list(data) == []
    assert paths(data, "no_answer") == ["$.answers"]


def test_flagged_turns_are_looked_for_in_the_context_also_escaped(tmp_path: Path) -> None:
    context = "\n".join(["filler " * 40] * 20) + "\n[{'role': 'user', 'content': 'I play\\nthe oboe'}]\n"
    metadata = {
        "source": "longmemeval_s*",
        "haystack_sessions": flagged("I play\nthe oboe", "I sold a boat"),
        "question_types": ["multi-session", "temporal-reasoning"],
        "question_ids": ["q1", "q2_abs"],
        "question_dates": ["2023/05/30 (Tue) 23:40", None],
    }
    sample, odd = row(tmp_path, changed({"context": context}, metadata), "Accurate_Retrieval", chunk_tokens=100)
    first, second = sample.checkpoints[0].questions
    found, lost = first.evidence
    assert (first.type, first.raw_type, first.time) == ("KR", "longmemeval_s*/multi-session", "2023-05-30T23:40")
    assert found.turn_ids == (sample.sessions[-1].turns[-1].turn_id,)
    assert "the oboe" in sample.sessions[-1].turns[-1].text
    assert lost.content is None
    assert (second.type, second.answerable, second.reference) == ("MB", False, NOT_MENTIONED)
    assert odd == {"unanswerable": 1, "several_answers": 1, "unresolved_evidence": 1}


def test_key_points_are_what_a_summary_rests_on(tmp_path: Path) -> None:
    record = changed({"questions": ["Summarise."], "answers": ["A tale."]}, {"keypoints": ["A dog dies.", 3]})
    sample, odd = row(tmp_path, record, "Long_Range_Understanding")
    (point,) = sample.checkpoints[0].questions[0].evidence
    assert (point.content, point.session_id, point.kind) == ("A dog dies.", None, "keypoint")
    assert odd["odd_value"] == 1


MENDED: list[tuple[dict[str, Any], str]] = [
    (changed({}, {"source": None}), "no_source"),
    (changed({}, {"source": "recsys_redial_full"}), "entity_answer"),
    (changed({}, {"question_types": ["one"]}), "list_length_off"),
    (changed({}, {"question_dates": ["soon", None]}), "odd_time"),
    ({**memoryagentbench(), "metadata": None}, "no_source"),
    ({**memoryagentbench(), "metadata": [1]}, "odd_value"),
    (changed({"answers": [[21], ["35"]]}), "number_answer"),
    (changed({"language": "en"}), "unread_field"),
    (changed({}, {"haystack_sessions": flagged("2. Fact number 2 says 14.\nAnd more.")}), "evidence_matched_partly"),
]


@pytest.mark.parametrize(("record", "code"), MENDED)
def test_what_can_be_scored_without_guessing_is_reported(tmp_path: Path, record: Any, code: str) -> None:
    assert code in row(tmp_path, record)[1]


REFUSED: list[tuple[Any, str, str]] = [
    (5, "not_an_object", "$"),
    (changed({"context": ""}), "no_context", "$.context"),
    (changed({"questions": []}), "asks_nothing", "$.questions"),
    (changed({"questions": "x"}), "not_a_list", "$.questions"),
    (changed({"answers": [["21"]]}), "lists_not_parallel", "$.answers"),
    (changed({"answers": [["21"], []]}), "no_answer", "$.answers[1]"),
    (changed({"questions": ["Which?", ""]}), "no_question", "$.questions[1]"),
]


@pytest.mark.parametrize(("record", "code", "path"), REFUSED)
def test_what_cannot_be_scored_is_refused_with_its_path(tmp_path: Path, record: Any, code: str, path: str) -> None:
    data = opened(write_lines(tmp_path / "Conflict_Resolution.jsonl", record))
    assert list(data) == []
    assert paths(data, code) == [path]


def test_a_folder_and_a_file_are_known_by_their_names_and_first_bytes(tmp_path: Path) -> None:
    assert MemoryAgentBench().accepts(write_lines(tmp_path / "rows.jsonl", memoryagentbench()))
    assert not MemoryAgentBench().accepts(tmp_path)
    write_lines(tmp_path / "Test_Time_Learning.jsonl", memoryagentbench())
    assert MemoryAgentBench().accepts(tmp_path)


def test_a_long_context_hides_the_fields_and_the_name_of_the_split_tells(tmp_path: Path) -> None:
    long = changed({"context": "A fact. " * 20_000})
    assert MemoryAgentBench().accepts(write_lines(tmp_path / "Accurate_Retrieval.json", long))
    assert MemoryAgentBench().accepts(write_list(tmp_path / "Conflict_Resolution.json", long))
    assert not MemoryAgentBench().accepts(write_lines(tmp_path / "other.json", long))
    assert not MemoryAgentBench().accepts(write_lines(tmp_path / "Test_Time_Learning.json", {"question": "Why?"}))


def test_the_rows_of_a_split_are_told_with_their_revision(tmp_path: Path) -> None:
    data = opened(write_lines(tmp_path / "Conflict_Resolution.jsonl", *[memoryagentbench()] * 8))
    assert codes(data)["rows"] == 1
    assert [row.message for row in data.report.findings if row.code == "rows"] == [
        "'Conflict_Resolution' has 8 rows: the current revision"
    ]


@pytest.mark.parametrize("options", [{"chunk_tokens": 0}, {"chunks": 0}])
def test_chunks_and_sessions_hold_something(tmp_path: Path, options: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        row(tmp_path, memoryagentbench(), **options)


@given(text=st.text(alphabet="ab .\n", max_size=300), tokens=st.integers(1, 20), size=st.integers(1, 4))
def test_chunks_hold_every_letter_in_order_and_are_found_again(text: str, tokens: int, size: int) -> None:
    context = Context(text, tokens, size)
    turns = [turn for session in context.sessions for turn in session.turns]
    assert "".join("".join(turn.text for turn in turns).split()) == "".join(text.split())
    assert all(0 < len(turn.text) <= tokens * LETTERS and turn.text.strip() for turn in turns)
    assert all(len(session.turns) == size for session in context.sessions[:-1])
    for start in (place for place, letter in enumerate(text) if letter in "ab"):
        assert any(text[start] in turn.text for turn in context.turns(start, start + 1))


# -- parquet ----------------------------------------------------------------------------------


def _parquet(path: Path, *records: dict[str, Any]) -> Path:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow, of the extra parquet, is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.Table.from_pylist(list(records)), str(path))
    return path


def test_parquet_and_json_give_the_same_sample(tmp_path: Path) -> None:
    path = _parquet(tmp_path / "Conflict_Resolution-00000-of-00001.parquet", memoryagentbench())
    assert only(opened(path)) == row(tmp_path, memoryagentbench())[0]
    assert only(opened(tmp_path / path.name, split="Conflict_Resolution")).sample_id == "Conflict_Resolution_000"
    assert MemoryAgentBench().accepts(path)
    assert MemoryAgentBench().accepts(tmp_path)


def test_a_broken_parquet_file_is_refused_in_one_line(tmp_path: Path) -> None:
    path = _parquet(tmp_path / "Conflict_Resolution.parquet", memoryagentbench())
    path.write_bytes(path.read_bytes()[:-20])
    data = opened(path)
    assert list(data) == []
    assert paths(data, "unreadable") == ["$"]
    assert "\n" not in data.report.findings[0].message


def test_a_text_above_the_limit_is_refused(tmp_path: Path) -> None:
    path = _parquet(tmp_path / "Conflict_Resolution.parquet", memoryagentbench())
    data = opened(path, max_string_chars=100)
    assert list(data) == []
    assert "max_string_chars" in data.report.refused[0].message
