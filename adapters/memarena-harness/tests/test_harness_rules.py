"""How the model `offline` plays an agent with a shell, and one that keeps notes itself."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from test_harness_dialogue import turn

from memarena.records import AskedQuestion
from memarena_harness.dialogue import session_messages
from memarena_harness.questions import questions_message

pytest.importorskip("memarena_models", reason="memarena-models is not installed")

from memarena_harness.offline_rules import KeepNotes
from memarena_models import offline

SHELL = {"type": "function", "name": "exec_command", "parameters": {"type": "object", "properties": {"cmd": {}}}}
OTHER = {**SHELL, "name": "exec"}
NOWHERE = Path("/nowhere")


def session(*texts: str, forgets: bool = True) -> str:
    turns = [turn(text, place) for place, text in enumerate(texts)]
    (message,) = session_messages(1, "S01", turns, NOWHERE, forgets=forgets, longest=100_000)
    return message.text


def asking(*texts: str, forgets: bool = True) -> str:
    batch = {f"Q{place}": AskedQuestion(question_id=f"C:{place}", text=text) for place, text in enumerate(texts, 1)}
    return questions_message(batch, NOWHERE, forgets=forgets, schema=False).text


def responses(*said: Any, tools: tuple[Any, ...] = (SHELL,)) -> list[dict[str, Any]]:
    items = [{"role": "user", "content": one} if isinstance(one, str) else one for one in said]
    found: list[dict[str, Any]] = offline.responses({"model": "offline", "input": items, "tools": list(tools)})[
        "output"
    ]
    return found


def commands(output: list[dict[str, Any]]) -> list[str]:
    return [json.loads(item["arguments"])["cmd"] for item in output if item["type"] == "function_call"]


def text(output: list[dict[str, Any]]) -> str:
    (item,) = output
    return str(item["content"][0]["text"])


def run(folder: Path, command: str) -> str:
    return subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, capture_output=True, encoding="utf-8", check=True
    ).stdout


def test_what_a_session_says_is_written_and_found_again_by_real_commands(tmp_path: Path) -> None:
    for fact in ("The locker code of Zanetti is 4711.", "My boat's name is 'Marlow' & $HOME.", "Ana has a grey cat."):
        (command,) = commands(responses(session(fact)))
        run(tmp_path, command)
    asked = asking("What is the locker code of Zanetti?", "Which cat does Ana have?")
    look_ups = commands(responses(asked))
    found = [run(tmp_path, command) for command in look_ups]
    assert "4711" in found[0]
    assert "grey cat" in found[1]
    assert "'Marlow' & $HOME" in (tmp_path / "notes.md").read_text(encoding="utf-8")
    results = [{"type": "function_call_output", "call_id": "x", "output": f"Output:\n{each}"} for each in found]
    reply = json.loads(text(responses(asked, *results)))
    assert [answer["id"] for answer in reply["answers"]] == ["Q1", "Q2"]
    assert "4711" in reply["answers"][0]["answer"]
    assert "grey" in reply["answers"][1]["answer"]


def test_with_no_notes_every_answer_abstains(tmp_path: Path) -> None:
    (command,) = commands(responses(asking("What is the locker code?")))
    assert run(tmp_path, command) == ""
    nothing = {"type": "function_call_output", "call_id": "x", "output": "Output:\n"}
    reply = json.loads(text(responses(asking("What is the locker code?"), nothing)))
    assert reply["answers"] == [{"id": "Q1", "answer": "Not mentioned in memory."}]


def test_a_question_cannot_become_a_command(tmp_path: Path) -> None:
    (command,) = commands(responses(asking("What is '; touch planted; echo $(touch planted2) `touch planted3`?")))
    assert shlex.split(command)
    run(tmp_path, command)
    assert list(tmp_path.iterdir()) == []


def test_a_rumour_is_not_written_down() -> None:
    assert commands(responses(session("There is a rumour that the code is 9999."))) == []


def test_where_the_context_is_kept_it_answers_from_what_was_said() -> None:
    heard = session("The locker code of Zanetti is 4711.", forgets=False)
    assert text(responses(heard)) == "Noted."
    reply = text(responses(heard, asking("What is the locker code of Zanetti?", forgets=False)))
    assert "4711" in json.loads(reply)["answers"][0]["answer"]


def test_an_agent_that_keeps_notes_itself_gets_notes_and_answers_from_those_that_it_shows() -> None:
    notes = text(responses(session("The locker code of Zanetti is 4711."), tools=()))
    assert "4711" in notes
    reply = text(responses(f"{notes}\n\n{asking('What is the locker code of Zanetti?')}", tools=()))
    assert "4711" in json.loads(reply)["answers"][0]["answer"]


def test_other_tools_and_other_prompts_are_left_to_other_rules() -> None:
    from memarena_models.offline_requests import responses_request

    def matches(said: str, *tools: Any) -> bool:
        return KeepNotes().matches(responses_request({"input": said, "tools": list(tools)}))

    assert matches(session("Hello there, Ana."), SHELL)
    assert not matches(session("Hello there, Ana."), OTHER)
    assert not matches("Please remember that my boat is teal.", SHELL)
    assert not matches("What is the locker code?", SHELL)
