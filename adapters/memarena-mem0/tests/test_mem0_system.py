"""The real mem0ai, before a model server on the loopback: what it keeps, tells and finds."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from memarena import catalog
from memarena.errors import ModelError, PluginLoadError, UsageError
from memarena.hosted import HostedAdapter
from memarena.records import Attachment, RunContext, Turn
from memarena_mem0.library import memory_class

Make = Callable[..., Any]
FACT = "The locker code of Zanetti is 4711."
CHANGED = "The locker code of Zanetti is 9320."


def turn(session_id: str, index: int, text: str, role: str = "user", **more: Any) -> Turn:
    return Turn(
        turn_id=f"{session_id}:T{index}", session_id=session_id, index=index, role=role, text=text, body=text, **more
    )


def hear(adapter: Any, session_id: str, *texts: str, time: str | None = None) -> None:
    for index, text in enumerate(texts):
        adapter.ingest_turn(turn(session_id, index, text, time=time))
    adapter.end_session(session_id)


def texts(adapter: Any) -> list[str]:
    return [item.text for item in adapter.snapshot_memories()]


def only(name: str, wanted: str) -> None:
    if name != wanted:
        pytest.skip(f"this is about {wanted}")


@pytest.fixture
def adapter(make: Make, context: RunContext) -> Any:
    made = make(unit="turn")
    made.reset(context)
    return made


def test_2_x_keeps_the_old_value_beside_the_new(name: str, adapter: Any):
    only(name, "mem0")
    hear(adapter, "S01", FACT)
    hear(adapter, "S02", CHANGED)
    assert texts(adapter) == [FACT, CHANGED]
    (change,) = adapter.export_memory_delta("S02")
    assert (change.op, change.memory_id, change.text) == ("add", "m00002", CHANGED)


def test_1_0_11_puts_the_new_value_in_the_place_of_the_old(name: str, adapter: Any):
    only(name, "mem0-classic")
    hear(adapter, "S01", FACT)
    hear(adapter, "S02", CHANGED)
    (item,) = adapter.snapshot_memories()
    assert (item.text, item.turn_ids, item.session_id) == (CHANGED, ("S01:T0", "S02:T0"), "S01")
    (change,) = adapter.export_memory_delta("S02")
    assert (change.op, change.text, change.previous) == ("update", CHANGED, (FACT,))


def test_1_0_11_deletes_what_is_denied(name: str, adapter: Any):
    only(name, "mem0-classic")
    hear(adapter, "S01", "Ana has a dog called Bruno.")
    hear(adapter, "S02", "Ana doesn't have a dog called Bruno.")
    assert texts(adapter) == []
    (change,) = adapter.export_memory_delta("S02")
    assert (change.op, change.memory_id, change.text) == ("delete", "m00001", "Ana has a dog called Bruno.")


def test_what_a_value_was_in_between_is_told(name: str, adapter: Any):
    only(name, "mem0-classic")
    hear(adapter, "S01", FACT)
    hear(adapter, "S02", CHANGED, "The locker code of Zanetti is 1234.")
    (change,) = adapter.export_memory_delta("S02")
    assert change.previous == (FACT, CHANGED)


def test_what_is_said_again_changes_nothing(adapter: Any):
    hear(adapter, "S01", FACT)
    before = adapter.snapshot_memories()
    hear(adapter, "S02", FACT)
    assert adapter.snapshot_memories() == before
    assert adapter.export_memory_delta("S02") == ()


def test_prompts_and_items_have_the_time_of_the_benchmark_and_no_other(offline_server: Any, adapter: Any):
    hear(adapter, "S01", FACT, time="1:56 pm on 8 May, 2023")
    assert "1:56 pm on 8 May, 2023" in offline_server.prompts()
    hear(adapter, "S02", "Quillon keeps nine bees.")
    (first, *_) = adapter.snapshot_memories()
    assert first.metadata["time"] == "1:56 pm on 8 May, 2023"
    assert adapter.retrieve(FACT, 1).items[0].text == f"[1:56 pm on 8 May, 2023] {FACT}"
    today = subprocess.run(["date", "-u", "+%Y-%m-%d"], capture_output=True, text=True, check=True).stdout.strip()
    assert today not in offline_server.prompts()


def test_times_can_be_left_out_of_what_is_retrieved(make: Make, context: RunContext):
    made = make(time_in_text=False)
    made.reset(context)
    hear(made, "S01", FACT, time="8 May, 2023")
    assert made.retrieve(FACT, 1).items[0].text == FACT


def test_calls_are_those_that_are_known_of_2_x(name: str, offline_server: Any, adapter: Any):
    """A turn: its vector, the extraction, and one batch of vectors for the memories; a search: one vector."""
    only(name, "mem0")
    offline_server.counts()
    adapter.ingest_turn(turn("S01", 0, f"{FACT} Quillon keeps nine bees on the roof of the old house."))
    assert offline_server.counts() == (1, 2)
    adapter.ingest_turn(turn("S01", 1, "Hello there!"))
    assert offline_server.counts() == (1, 1)
    adapter.end_session("S01")
    adapter.snapshot_memories()
    adapter.export_memory_delta("S01")
    assert offline_server.counts() == (0, 0)
    adapter.retrieve(FACT, 5)
    assert offline_server.counts() == (0, 1)


def test_calls_are_those_that_are_known_of_1_0_11(name: str, offline_server: Any, adapter: Any):
    """A turn: facts, a vector for each, the decision; a search: one vector."""
    only(name, "mem0-classic")
    offline_server.counts()
    adapter.ingest_turn(turn("S01", 0, f"{FACT} Quillon keeps nine bees on the roof of the old house."))
    assert offline_server.counts() == (2, 2)
    adapter.ingest_turn(turn("S01", 1, "Hello there!"))
    assert offline_server.counts() == (1, 0)
    adapter.end_session("S01")
    adapter.snapshot_memories()
    adapter.export_memory_delta("S01")
    assert offline_server.counts() == (0, 0)
    adapter.retrieve(FACT, 5)
    assert offline_server.counts() == (0, 1)


def test_the_length_of_vectors_is_asked_once_or_told(offline_server: Any, make: Make, context: RunContext):
    made = make()
    made.reset(context)
    assert offline_server.counts() == (0, 1)
    told = make(dimensions=256)
    told.reset(replace(context, folder=f"{context.folder}-2"))
    assert offline_server.counts() == (0, 0)


def test_a_turn_that_says_nothing_costs_nothing(offline_server: Any, adapter: Any):
    offline_server.counts()
    hear(adapter, "S01", "", "  ")
    assert offline_server.counts() == (0, 0)


def test_a_round_is_handed_over_at_once(offline_server: Any, make: Make, context: RunContext):
    made = make()
    made.reset(context)
    made.ingest_turn(turn("S01", 0, FACT))
    made.ingest_turn(turn("S01", 1, "I wrote it down.", "assistant"))
    chats = [body for kind, body in offline_server.asked if kind == "chat"]
    assert "I wrote it down." in chats[0]["messages"][-1]["content"]
    assert made.snapshot_memories()[0].turn_ids == ("S01:T0", "S01:T1")


def test_a_long_turn_is_taken_in_whole(offline_server: Any, make: Make, context: RunContext):
    made = make(longest=2000)
    made.reset(context)
    hear(made, "S01", "\n".join(f"Shelf {number} holds the box of Zanetti number {number}." for number in range(200)))
    asked = [
        body["input"][0] for kind, body in offline_server.asked if kind == "embeddings" and body["input"] != ["length"]
    ]
    assert max(map(len, asked)) < 2100
    assert any("number 199" in text for text in texts(made))


def test_after_reset_the_model_is_told_nothing_of_before(offline_server: Any, adapter: Any, context: RunContext):
    hear(adapter, "S01", FACT, "Quillon keeps nine bees.")
    adapter.reset(context)
    offline_server.asked.clear()
    assert texts(adapter) == []
    hear(adapter, "S01", "Marlow paints boats in green.")
    adapter.retrieve(FACT, 5)
    assert "Zanetti" not in offline_server.prompts()
    assert "Quillon" not in offline_server.prompts()


def test_the_same_sessions_lead_to_the_same_requests_and_memories(offline_server: Any, make: Make, context: RunContext):
    seen = []
    for number in range(2):
        made = make()
        made.reset(replace(context, folder=f"{context.folder}-{number}"))
        hear(made, "S01", FACT, "Quillon keeps nine bees on the roof.", time="8 May, 2023")
        hear(made, "S02", CHANGED, "Marlow paints boats in green.")
        found = made.retrieve("Who keeps bees?", 5).items
        kept = [replace(item, backend_id="") for item in made.snapshot_memories()]
        seen.append((list(offline_server.asked), kept, [(item.memory_id, item.score) for item in found]))
        offline_server.asked.clear()
    assert seen[0] == seen[1]


def test_two_instances_in_one_process_have_folders_of_their_own(make: Make, context: RunContext):
    first, second = make(), make()
    first.reset(context)
    second.reset(replace(context, folder=f"{context.folder}-2"))
    hear(first, "S01", FACT)
    assert texts(second) == []
    assert sorted(path.name for path in Path(f"{context.folder}-2", "mem0").iterdir()) >= ["history.db", "qdrant"]


def test_many_threads_lose_nothing(adapter: Any):
    names = [f"Z{one * 3}{other * 3}" for one in "abcdef" for other in "xyz"]

    def work(number: int) -> None:
        for place in range(3 * number, 3 * number + 3):
            adapter.ingest_turn(turn("S01", place, f"A bird called {names[place]} sleeps."))
            adapter.retrieve(names[place], 5)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    adapter.end_session("S01")
    said = " ".join(texts(adapter))
    assert [name for name in names if name not in said] == []


def test_on_a_server_a_cell_has_a_collection_of_its_own_and_leaves_none(
    make: Make, context: RunContext, monkeypatch: pytest.MonkeyPatch
):
    """The server is Qdrant's own client in memory; it takes the path of a server through mem0 and through us."""
    import qdrant_client

    memory_class(Path(context.folder))
    import_module("mem0.vector_stores.qdrant")  # which is to know the real client
    place = qdrant_client.QdrantClient(":memory:")
    monkeypatch.setattr(place, "close", lambda: None)
    monkeypatch.setattr(qdrant_client, "QdrantClient", lambda **settings: place)
    first, second = (make(qdrant_url="http://127.0.0.1:6333") for _ in range(2))
    first.reset(context)
    second.reset(replace(context, namespace="other", folder=f"{context.folder}-2"))
    hear(first, "S01", FACT)
    hear(second, "S01", "Quillon keeps nine bees.")
    assert (texts(first), texts(second)) == ([FACT], ["Quillon keeps nine bees."])
    assert len(place.get_collections().collections) == 2
    first.reset(context)
    assert texts(first) == []
    first.close()
    second.close()
    assert place.get_collections().collections == []


