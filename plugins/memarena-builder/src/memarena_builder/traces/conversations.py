"""Conversations of an agent with an environment, as runs of VisualAgentBench and Agent-Arena keep them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from memarena_builder.traces.log import Logged, moment
from memarena_builder.traces.parts import Call, Said, located
from memarena_builder.traces.rows import Notes, Row
from memarena_builder.traces.thread import Message, Thread

KINDS = frozenset({"user_prompt", "agent_predict", "agent_step", "interactive", "handoff"})
"""Kinds of the items of a conversation of Agent-Arena."""


def items_of(row: Mapping[str, Any]) -> list[Any] | None:
    """The items of a conversation that an object is or has; None where it is none."""
    output = row.get("output")
    history: Any = output.get("history") if isinstance(output, Mapping) else None
    if isinstance(history, list) and all(isinstance(each, Mapping) and "role" in each for each in history):
        return list(history)
    held: Any = next((row[key] for key in ("conversation", "items", "history") if isinstance(row.get(key), list)), None)
    if held and all(isinstance(each, Mapping) and _kind(each) in KINDS for each in held):
        return list(held)
    return [row] if _kind(row) in KINDS else None


def _kind(row: Mapping[str, Any]) -> str:
    """The kind of an item; "" where it has none."""
    kind = row.get("type")
    return kind if isinstance(kind, str) else ""


def read_items(found: Iterable[Row], notes: Notes) -> Iterator[Logged]:
    """A session for each conversation; items that stand alone are one together, until somebody asks anew."""
    alone = Thread(notes)
    number = 0
    for row in found:
        items = items_of(row.value) or []
        if items == [row.value]:
            if row.value["type"] == "user_prompt" and alone.turns:
                yield Logged(name=str(number), turns=tuple(alone.turns))
                alone, number = Thread(notes), number + 1
            thread = alone
        else:
            thread = Thread(notes)
        time = row.value.get("time")
        begun = moment(time.get("timestamp")) if isinstance(time, Mapping) else None
        for place, item in enumerate(items):
            for message in _messages(item, row.where, begun if place == 0 else None):
                thread.add(message)
        if thread is not alone:
            yield Logged(name=str(row.value.get("index", number)), turns=tuple(thread.turns))
            number += 1
    if alone.turns:
        yield Logged(name=str(number), turns=tuple(alone.turns))


def _messages(item: Mapping[str, Any], where: str, time: Any) -> Iterator[Message]:
    kind = _kind(item)
    if kind == "agent_predict":
        seen = item.get("observation")
        yield Message("user", _seen(seen if isinstance(seen, Mapping) else {}), time, where)
        said = Said(item.get("model_response"))
        actions = item.get("actions")
        said.calls = [Call("", str(each)) for each in (actions if isinstance(actions, Sequence) else ())
                      if not isinstance(actions, str)]  # fmt: skip
        yield Message("assistant", said, None, where)
    elif kind == "agent_step":
        back = item.get("step_result")
        if isinstance(back, str) and back:
            yield Message("user", Said(f"Feedback: {back}"), None, where)
    else:
        yield Message(item.get("role", "user"), Said(item.get("content")), time, where)


def _seen(observation: Mapping[str, Any]) -> Said:
    text = next((observation[key] for key in ("a11y_tree", "accessibility_tree", "text", "som") if
                 isinstance(observation.get(key), str)), "")  # fmt: skip
    said = Said(f"Observation: {text}".strip())
    shown = located(observation.get("screenshot"))
    said.shown = [shown] if shown else []
    return said
