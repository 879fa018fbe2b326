"""Every value of a good record replaced, removed, doubled or swapped: samples and findings, one line a fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from json_places import leads_somewhere
from public_lookalikes import amabench, convomem_item, halumem, longmemeval, memgallery, memoryagentbench
from test_mutants import WAYS, assert_can_be_scored

from memarena.errors import DataError
from memarena_arena.public.amabench import AmaBench
from memarena_arena.public.convomem import ConvoMem
from memarena_arena.public.halumem import HaluMem
from memarena_arena.public.longmemeval import LongMemEval
from memarena_arena.public.memgallery import MemGallery
from memarena_arena.public.memoryagentbench import MemoryAgentBench


def _fewer(record: dict[str, Any]) -> dict[str, Any]:
    """An episode with fewer questions, which are all alike."""
    return {**record, "qa_pairs": [record["qa_pairs"][0], {**record["qa_pairs"][1], "relevant_turn_indices": [1]}]}


def _short(record: dict[str, Any]) -> dict[str, Any]:
    metadata = {**record["metadata"], "source": "longmemeval_s*", "keypoints": ["A point."]}
    turn = {"role": "user", "content": "Fact number 3", "has_answer": True}
    return {**record, "metadata": {**metadata, "haystack_sessions": [[[turn]], []]}}


SETS: list[tuple[Callable[[], Any], str, Callable[[], Any]]] = [
    (LongMemEval, "longmemeval_s.json", lambda: [longmemeval()]),
    (HaluMem, "HaluMem-Medium.jsonl", halumem),
    (MemGallery, "dialog/Boats.json", memgallery),
    (ConvoMem, "user_evidence/1_evidence/x.json", lambda: {"evidence_items": [convomem_item()]}),
    (MemoryAgentBench, "Accurate_Retrieval.jsonl", lambda: _short(memoryagentbench())),
    (AmaBench, "open_end_qa_set.jsonl", lambda: _fewer(amabench())),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("kind", "place", "make"), SETS, ids=[row[1] for row in SETS])
def test_a_changed_record_is_read_or_refused_with_one_line_a_fault(
    tmp_path: Path, kind: Any, place: str, make: Callable[[], Any], way: Any
) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(way(make())):
        if number % 3 and way is WAYS[0]:
            continue
        path.write_text(text, encoding="utf-8")
        try:
            data = kind().open(str(path))
            samples = list(data)
        except DataError as error:
            pytest.fail(f"{error}: {text[:300]}")
        lines = [(finding.file, finding.path, finding.message) for finding in data.report.findings]
        assert len(lines) == len(set(lines)), text
        for finding in data.report.findings:
            assert f"{finding.file}{finding.path}{finding.message}".isprintable()
            assert leads_somewhere(text, finding.path), (finding, text)
            assert len(finding.message) < 300
        if not samples:
            assert data.report.refused, text
        for sample in samples:
            assert_can_be_scored(sample, tmp_path)
            json.dumps(sample.meta)