def test_a_server_that_does_not_answer_is_named(make: Make, context: RunContext):
    with pytest.raises(UsageError, match=r"qdrant_url http://127\.0\.0\.1:9: no Qdrant works there"):
        make(qdrant_url="http://127.0.0.1:9").reset(context)


def test_closing_lets_go_of_the_folder(make: Make, context: RunContext, adapter: Any):
    hear(adapter, "S01", FACT)
    adapter.close()
    adapter.close()
    with pytest.raises(RuntimeError, match="is closed"):
        adapter.snapshot_memories()
    other = make()
    other.reopen(context)
    assert texts(other) == [FACT]


def test_an_instance_that_is_forgotten_lets_go_of_the_folder(make: Make, context: RunContext):
    made = make()
    made.reset(context)
    hear(made, "S01", FACT)
    del made
    other = make()
    other.reopen(context)
    assert texts(other) == [FACT]


def test_after_a_power_cut_everything_is_found_again(name: str, context: RunContext):
    hosted = HostedAdapter(name, name, {"unit": "turn"})
    hosted.reset(context)
    hear(hosted, "S01", FACT)
    hosted.ingest_turn(turn("S02", 0, "Quillon keeps nine bees on the roof."))
    hosted.kill()
    again = HostedAdapter(name, name)
    try:
        again.reopen(context)
        found = [(item.memory_id, item.text, item.turn_ids) for item in again.snapshot_memories()]
    finally:
        again.close()
    assert found == [
        ("m00001", FACT, ("S01:T0",)),
        ("m00002", "Quillon keeps nine bees on the roof.", ("S02:T0",)),
    ]


