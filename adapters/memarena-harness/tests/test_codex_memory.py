"""Codex as a memory: written in one process, read in a later one, and nowhere else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from harness_play import ask, codex, context, hear, needs_codex, text_of
from PIL import Image
from responses_server import Model, calls

from memarena_harness.preflight import bubblewrap_problem
from memarena_harness.programs import bubblewraps

pytestmark = needs_codex

FACT = "The locker code of Zanetti is 4711."


def test_an_answer_comes_from_notes_that_an_earlier_process_wrote(offline: Model, tmp_path: Path) -> None:
    adapter = codex()
    adapter.reset(context(tmp_path / "run", offline))
    hear(adapter, "S01", FACT, "Yes.")
    assert [item.text.rsplit(": ")[-1] for item in adapter.snapshot_memories()] == [FACT]
    assert "4711" in ask(adapter, "What is the locker code of Zanetti?")[0]


def test_without_the_notes_the_answer_is_gone(offline: Model, tmp_path: Path) -> None:
    adapter = codex()
    adapter.reset(context(tmp_path / "run", offline))
    hear(adapter, "S01", FACT, "Yes.")
    (tmp_path / "run" / "agent" / "workspace" / "notes.md").unlink()
    assert ask(adapter, "What is the locker code of Zanetti?") == ["Not mentioned in memory."]


def test_nothing_but_the_workspace_lasts(model: Model, tmp_path: Path) -> None:
    adapter = codex()
    adapter.reset(context(tmp_path / "run", model))
    model.says(calls("for d in /tmp /agent/home /agent/state . ; do echo kept > $d/kept; done; ls"), "Done.")
    hear(adapter, "S01", "Keep this.")
    model.says(calls("cat /tmp/kept /agent/home/kept /agent/state/kept; echo; cat kept"), "Done.")
    hear(adapter, "S02", "And now?")
    assert text_of(model.bodies[-1]).count("kept\n") <= 1
    assert "kept" in text_of(model.bodies[-1]).split("Output:")[-1]


def test_answering_cannot_change_the_memory(model: Model, tmp_path: Path) -> None:
    adapter = codex()
    adapter.reset(context(tmp_path / "run", model))
    model.says(calls("echo teal > notes.md"), "Done.")
    hear(adapter, "S01", "The boat is teal.")
    before = adapter.snapshot_memories()
    model.says(calls("cat notes.md; echo red > notes.md; echo new > more.md"), '{"answers": [{"id": "Q1"}]}')
    ask(adapter, "Which colour?")
    assert (tmp_path / "run" / "agent" / "workspace" / "notes.md").read_text(encoding="utf-8") == "teal\n"
    model.says("Nothing new.")
    hear(adapter, "S02", "Hello again, it is me.")
    assert adapter.snapshot_memories() == before


def test_pictures_go_out_in_the_order_of_the_dialogue_under_neutral_names(model: Model, tmp_path: Path) -> None:
    places = []
    for place, (size, colour) in enumerate([((30, 20), "teal"), ((5000, 2500), "red")]):
        places.append(tmp_path / f"answer-is-{colour}-{place}.png")
        Image.new("RGB", size, colour).save(places[-1])
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"no picture")
    adapter = codex()
    adapter.reset(context(tmp_path / "run", model))
    hear(adapter, "S01", "Look.", pictures=[places[0], broken, None, places[1]])
    (body,) = model.bodies
    parts = [part for item in body["input"] for part in item["content"]]
    assert sum(part["type"] == "input_image" for part in parts) == 2
    named = [part["text"] for part in parts if part.get("text", "").startswith("<image ")]
    assert [name.rpartition("/")[2] for name in named] == ['s01_1.png">', 's01_2.png">']
    text = text_of(body).partition("=== Session")[2]
    assert text.index("[Image #1]") < text.index("cannot be read") < text.index("is not shown") < text.index("#2]")
    assert "answer-is" not in str(body)
    assert not (tmp_path / "run" / "agent" / "workspace" / "media").exists()


def test_a_picture_of_a_question_goes_out_with_it(model: Model, tmp_path: Path) -> None:
    from memarena.memory import whole_text
    from memarena.records import AskedQuestion, Attachment

    picture = tmp_path / "boat.png"
    Image.new("RGB", (10, 10), "teal").save(picture)
    adapter = codex()
    adapter.reset(context(tmp_path / "run", model))
    model.says('{"answers": [{"id": "Q1", "answer": "teal"}]}')
    shown = Attachment(image_id="Q_img", path=str(picture), caption="a small boat")
    text = whole_text("Which colour is this?", (shown,))
    (answer,) = adapter.answer([AskedQuestion(question_id="C:1", text=text, attachments=(shown,))])
    assert answer.text == "teal"
    assert answer.metadata["pictures"] == 1
    assert str(model.bodies[0]).count("'input_image'") == 1
    assert str(model.bodies[0]).count("a small boat") == 1


@pytest.mark.parametrize("holder", ["auto", "own"])
def test_with_context_the_conversation_goes_on_and_says_so(holder: str, model: Model, tmp_path: Path) -> None:
    adapter = codex(context=True, holder=holder)
    capabilities = adapter.get_capabilities()
    assert capabilities.versions["remembers_by"] == "its context goes on from session to session"
    assert "a baseline that answers from its context, not from what it wrote down" in capabilities.remarks
    adapter.reset(context(tmp_path / "run", model))
    hear(adapter, "S01", FACT)
    hear(adapter, "S02", "Something else.")
    assert FACT in text_of(model.bodies[1])
    model.says('{"answers": [{"id": "Q1", "answer": "4711"}]}')
    assert ask(adapter, "Which code?") == ["4711"]
    assert FACT in text_of(model.bodies[2])
    model.says("Noted.")
    hear(adapter, "S03", "The last one.")
    assert "Which code?" not in text_of(model.bodies[3])


def test_another_process_goes_on_with_what_is_in_the_folder(offline: Model, tmp_path: Path) -> None:
    first = codex()
    first.reset(context(tmp_path / "run", offline))
    hear(first, "S01", FACT, "Yes.")
    second = codex()
    second.reopen(context(tmp_path / "run", offline))
    assert second.snapshot_memories() == first.snapshot_memories()
    assert "4711" in ask(second, "What is the locker code of Zanetti?")[0]


@pytest.mark.parametrize("instructions", ["stock", "short"])
def test_prompts_say_nothing_of_this_machine_or_of_today(instructions: str, model: Model, tmp_path: Path) -> None:
    import datetime

    adapter = codex(instructions=instructions)
    adapter.reset(context(tmp_path / "run", model))
    hear(adapter, "S01", "Hello, it is me.")
    said = str(model.bodies[0])
    assert str(tmp_path) not in said
    assert f"{datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}" not in said
    assert len(said) < 60_000 if instructions == "stock" else len(said) < 12_000


def test_two_conversations_side_by_side_do_not_meet(offline: Model, tmp_path: Path) -> None:
    one, two = codex(), codex()
    one.reset(context(tmp_path / "one", offline))
    two.reset(context(tmp_path / "two", offline))
    hear(one, "S01", "Alice keeps a Ptarmigan.")
    hear(two, "S01", "Bob keeps a Capercaillie.")
    assert "Ptarmigan" in one.snapshot_memories()[0].text
    assert "Ptarmigan" not in ask(two, "What does Alice keep?")[0]


@pytest.mark.parametrize("holder", ["own", "none"])
def test_it_works_with_its_own_sandbox_alone_as_well(holder: str, offline: Model, tmp_path: Path) -> None:
    adapter = codex(holder=holder, allow_unsandboxed=holder == "none")
    assert adapter.get_capabilities().versions["held_by"] == holder
    adapter.reset(context(tmp_path / "run", offline))
    hear(adapter, "S01", FACT, "Yes.")
    assert "4711" in ask(adapter, "What is the locker code of Zanetti?")[0]


def test_where_its_own_sandbox_cannot_run_in_the_jail_commands_run_without(
    offline: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else every command would fail, and the agent would seem to remember nothing."""
    real = next(one for one in bubblewraps() if not bubblewrap_problem(one))
    wrapper = tmp_path / "bin" / "bwrap"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\nexec {real} --disable-userns "$@"\n', encoding="utf-8")
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}:{os.environ['PATH']}")
    adapter = codex()
    versions = adapter.get_capabilities().versions
    assert (versions["held_by"], versions["commands_held_by"]) == ("bubblewrap", "nothing more")
    adapter.reset(context(tmp_path / "run", offline))
    hear(adapter, "S01", FACT, "Yes.")
    assert "4711" in ask(adapter, "What is the locker code of Zanetti?")[0]
