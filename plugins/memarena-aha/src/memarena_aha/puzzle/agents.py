"""Scripted agents, by which puzzles, hosts and scores are measured; they act by what they see and by nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from memarena_aha.agents.context import PlayContext
from memarena_aha.keyed import Streams
from memarena_aha.puzzle.classes import CHECK, CHECK_QUESTIONS, STORY, TEMPLATES, WORDS, Form, values_of
from memarena_aha.puzzle.schema import CHECKS, Check, Puzzle

__all__ = [
    "CopyLast",
    "OracleExpert",
    "RandomStructured",
    "Scripted",
    "SurfaceGuess",
    "Sweep8",
    "TraceParrot",
    "checks_confirmed",
    "facts_confirmed",
    "random_question",
    "solve",
]

Data = Mapping[str, Any]
Tools = Sequence[Mapping[str, Any]]
Action = Mapping[str, Any]
_CHECK_OF = {question: check for check, question in CHECK_QUESTIONS.items()}
_TRACED = re.compile(r"\[(\w+) (\w+)(?: (\w+))?\]")
_TRUTH = re.compile(r"The truth: (.*)")


class Scripted:
    """Base of the agents: one instance plays one episode."""

    name = ""
    revision = 1
    in_process: ClassVar[bool] = True
    seed = 0

    def begin(self, context: PlayContext) -> None:
        """Take the seed for the agent's own choices."""
        self.seed = context.seed

    def act(self, observation: Mapping[str, Any], tools: Tools) -> Action:
        """The next action."""
        raise NotImplementedError

    def general(self, check: Check, tools: Tools) -> Action:
        """The general question for a mechanism."""
        if _has(tools, "ask"):
            return {"tool": "ask", "args": {"template": check, "subject": STORY, "value": CHECK}}
        return {"tool": "ask_text", "args": {"text": CHECK_QUESTIONS[check]}}


class OracleExpert(Scripted):
    """Asks what the expert asked, then states all key facts."""

    name = "oracle_expert"
    privileged: ClassVar[bool] = True
    _puzzle: Puzzle

    def begin(self, context: PlayContext) -> None:
        super().begin(context)
        self._puzzle = context.episode.puzzle

    def act(self, observation: Mapping[str, Any], tools: Tools) -> Action:
        data = observation["data"]
        left = self._puzzle.trace[len(data["asked"]) :]
        if left and _has(tools, "ask"):
            return {"tool": "ask", "args": _args(Form(*left[0].ask.split()))}
        if left and _has(tools, "ask_text"):
            return {"tool": "ask_text", "args": {"text": left[0].text}}
        if "slots" in data:
            values = {fact.id: fact.yes[0].rsplit(maxsplit=1)[-1] for fact in self._puzzle.key}
            return {"tool": "solve", "args": {"slots": values}}
        return {"tool": "solve", "args": {"text": self._puzzle.solution}}


class Sweep8(Scripted):
    """Asks the eight general questions, then states what was confirmed."""

    name = "sweep_8"

    def act(self, observation: Mapping[str, Any], tools: Tools) -> Action:
        data = observation["data"]
        tried = checks_confirmed(data, asked=True)
        for check in CHECKS:
            if check not in tried and data["questions_left"]:
                return self.general(check, tools)
        return solve(facts_confirmed(data), checks_confirmed(data))


class RandomStructured(Scripted):
    """Asks at random until no question is left, then states what was confirmed."""

    name = "random_structured"

    def act(self, observation: Mapping[str, Any], tools: Tools) -> Action:
        data = observation["data"]
        if data["questions_left"]:
            return random_question(Streams(f"{self.name}|{self.seed}"), data, tools)
        return solve(facts_confirmed(data), checks_confirmed(data))


class SurfaceGuess(Scripted):
    """Asks nothing and tells the story again."""

    name = "surface_guess"

    def act(self, observation: Mapping[str, Any], tools: Tools) -> Action:
        return {"tool": "solve", "args": {"text": observation["data"]["story"]}}


