"""OpenClaw as a memory: written in one process, read in a later one, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from chat_server import ChatModel, given_back, said_by_user
from harness_play import ask, context, hear, processes_with
from msgspec.structs import replace
from openclaw_play import needs_openclaw, openclaw
from PIL import Image

from memarena_harness import openclaw as _openclaw
from memarena_harness.failures import HarnessFailure

pytestmark = needs_openclaw

FACT = "The locker code of Zanetti is 4711."
QUESTION = "What is the locker code of Zanetti?"


@pytest.fixture
def offline(chat: ChatModel) -> ChatModel:
    """A model on the loopback that plays `offline`."""
    pytest.importorskip("memarena_models", reason="memarena-models is not installed")
    chat.offline = True
    return chat


@pytest.mark.parametrize("start", ["gateway", "exec"])
def test_an_answer_comes_from_notes_that_an_earlier_process_wrote_and_goes_with_them(
    start: str, offline: ChatModel, tmp_path: Path
) -> None:
    adapter = openclaw(start=start)
    adapter.reset(context(tmp_path / "run", offline))
    hear(adapter, "S01", FACT, "I have it.")
    assert FACT in [item.text.rsplit(": ")[-1] for item in adapter.snapshot_memories()]
    assert "4711" in ask(adapter, QUESTION)[0]
    (tmp_path / "run" / "agent" / "workspace" / "MEMORY.md").unlink()
    assert ask(adapter, QUESTION) == ["Not mentioned in memory."]
    adapter.close()
    assert processes_with(str(tmp_path)) == []


def test_a_session_has_a_stock_workspace_its_notes_and_nothing_of_the_session_before(
    chat: ChatModel, tmp_path: Path
) -> None:
    adapter = openclaw(start="gateway")
    adapter.reset(context(tmp_path / "run", chat))
    chat.says(["echo 'The boat is teal.' > MEMORY.md"], "Done.")
    hear(adapter, "S01", "I saw a ptarmigan.")
    hear(adapter, "S02", "Something else.")
    first, last = chat.bodies[0], chat.bodies[-1]
    system = last["messages"][0]["content"]
    assert "Durable Facts and Decisions" in system
    assert "The boat is teal." in system
    assert "ptarmigan" in said_by_user(first)
    assert "ptarmigan" not in str(last)
    state = tmp_path / "run" / "agent" / "state"
    assert b"ptarmigan" not in b"".join(file.read_bytes() for file in state.rglob("*") if file.is_file())
    assert {tool["function"]["name"] for tool in last["tools"]} >= {"exec", "read", "write", "memory_search"}
    assert (last["temperature"], last["seed"]) == (0, 0)


def test_its_own_files_are_no_notes_until_it_changes_them(chat: ChatModel, tmp_path: Path) -> None:
    adapter = openclaw()
    adapter.reset(context(tmp_path / "run", chat))
    chat.says(["echo '- Ask Marlow first.' >> AGENTS.md"], "Done.")
    hear(adapter, "S01", "Always ask Marlow first.")
    assert [(item.metadata["file"], item.text) for item in adapter.snapshot_memories()] == [
        ("AGENTS.md", "- Ask Marlow first.")
    ]


def test_answering_cannot_change_the_memory(chat: ChatModel, tmp_path: Path) -> None:
    adapter = openclaw()
    adapter.reset(context(tmp_path / "run", chat))
    chat.says(["echo teal > MEMORY.md"], "Done.")
    hear(adapter, "S01", "The boat is teal.")
    chat.says(["cat MEMORY.md; echo red > MEMORY.md; echo new > more.md"], '{"answers": [{"id": "Q1", "answer": "x"}]}')
    assert ask(adapter, "Which colour?") == ["x"]
    assert "teal" in given_back(chat.bodies[-1])
    assert (tmp_path / "run" / "agent" / "workspace" / "MEMORY.md").read_text(encoding="utf-8") == "teal\n"
    assert not (tmp_path / "run" / "agent" / "workspace" / "more.md").exists()


@pytest.mark.parametrize("start", ["gateway", "exec"])
def test_pictures_go_out_as_pixels_in_the_order_of_the_dialogue(start: str, chat: ChatModel, tmp_path: Path) -> None:
    places = []
    for size, colour in [((30, 20), "teal"), ((5000, 2500), "red")]:
        places.append(tmp_path / f"answer-is-{colour}.png")
        Image.new("RGB", size, colour).save(places[-1])
    adapter = openclaw(start=start)
    adapter.reset(context(tmp_path / "run", chat))
    hear(adapter, "S01", "Look.", pictures=[places[0], None, places[1]])
    parts = [part for each in chat.bodies[0]["messages"][1:] for part in each["content"] if isinstance(part, dict)]
    sizes = [_size(part["image_url"]["url"]) for part in parts if part["type"] == "image_url"]
    assert sizes == [(30, 20), (2048, 1024)]
    assert "answer-is" not in str(chat.bodies)
    assert not (tmp_path / "run" / "agent" / "workspace" / "media").exists()
    adapter.close()


@pytest.mark.parametrize("start", ["gateway", "exec"])
def test_a_picture_that_does_not_reach_the_model_fails_the_session(
    start: str, chat: ChatModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = _openclaw._told
    monkeypatch.setattr(_openclaw, "_told", lambda message: whole(replace(message, pictures=message.pictures[:1])))
    places = [tmp_path / "one.png", tmp_path / "two.png"]
    for place in places:
        Image.new("RGB", (30, 20), "teal").save(place)
    adapter = openclaw(start=start)
    adapter.reset(context(tmp_path / "run", chat))
    with pytest.raises(HarnessFailure, match="pictures lost: 1 of 2 pictures reached the model"):
        hear(adapter, "S01", "Look.", pictures=places)
    adapter.close()


def test_with_context_the_conversation_goes_on_and_answers_leave_no_trace_in_it(
    chat: ChatModel, tmp_path: Path
) -> None:
    adapter = openclaw(context=True)
    adapter.reset(context(tmp_path / "run", chat))
    hear(adapter, "S01", FACT)
    hear(adapter, "S02", "Something else.")
    assert FACT in said_by_user(chat.bodies[-1])
    chat.says('{"answers": [{"id": "Q1", "answer": "4711"}]}')
    assert ask(adapter, "Which code?") == ["4711"]
    assert FACT in said_by_user(chat.bodies[-1])
    chat.says("Noted.")
    hear(adapter, "S03", "The last one.")
    assert "Which code?" not in said_by_user(chat.bodies[-1])


def test_another_process_goes_on_with_what_is_in_the_folder(offline: ChatModel, tmp_path: Path) -> None:
    first = openclaw()
    first.reset(context(tmp_path / "run", offline))
    hear(first, "S01", FACT, "I have it.")
    second = openclaw()
    second.reopen(context(tmp_path / "run", offline))
    assert second.snapshot_memories() == first.snapshot_memories()
    assert "4711" in ask(second, QUESTION)[0]


def _size(url: str) -> tuple[int, int]:
    import base64
    import io

    return Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))).size
