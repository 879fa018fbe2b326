"""memgpt with the model `offline`: its rule, and a whole run through the gateway."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from memgpt_play import active, recall, started, turn

from memarena.store import RunStore
from memarena.testing.model_server import ModelServer


def test_what_something_is_or_measures_goes_into_core_memory_and_the_rest_into_the_archive(
    offline_server: ModelServer, tmp_path: Path
) -> None:
    adapter = started(offline_server, tmp_path)
    adapter.ingest_turn(turn(0, "The vet is on Elm Street. Bruno chased a very large cat."))
    kept = active(adapter)
    assert "vet" in kept["core:human:1"]
    assert "Bruno" in kept["archival:1"]
    assert len(kept) == 2


def test_what_the_assistant_said_is_found_in_recall_memory_alone(offline_server: ModelServer, tmp_path: Path) -> None:
    adapter = started(offline_server, tmp_path)
    adapter.ingest_turn(turn(0, "The vet opens at nine on Mondays.", role="assistant"))
    assert active(adapter) == {}
    assert [item.memory_id for item in recall(adapter)] == ["S01:T000"]


@pytest.mark.parametrize(
    ("before", "after", "gone", "kept"),
    [
        ("The locker code of Zanetti is 4711.", "The locker code of Zanetti is 9320.", "4711", "9320"),
        ("My phone number is 555-0101.", "My phone number changed, it is 555-0202 now.", "0101", "0202"),
        ("Mug_1 is dirty.", "Mug_1 is clean.", "dirty", "clean"),
        ("The release is planned for April 28.", "We release later, on May 12.", "April 28", "planned for May 12"),
    ],
)
def test_a_fact_that_is_superseded_is_replaced(
    before: str, after: str, gone: str, kept: str, offline_server: ModelServer, tmp_path: Path
) -> None:
    adapter = started(offline_server, tmp_path)
    adapter.ingest_turn(turn(0, before))
    adapter.ingest_turn(turn(0, after, "S02"))
    (text,) = active(adapter).values()
    assert kept in text
    assert gone not in text
    assert [change.op for change in adapter.export_memory_delta("S02")] == ["archive", "update"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Mug_1 is in Sink_1.", "Mug_1 is clean."),
        ("Ana pays 900 euros for the flat.", "Bruno earned 40 euros on Sunday."),
        ("The release is planned for April 28.", "The dentist wants me on May 12."),
    ],
)
def test_another_fact_replaces_nothing(before: str, after: str, offline_server: ModelServer, tmp_path: Path) -> None:
    adapter = started(offline_server, tmp_path)
    adapter.ingest_turn(turn(0, before))
    adapter.ingest_turn(turn(0, after, "S02"))
    assert len(active(adapter)) == 2


def test_a_fact_that_a_full_block_has_no_room_for_goes_into_the_archive_and_what_it_replaced_is_gone(
    offline_server: ModelServer, tmp_path: Path
) -> None:
    adapter = started(offline_server, tmp_path, block_limit=100)
    adapter.ingest_turn(turn(0, "The locker code of Zanetti is 4711, and he never forgets it."))
    adapter.ingest_turn(
        turn(0, f"The locker code of Zanetti is 9320, {'which is much longer to explain ' * 3}.", "S02")
    )
    (text,) = active(adapter).values()
    assert "9320" in text


def test_what_is_said_to_be_a_rumour_is_not_stored(offline_server: ModelServer, tmp_path: Path) -> None:
    adapter = started(offline_server, tmp_path)
    adapter.ingest_turn(turn(0, "Somebody said that I move to Oslo; that is only a rumour."))
    assert active(adapter) == {}
    assert len(recall(adapter)) == 1


def test_a_turn_costs_one_call_and_a_question_two(offline_server: ModelServer, tmp_path: Path) -> None:
    adapter = started(offline_server, tmp_path)
    adapter.ingest_turn(turn(0, "I have a dog called Bruno."))
    assert (len(offline_server.chats), len(offline_server.embeddings)) == (1, 0)
    offline_server.asked.clear()
    found = adapter.retrieve(query="What is the dog called?", top_k=5)
    assert (len(offline_server.chats), len(offline_server.embeddings)) == (2, 0)
    assert [item.memory_id for item in found.items] == ["core:human", "S01:T000"]


def test_a_run_through_the_gateway_counts_every_call(run_cli: Any, tmp_path: Path) -> None:
    pytest.importorskip("memarena_models", reason="memarena-models is not installed")
    words = ["run", "-d", "tiny", "-a", "memgpt", "-a", "mgmemory", "--model", "offline", "--out", "r", "--quiet"]
    done = run_cli(*words, timeout=600)
    assert done.returncode == 0, done.stderr
    used = RunStore.open(tmp_path / "cli" / "r").usage()
    assert used["memgpt~tiny-work"]["write"].calls >= 4
    assert used["memgpt~tiny-work"]["retrieve"].calls >= 4
    assert "mgmemory~tiny-work" not in used or not used["mgmemory~tiny-work"]


def test_without_a_model_the_run_says_which_flag_to_give(run_cli: Any) -> None:
    pytest.importorskip("memarena_arena", reason="memarena-arena is not installed")
    done = run_cli("run", "-d", "tiny", "-a", "memgpt", "--out", "r", "--quiet", timeout=600)
    assert "--model inner=NAME" in done.stdout + done.stderr