class CopyLast(Scripted):
    """Tells the last truth that it finds in its memory."""

    name = "copy_last"

    def act(self, observation: Mapping[str, Any], tools: Tools) -> Action:
        truths = _TRUTH.findall(str(observation.get("memory") or ""))
        return {"tool": "solve", "args": {"text": truths[-1] if truths else "I do not know."}}


class TraceParrot(Scripted):
    """Asks again what was asked in the traces of its memory, the latest last; then states what was confirmed."""

    name = "trace_parrot"

    def act(self, observation: Mapping[str, Any], tools: Tools) -> Action:
        data = observation["data"]
        traced = [Form(*row) for row in _TRACED.findall(str(observation.get("memory") or ""))]
        place = len(data["asked"])
        if place < len(traced) and data["questions_left"] and _has(tools, "ask"):
            return {"tool": "ask", "args": _args(_fitted(traced[place], data["entities"]))}
        return solve(facts_confirmed(data), checks_confirmed(data))


def solve(facts: Mapping[str, str], checks: Sequence[Check]) -> Action:
    """The action that states these values of slots and these mechanisms."""
    return {"tool": "solve", "args": {"slots": facts, "checks": [*checks]} if facts or checks else {"text": "-"}}


def facts_confirmed(data: Data) -> Mapping[str, str]:
    """The slots that answers with yes fill, in what was asked and in what was shown."""
    slots = {(row["template"], row["subject"]): name for name, row in data.get("slots", {}).items()}
    yes = [row["ask"].split() for row in (*data["shown"], *data["asked"]) if row["answer"] == "yes" and row["ask"]]
    return {slots[ask[0], ask[1]]: ask[2] for ask in yes if len(ask) == 3 and (ask[0], ask[1]) in slots}


def checks_confirmed(data: Data, asked: bool = False) -> tuple[Check, ...]:
    """The mechanisms that answers with yes confirm; with `asked`, all of which was asked."""
    rows = data["asked"]
    found = [
        check
        for row in rows
        if asked or row["answer"] == "yes"
        for check in CHECKS
        if row["ask"] == f"{check} {STORY} {CHECK}" or _CHECK_OF.get(row["question"]) == check
    ]
    return tuple(dict.fromkeys(found))


def random_question(streams: Streams, data: Data, tools: Tools) -> Action:
    """A question drawn from templates, subjects and values alike; each number of question has one of its own."""
    number = len(data["asked"])
    if not _has(tools, "ask"):
        terms = sorted(WORDS)
        term = terms[streams.between(0, len(terms) - 1, "term", number)]
        return {"tool": "ask_text", "args": {"text": f"Is it about {WORDS[term].split('|')[0].strip()}?"}}
    template = _drawn(streams, sorted(TEMPLATES), "template", number)
    named = [name for name in data["entities"] if name != STORY]
    untold = template in ("rule", "extra")
    subject = STORY if untold else _drawn(streams, named + [STORY] * (template in CHECKS), "subject", number)
    values = named if template == "order" else list(values_of(template))
    if subject == STORY:
        values = [*values, CHECK] if untold else [CHECK]
    value = _drawn(streams, values, "value", number) if values else ""
    return {"tool": "ask", "args": _args(Form(template, subject, value))}


def _drawn(streams: Streams, items: Sequence[str], name: str, number: int) -> str:
    return items[streams.between(0, len(items) - 1, name, number)]


def _args(form: Form) -> Mapping[str, str]:
    args = {"template": form.template, "subject": form.subject}
    return args | {"value": form.value} if form.value else args


def _fitted(form: Form, entities: Sequence[str]) -> Form:
    """A form with the first entities of this story in the place of those of another."""
    subject = form.subject if form.subject in entities else entities[0]
    value = entities[-2] if form.template == "order" and form.value not in entities else form.value
    return Form(form.template, subject, value)


def _has(tools: Tools, name: str) -> bool:
    return any(tool["name"] == name for tool in tools)
