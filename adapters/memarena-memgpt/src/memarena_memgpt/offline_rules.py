"""How the model `offline` plays MemGPT: it stores each fact, replaces what a fact supersedes, and looks up questions.

A fact of the user that tells what something is, has or measures goes into the block `human` while there is
room, other facts go into archival memory; what the assistant said stays in recall memory alone, as does what is called
a rumour or a joke. A fact supersedes the line of the block that begins alike up to a form of `to be` (`Mug_1 is dirty`,
`Mug_1 is clean`), or that it supersedes by the rules of `memarena_models.offline_changes`.
"""

from __future__ import annotations

import json
import re
from calendar import month_name
from collections.abc import Iterator
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
_FORM = re.compile(r"\b(?:is|are|was|were)\b( (?:in|on|at|under|by|beside|near|inside|behind)\b)?", re.IGNORECASE)
_HAVING = re.compile(r"\b(?:has|have|had)\b", re.IGNORECASE)
_OWN = re.compile(r"assistant\b", re.IGNORECASE)
_MONTH = "|".join(month_name[1:])
_VALUES = tuple(
    map(
        re.compile,
        (
            rf"\b(?:{_MONTH})(?P<kind> )\d{{1,2}}(?: to \d{{1,2}})?\b",
            r"\b\d{1,2}(?P<kind>:)\d\d\b",
            r"(?<![\w.,])\d[\d.,]* (?P<kind>[^\W\d_]+)",
        ),
    )
)
"""One value of a kind: a day of a month, a time, a number of something."""
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


class _Human:
    """The block `human`, as far as calls that are not yet executed will have changed it."""

    def __init__(self, system: str) -> None:
        block = _BLOCK.search(system)
        self.lines = block[3].splitlines() if block else []
        self.left = int(block[2]) - int(block[1]) if block else 0

    def replace(self, old: str, new: str) -> ToolCall:
        """The call that puts `new` in the place of a line; "" removes it."""
        from memarena_models.rules import ToolCall

        place = self.lines.index(old)
        self.lines[place : place + 1] = [new] if new else []
        self.left += len(old) - len(new)
        return ToolCall(name="core_memory_replace", arguments={"name": "human", "old_content": old, "new_content": new})

    def append(self, fact: str) -> ToolCall:
        """The call that adds a line."""
        from memarena_models.rules import ToolCall

        self.lines.append(fact)
        self.left -= len(fact) + 1
        return ToolCall(name="core_memory_append", arguments={"name": "human", "content": fact})


def _store(text: str, system: str) -> Iterator[ToolCall]:
    from memarena_models.offline_text import facts

    human, spoken = _Human(system), bool(SPOKEN.match(text))
    for fact in facts(text)[:MOST]:
        if DOUBTED.search(fact) or _OWN.match(fact):
            continue
        old = superseded(fact, human.lines) if spoken else None
        telling = spoken and "\n" not in fact and (old is not None or _telling(_bare(fact)))
        if old is not None:
            new = rewritten(fact, old)
            fits = telling and len(new) <= len(old) + human.left
            yield human.replace(old, new if fits else "")
            if not fits:
                yield _archive(new)
        elif telling and len(fact) < human.left:
            yield human.append(fact)
        else:
            yield _archive(fact)


def _archive(fact: str) -> ToolCall:
    from memarena_models.rules import ToolCall

    return ToolCall(name="archival_memory_insert", arguments={"content": fact})


def superseded(fact: str, lines: list[str]) -> str | None:
    """That of `lines` which `fact` takes the place of, the one with most words in common; None where there is none."""
    if _SUPPOSED.search(fact):
        return None
    near = [(common, place) for place, line in enumerate(lines) if (common := _bearing(_bare(fact), _bare(line)))]
    return lines[max(near)[1]] if near else None


def rewritten(fact: str, old: str) -> str:
    """`old` with the one value of `fact` in the place of its own one of the same kind; else `fact` itself."""
    from memarena_arena.language.lexicon import STOP

    said, held = _bare(fact), _bare(old)
    for value in _VALUES:
        mine, theirs = list(value.finditer(said)), list(value.finditer(held))
        kinds = {each["kind"].casefold() for each in (*mine, *theirs)}
        if len(mine) == len(theirs) == len(kinds) == 1 and kinds.isdisjoint(STOP):
            (new,), (place,) = mine, theirs
            told = held[: place.start()] + new[0] + held[place.end() :]
            return fact.removesuffix(said) + told
    return fact


def _bearing(new: str, old: str) -> int:
    """How many words of `old`, whose place `new` takes, stand in it; 0 where it does not take it."""
    from memarena_models.offline_changes import common, supersedes

    if new.casefold() == old.casefold():
        return 0
    if _frame(new) and _frame(new) == _frame(old):
        return len(_content(new) | _content(old))
    return 1 + len(common(new, old)) if supersedes(new, old) else 0


def _bare(text: str) -> str:
    return _HEAD.sub("", text)


def _frame(text: str) -> str:
    """What stands before the first form of `to be`, where it names anything, and whether a place follows."""
    found = _FORM.search(text)
    before = text[: found.start()].strip().casefold() if found else ""
    return f"{before} is{' at' if found and found[1] else ''}" if _content(before) else ""


def _telling(text: str) -> bool:
    """It says what something is, has or measures, or that it changed."""
    from memarena_models.offline_changes import tells_change

    return bool(_frame(text) or _HAVING.search(text)) or tells_change(text) or _valued(text)


def _valued(text: str) -> bool:
    from memarena_arena.language.statements import statement

    said = statement(_bare(text))
    return bool(said.values or said.periods)


def _content(text: str) -> frozenset[str]:
    from memarena_arena.language.statements import statement

    return statement(text).keys
