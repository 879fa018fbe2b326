"""How the model `offline` plays an agent with a shell: it writes down what a session says, and looks up what is asked.

It knows the tasks of this package and a tool that takes a shell command; `told` and `asked` are for rules that know
other tools.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memarena_harness import dialogue, questions

if TYPE_CHECKING:
    from memarena_models.offline_requests import Request, Tool
    from memarena_models.rules import Output

NOTES = "notes.md"
LONGEST = 60_000
"""Characters of notes that one command writes: a shell takes no longer arguments."""
FOUND = 40
"""Lines that are looked up for one question; the newest count."""
SHELL = "exec_command"

_SESSION = re.compile(r"^=== Session (\S+?)(?:,.*)? ===\n(.*?)^=== End of session", re.MULTILINE | re.DOTALL)
_QUESTION = re.compile(r"^(Q\d+)(?: \(asked at [^)]*\))?: (.+)$", re.MULTILINE)
_OUTPUT = re.compile(r"^(?:Final )?Output:\n", re.MULTILINE)
_DOUBTED = re.compile(r"\b(?:rumou?rs?|jok(?:e|es|ing)|kidding|do not (?:keep|store|remember))\b", re.IGNORECASE)
_KEEP = dialogue.KEEP.partition("{")[0]
_HEAR = dialogue.HEAR.partition("{")[0]
_RECALL = questions.RECALL.partition("\n")[0]
_ANSWER = questions.ANSWER.partition("\n")[0]


class KeepNotes:
    """Plays an agent: tools are called at most once a message, then it says that it is done, or what it found.

    Where it has no tools, it is part of an agent that keeps notes itself: it replies with notes, and answers from those
    that it is shown.
    """

    def matches(self, request: Request) -> bool:
        return bool(told(request) or asked(request)) and (not request.tools or shell_of(request) is not None)

    def reply(self, request: Request) -> Output:
        from memarena_models.rules import ToolCall

        shell = shell_of(request)
        wanted = asked(request)
        if not forgets(request):
            return answers(wanted, heard(request)) if wanted else "Noted."
        if shell is None:
            return answers(wanted, _shown(request)) if wanted else "\n".join(notes_of(request))
        if request.results:
            found = [(_OUTPUT.split(result, 1)[-1],) for result in request.results]
            return answers(wanted, found) if wanted else "Noted."
        commands = [look_up(question) for question in wanted.values()] if wanted else _writing(request)
        calls = [ToolCall(name=shell.name, arguments={"cmd": command}) for command in commands]
        return calls or "There is nothing to note."


def shell_of(request: Request) -> Tool | None:
    """The tool that takes a shell command."""
    return next((tool for tool in request.tools if tool.name == SHELL), None)


def forgets(request: Request) -> bool:
    """Whether the agent is told to live on its notes; else its context is kept."""
    return _RECALL in request.asked or "forget it" in request.asked[:1000]


def told(request: Request) -> bool:
    """Whether the last message of the user tells a session."""
    return (_KEEP in request.asked or _HEAR in request.asked) and _SESSION.search(request.asked) is not None


def asked(request: Request) -> Mapping[str, str]:
    """The questions of the last message of the user, by id; empty where it asks none."""
    if _RECALL not in request.asked and _ANSWER not in request.asked:
        return {}
    return dict(_QUESTION.findall(request.asked.partition(questions.FORM)[2]))


def notes_of(request: Request) -> list[str]:
    """What is worth a note in the session that is told, one line each."""
    from memarena_models.offline_text import facts

    found: dict[str, None] = {}
    for session_id, text in _SESSION.findall(request.asked):
        for block in _blocks(text):
            lines = [" ".join(fact.split()) for fact in facts(block) if not _DOUBTED.search(fact)]
            found.update(dict.fromkeys(f"- ({session_id}) {line}" for line in lines))
    return list(found)


def look_up(question: str, file: str = NOTES) -> str:
    """The command that finds the lines of the notes that share words with a question."""
    from memarena.floors import words
    from memarena_arena.language.lexicon import STOP

    known = sorted({word for word in words(question) if word not in STOP and len(word) > 1})
    pattern = "|".join(re.escape(word) for word in known) or "."
    return f"grep -i -h -E -e {shlex.quote(pattern)} {file} 2>/dev/null | tail -n {FOUND}"


def answers(wanted: Mapping[str, str], found: Sequence[Sequence[str]]) -> str:
    """The reply to questions: an answer to each from the texts found for it, or from all where they are not apart."""
    from memarena_models.offline_text import answer

    apart = len(found) == len(wanted)
    everything = [text for texts in found for text in texts]
    given = [
        {"id": name, "answer": answer(question, _lines(found[place] if apart else everything))}
        for place, (name, question) in enumerate(wanted.items())
    ]
    return json.dumps({"answers": given}, ensure_ascii=False)


def write_down(lines: Sequence[str], file: str = NOTES) -> str:
    """The command that adds lines to the notes."""
    return f"printf '%s\\n' {shlex.quote(chr(10).join(lines)[:LONGEST])} >> {file}"


def _writing(request: Request) -> list[str]:
    lines = notes_of(request)
    return [write_down(lines)] if lines else []


def _shown(request: Request) -> list[tuple[str, ...]]:
    """What stands before the questions."""
    return [(request.system, request.asked.partition(_RECALL)[0])]


def heard(request: Request) -> list[tuple[str, ...]]:
    """The sessions that were told before, where the context is kept."""
    return [tuple(_blocks(text)) for said in request.messages for _, text in _SESSION.findall(said.text)]


def _blocks(text: str) -> list[str]:
    """The turns of a session, a few at a time: the offline model takes only so many facts from one text."""
    lines = text.strip().splitlines()
    return ["\n".join(lines[start : start + 10]) for start in range(0, len(lines), 10)]


def _lines(texts: Sequence[str]) -> list[str]:
    return [line.removeprefix("- ") for text in texts for line in text.splitlines() if line.strip()]
