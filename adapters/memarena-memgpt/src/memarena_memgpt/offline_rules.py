"""How the model `offline` plays MemGPT: it stores each fact, replaces what a fact supersedes, and looks up questions.

A fact of the user goes into the block `human` while there is room, any other into archival memory. A fact of the user
supersedes one of the block that begins alike up to a form of `to be` (`Mug_1 is dirty`, `Mug_1 is clean`), or that
shares at least two words and half of them, where it tells a change (`now`, `moved`) or both have numbers and not the
same. What is called a rumour or a joke is not stored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from memarena_memgpt import prompts
from memarena_memgpt.functions import SILENT
from memarena_memgpt.json_calls import RESULT

if TYPE_CHECKING:
    from memarena_models.offline_requests import Request
    from memarena_models.rules import Output, ToolCall

MOST = 10
"""Facts of one message that are stored."""

_HEADS = re.compile(
    "|".join(f"^{re.escape(head)}$" for head in (prompts.NEW_MESSAGE, prompts.QUESTION, prompts.PRESSURE, RESULT)),
    re.MULTILINE,
)
_BLOCK = re.compile(r'<human characters="(\d+)/(\d+)">\n(.*?)\n?</human>', re.DOTALL)
SPOKEN = re.compile(r"^\s*(?:\[[^\]\n]*\]\s*)?user\b", re.IGNORECASE)
_HEAD = re.compile(r"^[\w' ]{1,40}(?: \([^()]*\))?: ")
_BEING = re.compile(r"\b(?:is|are|was|were|has|have)\b", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:now|no longer|instead|anymore|chang\w+|mov(?:e[ds]?|ing)|switch\w+|updat\w+|replac\w+|correct\w+)\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(r"\bif\b", re.IGNORECASE)
DOUBTED = re.compile(r"\b(?:rumou?rs?|jok(?:e|es|ing)|kidding|do not (?:keep|store|remember))\b", re.IGNORECASE)


class MemGptRule:
    """Plays the agent, in either form of calls."""

    def matches(self, request: Request) -> bool:
        return request.system.startswith(prompts.TITLE) and bool(request.tools or request.schema)

    def reply(self, request: Request) -> Output:
        calls = self._calls(request)
        if request.tools:
            return calls
        written = [{"name": call.name, "arguments": call.arguments} for call in calls]
        return json.dumps({"calls": written}, ensure_ascii=False)

    def _calls(self, request: Request) -> list[ToolCall]:
        from memarena_models.rules import ToolCall

        asked = request.asked if request.tools else _newest(request.asked)
        head, _, text = asked.partition("\n")
        if head == prompts.QUESTION and not request.results and text.strip():
            return [
                ToolCall(name="archival_memory_search", arguments={"query": text}),
                ToolCall(name="conversation_search", arguments={"query": text}),
            ]
        if head == prompts.NEW_MESSAGE and not request.results:
            calls = list(_store(text, request.system))
            if calls:
                return calls
        return [ToolCall(name=SILENT, arguments={"message": "Done."})]


def _newest(asked: str) -> str:
    """The newest event of a text in which it stands below the results of the calls before it."""
    heads = list(_HEADS.finditer(asked))
    return asked[heads[-1].start() :] if heads else asked


def _store(text: str, system: str) -> Iterator[ToolCall]:
    from memarena_models.offline_text import facts
    from memarena_models.rules import ToolCall

    block = _BLOCK.search(system)
    used, limit, lines = (int(block[1]), int(block[2]), block[3].splitlines()) if block else (0, 0, [])
    spoken = bool(SPOKEN.match(text))
    for fact in facts(text)[:MOST]:
        if DOUBTED.search(fact):
            continue
        old = superseded(fact, lines) if spoken else None
        growth = len(fact) - len(old) if old is not None else len(fact) + 1
        fits = used + growth <= limit and "\n" not in fact
        if old is not None and fits:
            lines[lines.index(old)] = fact
            used += growth
            arguments: Mapping[str, str] = {"name": "human", "old_content": old, "new_content": fact}
            yield ToolCall(name="core_memory_replace", arguments=arguments)
        elif spoken and fits:
            lines.append(fact)
            used += growth
            yield ToolCall(name="core_memory_append", arguments={"name": "human", "content": fact})
        else:
            yield ToolCall(name="archival_memory_insert", arguments={"content": fact})


def superseded(fact: str, lines: list[str]) -> str | None:
    """The newest of `lines` that `fact` takes the place of; None where there is none."""
    new = _bare(fact)
    frame = _frame(new)
    if _SUPPOSED.search(new):
        return None
    changes, numbers = _CHANGE.search(new) is not None, _numbers(new)
    for line in reversed(lines):
        old = _bare(line)
        if old.casefold() == new.casefold():
            continue
        if frame and frame == _frame(old):
            return line
        before = _numbers(old)
        if (changes or (numbers and before and numbers != before)) and _alike(new, old):
            return line
    return None


def _bare(text: str) -> str:
    return _HEAD.sub("", text)


def _frame(text: str) -> str:
    """What stands before the first form of `to be` or `to have`, in lower case, where it names anything."""
    found = _BEING.search(text)
    before = text[: found.start()].strip().casefold() if found else ""
    return f"{before} {found[0].casefold()}" if found and _content(before) else ""


def _alike(one: str, other: str) -> bool:
    mine, theirs = _content(one) - _numbers(one), _content(other) - _numbers(other)
    shared = len(mine & theirs)
    return shared >= 2 and 2 * shared >= min(len(mine), len(theirs))


def _numbers(text: str) -> frozenset[str]:
    from memarena.floors import words

    return frozenset(word for word in words(text) if word[0].isdigit())


def _content(text: str) -> frozenset[str]:
    from memarena.floors import words
    from memarena_arena.language.lexicon import STOP

    return frozenset(word for word in words(_CHANGE.sub("", text)) if word not in STOP)
