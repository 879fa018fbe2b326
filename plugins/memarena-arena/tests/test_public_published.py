"""The published files of the public data sets, where a folder with them is named by MEMARENA_PUBLIC_SETS.

None of them may be shipped. The numbers are those that their makers tell.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from memarena_arena.public.amabench import AmaBench
from memarena_arena.public.convomem import ConvoMem
from memarena_arena.public.halumem import HaluMem
from memarena_arena.public.longmemeval import LongMemEval
from memarena_arena.public.memoryagentbench import MemoryAgentBench

FOLDER = os.environ.get("MEMARENA_PUBLIC_SETS", "")


def published(*patterns: str) -> Path:
    """The first file or folder below the named folder that fits; the test is skipped where there is none."""
    found = [path for pattern in patterns for path in sorted(Path(FOLDER).rglob(pattern))] if FOLDER else []
    if not found:
        pytest.skip(f"MEMARENA_PUBLIC_SETS names no folder with {patterns[0]}")
    return found[0]


@pytest.mark.parametrize("name", ["longmemeval_oracle*", "longmemeval_s*"])
def test_longmemeval_has_500_questions_of_six_types(name: str) -> None:
    data = LongMemEval().open(str(published(name)))
    types: Counter[str] = Counter()
    sessions = abstentions = 0
    for sample in data:
        (question,) = sample.checkpoints[0].questions
        types[question.raw_type] += 1
        abstentions += not question.answerable
        sessions += len(sample.sessions)
        assert question.evidence or not question.answerable
    assert types == {
        "single-session-user": 70, "single-session-assistant": 56, "single-session-preference": 30,
        "temporal-reasoning": 133, "knowledge-update": 78, "multi-session": 133,
    }  # fmt: skip
    assert (abstentions, data.report.counts["number_answer"]) == (30, 32)
    if name == "longmemeval_s*":
        assert (sessions, data.report.counts["repeated_session_id"]) == (23867, 13)
    assert not data.report.refused


@pytest.mark.parametrize("name", ["HaluMem-Medium.jsonl", "HaluMem-Long.jsonl"])
def test_halumem_has_20_users_with_points_and_questions(name: str) -> None:
    data = HaluMem().open(str(published(name)))
    samples = list(data)
    points = sum(len(session.points) for sample in samples for session in sample.sessions)
    questions = sum(len(stop.questions) for sample in samples for stop in sample.checkpoints)
    assert (len(samples), points, questions) == (20, 14948, 3467)
    assert not data.report.refused
    assert "unread_field" not in data.report.counts


def test_convomem_has_75336_questions() -> None:
    data = ConvoMem().open(str(published("evidence_questions")))
    assert sum(len(stop.questions) for sample in data for stop in sample.checkpoints) == 75336
    assert not data.report.refused


def test_memoryagentbench_has_the_rows_of_a_published_revision() -> None:
    pytest.importorskip("pyarrow", reason="pyarrow, of the extra parquet, is not installed")
    data = MemoryAgentBench().open(str(published("Conflict_Resolution*.parquet").parent))
    assert sum(1 for _ in data) in (146, 220)
    assert not data.report.refused
    assert all("revision" in finding.message for finding in data.report.findings if finding.code == "rows")


def test_amabench_has_208_episodes_of_twelve_questions() -> None:
    data = AmaBench().open(str(published("open_end_qa_set.jsonl")))
    assert [len(sample.checkpoints[0].questions) for sample in data] == [12] * 208
    assert not data.report.refused