def test_pictures_are_described_by_the_model_where_that_is_wanted(
    offline_server: Any, make: Make, context: RunContext, tmp_path: Path
):
    file = tmp_path / "picture.png"
    file.write_bytes(os.urandom(1000))
    offline_server.reply = lambda body: (
        None if "response_format" in body else "The label of Zanetti shows a red square."
    )
    made = make(vision=True)
    made.reset(context)
    shown = Attachment(image_id="S01_img_1", path=str(file), media_type="image/png")
    made.ingest_turn(turn("S01", 0, "Look here, please.", attachments=(shown,)))
    made.end_session("S01")
    assert "data:image/png;base64," in offline_server.prompts()
    assert any("The label of Zanetti shows a red square." in text for text in texts(made))
    assert made.get_capabilities().modalities == ("text", "image")


def test_a_picture_of_twenty_megabytes_is_survived(
    offline_server: Any, make: Make, context: RunContext, tmp_path: Path
):
    file = tmp_path / "picture.png"
    file.write_bytes(bytes(20 << 20))
    made = make(vision=True)
    made.reset(context)
    made.ingest_turn(turn("S01", 0, FACT, attachments=(Attachment(path=str(file)),)))
    made.end_session("S01")
    assert any(FACT in text for text in texts(made))


def test_without_a_model_the_error_says_which_flag_to_give(make: Make, context: RunContext):
    with pytest.raises(ModelError, match="--model inner=NAME"):
        make().reset(replace(context, model=None))
    with pytest.raises(ModelError, match="--model embed=NAME"):
        make().reset(replace(context, embedding=None))


