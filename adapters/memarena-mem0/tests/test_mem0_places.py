"""Where mem0ai keeps things: instances side by side, servers, folders let go of, pictures, no other connections."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from mem0_play import FACT, Make, hear, texts, turn
from msgspec.structs import replace

from memarena import catalog
from memarena.errors import ModelError, PluginLoadError, UsageError
from memarena.hosted import HostedAdapter
from memarena.records import Attachment, RunContext
from memarena_mem0.library import memory_class


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
