"""memgpt with the model `offline`: its rule, and a whole run through the gateway."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from memgpt_play import active, recall, started, turn
from memgpt_stand_in import StandIn

from memarena.store import RunStore


def test_facts_of_the_user_go_into_core_memory_and_others_into_the_archive(offline: StandIn, tmp_path: Path) -> None:
    adapter = started(offline, tmp_path)
    adapter.ingest_turn(turn(0, "I have a dog called Bruno."))
    adapter.ingest_turn(turn(1, "The vet opens at nine on Mondays.", role="assistant"))
    kept = active(adapter)
    assert "Bruno" in kept["core:human:1"]
    assert "vet" in kept["archival:1"]
    assert len(kept) == 2


@pytest.mark.parametrize(
    ("before", "after", "gone", "kept"),
    [
        ("The locker code of Zanetti is 4711.", "The locker code of Zanetti is 9320.", "4711", "9320"),
        ("My phone number is 555-0101.", "My phone number changed, it is 555-0202 now.", "0101", "0202"),
        ("Mug_1 is dirty.", "Mug_1 is clean.", "dirty", "clean"),
    ],
)
def test_a_fact_that_is_superseded_is_replaced(
    before: str, after: str, gone: str, kept: str, offline: StandIn, tmp_path: Path
) -> None:
    adapter = started(offline, tmp_path)
    adapter.ingest_turn(turn(0, before))
    adapter.ingest_turn(turn(0, after, "S02"))
    (text,) = active(adapter).values()
    assert kept in text
    assert gone not in text
    assert [change.op for change in adapter.export_memory_delta("S02")] == ["archive", "update"]


def test_what_is_said_to_be_a_rumour_is_not_stored(offline: StandIn, tmp_path: Path) -> None:
    adapter = started(offline, tmp_path)
    adapter.ingest_turn(turn(0, "Somebody said that I move to Oslo; that is only a rumour."))
    assert active(adapter) == {}
    assert len(recall(adapter)) == 1


def test_a_turn_costs_one_call_and_a_question_two(offline: StandIn, tmp_path: Path) -> None:
    adapter = started(offline, tmp_path)
    adapter.ingest_turn(turn(0, "I have a dog called Bruno."))
    assert (len(offline.chats), len(offline.embeddings)) == (1, 0)
    offline.requests.clear()
    found = adapter.retrieve(query="What is the dog called?", top_k=5)
    assert (len(offline.chats), len(offline.embeddings)) == (2, 0)
    assert [item.memory_id for item in found.items] == ["core:human", "S01:T000"]


def test_a_run_through_the_gateway_counts_every_call(tmp_path: Path) -> None:
    pytest.importorskip("memarena_models", reason="memarena-models is not installed")
    words = ["run", "-d", "tiny", "-a", "memgpt", "-a", "mgmemory", "--model", "offline", "--out", "r", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-m", "memarena", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    used = RunStore.open(tmp_path / "r").usage()
    assert used["memgpt~tiny-work"]["write"].calls >= 4
    assert used["memgpt~tiny-work"]["retrieve"].calls >= 4
    assert "mgmemory~tiny-work" not in used or not used["mgmemory~tiny-work"]


def test_without_a_model_the_run_says_which_flag_to_give(tmp_path: Path) -> None:
    pytest.importorskip("memarena_arena", reason="memarena-arena is not installed")
    done = subprocess.run(
        [sys.executable, "-m", "memarena", "run", "-d", "tiny", "-a", "memgpt", "--out", "r", "--quiet"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        encoding="utf-8",
    )
    assert "--model inner=NAME" in done.stdout + done.stderr