def test_the_other_version_says_how_to_get_an_environment(name: str):
    other = {"mem0": "mem0-classic", "mem0-classic": "mem0"}[name]
    with pytest.raises(PluginLoadError, match=f"memarena env create {other}"):
        catalog.make(catalog.load("memarena.adapters", other), {})


WATCHED = """
import json, sys
places = set()

def watch(event, arguments):
    if event == "socket.getaddrinfo":
        places.add(str(arguments[0]))
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        places.add(str(arguments[1][0]))

sys.addaudithook(watch)
from memarena import catalog
from memarena.records import Endpoint, RunContext, Turn

name, url, folder = sys.argv[1:]
endpoint = Endpoint(base_url=url, model="offline", api_key="test-key")
adapter = catalog.make(catalog.load("memarena.adapters", name), {})
adapter.reset(RunContext(folder=folder, namespace="cell", model=endpoint, embedding=endpoint))
adapter.ingest_turn(Turn(turn_id="T", session_id="S", index=0, text="The locker code of Zanetti is 4711."))
adapter.end_session("S")
adapter.retrieve("Zanetti", 3)
adapter.close()
print(json.dumps([sorted(places), sys.modules["mem0.memory.telemetry"].MEM0_TELEMETRY]))
"""


def test_it_connects_to_nothing_but_the_given_endpoint_whatever_keys_are_about(
    name: str, offline_server: Any, context: RunContext, tmp_path: Path
):
    home = tmp_path / "home"
    home.mkdir()
    keys = {
        "OPENROUTER_API_KEY": "k",
        "OPENAI_API_KEY": "k",
        "MEM0_API_KEY": "k",
        "OPENAI_BASE_URL": "http://x.invalid",
    }
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, name, offline_server.url, context.folder],
        env={**os.environ, **keys, "HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert done.stdout == '[["127.0.0.1"], false]\n'
    assert done.stderr == ""
    assert list(home.rglob("*")) == []
    assert not list(Path(context.folder).rglob("migrations*"))
