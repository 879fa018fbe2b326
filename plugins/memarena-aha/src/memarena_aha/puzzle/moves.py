"""What can be done in a puzzle: the tools as an agent is told of them, and its actions read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

from memarena_aha.puzzle.classes import CHECK, GROUPS, STORY, TEMPLATES, Form, values_of
from memarena_aha.puzzle.explanation import WORDS_READ
from memarena_aha.puzzle.freehost import LONGEST
from memarena_aha.puzzle.judge import LIMIT
from memarena_aha.puzzle.schema import CHECKS

__all__ = ["MEANINGS", "SHORT_WORDS", "BadMove", "Mode", "Move", "read_move", "tools_of"]

Mode: TypeAlias = Literal["structured", "free"]
SHORT_WORDS = ("who", "what", "where", "how_many")
MEANINGS: Mapping[str, str] = {
    "is_a": "what a thing is",
    "has": "a property",
    "role": "an occupation or a relation to somebody",
    "nature": "human, animal, alive, machine, artificial or dead",
    "place": "where somebody is or something happens",
    "order": "whether the subject comes before another subject",
    "time": "a time of the day or year",
    "purpose": "what something is for",
    "cause": "why something happens",
    "intends": "what somebody wants",
    "knows": "what somebody knows or perceives",
    "rule": "whether a kind of rule matters (subject: story)",
    "extra": "whether somebody or something untold is there (subject: story)",
    "literal": "whether a word of the story is meant as it is said (no value)",
    "count": "how many there are: a value like > 10, < 3 or = 2",
}
"""Template -> what it asks."""
_LONGEST_TEXT = 4_000
_SHOWN = 40


class BadMove(ValueError):
    """An action that cannot be read; the message says what is wrong and how to do it."""


class Move(NamedTuple):
    """An action that can be done."""

    tool: str
    said: str
    """As a memory hears it."""
    form: tuple[str, ...] = ()
    text: str = ""
    slots: Mapping[str, str] = {}
    checks: tuple[str, ...] = ()


def tools_of(mode: Mode, entities: Sequence[str] | Mapping[str, str], asking: bool) -> Sequence[Mapping[str, Any]]:
    """The tools as name, description and JSON schema of the arguments; none that asks where no question is left."""
    asks = (_ask_tools(tuple(entities)) if mode == "structured" else [_ASK_TEXT]) if asking else []
    return [*asks, _NOTE, _SOLVE_SLOTS if mode == "structured" else _SOLVE_TEXT, _GIVE_UP]


def read_move(action: object, mode: Mode, entities: Mapping[str, str], asking: bool) -> Move:
    """`action` as a move. Raises BadMove."""
    if isinstance(action, Mapping) and set(action) == {"text"} and mode == "free" and asking:
        action = {"tool": "ask_text", "args": action}
    if not isinstance(action, Mapping) or not isinstance(action.get("tool"), str):
        raise BadMove("an action is {'tool': name, 'args': {...}}")
    args = action.get("args", {})
    if not isinstance(args, Mapping):
        raise BadMove("args must be an object")
    tool = action["tool"]
    names = [known["name"] for known in tools_of(mode, entities, asking)]
    if tool not in names:
        raise BadMove(f"there is no tool {_short(tool)} now; there are {', '.join(names)}")
    return _READERS[tool](args, entities)


def _ask(args: Mapping[str, Any], entities: Mapping[str, str]) -> Move:
    template = _one_of(args, "template", (*TEMPLATES, "count"))
    subject = _one_of(args, "subject", (*entities, STORY))
    value = args.get("value", "")
    if not isinstance(value, str) or len(value) > _SHOWN:
        raise BadMove(f"value must be a text of at most {_SHOWN} characters")
    if template == "literal" and value != CHECK:
        value = ""
    elif template != "count":
        value = _one_of(args, "value", _values(template, subject, entities))
    form = Form(template, subject, value)
    return Move("ask", f"Is it so: {' '.join(form).strip()}?", form)


def _values(template: str, subject: str, entities: Mapping[str, str]) -> tuple[str, ...]:
    general = (CHECK,) if template in CHECKS and subject == STORY else ()
    return (*(tuple(entities) if template == "order" else values_of(template)), *general)


def _ask_short(args: Mapping[str, Any], entities: Mapping[str, str]) -> Move:
    form = (_one_of(args, "word", SHORT_WORDS), _one_of(args, "subject", tuple(entities)))
    return Move("ask_short", f"{form[0].replace('_', ' ').capitalize()}: {form[1]}?", form)


def _ask_text(args: Mapping[str, Any], entities: Mapping[str, str]) -> Move:
    text = " ".join(_text(args).split())
    if not text or len(text) > LONGEST:
        raise BadMove(f"text must be one question of 1 to {LONGEST} characters")
    return Move("ask_text", text, text=text)


def _note(args: Mapping[str, Any], entities: Mapping[str, str]) -> Move:
    return Move("note", f"Note: {_text(args)}", text=_text(args))


def _solve(args: Mapping[str, Any], entities: Mapping[str, str]) -> Move:
    text = " ".join(_text(args).split()[:WORDS_READ]) if "text" in args else ""
    slots, checks = args.get("slots", {}), args.get("checks", ())
    if not isinstance(slots, Mapping) or not all(isinstance(item, str) for pair in slots.items() for item in pair):
        raise BadMove("slots must be an object of texts, e.g. {'K1': 'deaf'}")
    if not isinstance(checks, Sequence) or not all(isinstance(check, str) for check in checks):
        raise BadMove(f"checks must be a list of {', '.join(CHECKS)}")
    kept = {name: value for name, value in slots.items() if len(name) <= _SHOWN and len(value) <= _SHOWN}
    named = [check for check in checks if check in CHECKS]
    parts = [text, *(f"{name} {value}" for name, value in kept.items()), *named]
    told = ", ".join(part for part in parts if part)
    return Move("solve", f"My explanation: {told}"[:_LONGEST_TEXT], text=text, slots=kept, checks=tuple(named))


def _give_up(args: Mapping[str, Any], entities: Mapping[str, str]) -> Move:
    return Move("give_up", "I give up.")


_READERS = {
    "ask": _ask,
    "ask_short": _ask_short,
    "ask_text": _ask_text,
    "note": _note,
    "solve": _solve,
    "give_up": _give_up,
}


def _text(args: Mapping[str, Any]) -> str:
    text = args.get("text")
    if not isinstance(text, str):
        raise BadMove("text must be a text")
    return text[:_LONGEST_TEXT]


def _one_of(args: Mapping[str, Any], name: str, allowed: Sequence[str]) -> str:
    value = args.get(name)
    if not isinstance(value, str) or value not in allowed:
        raise BadMove(f"{name} must be one of {', '.join(allowed)}; not {_short(value)}")
    return value


def _short(value: object) -> str:
    if not isinstance(value, str):
        return f"of type {type(value).__name__}"
    return repr(value) if len(value) <= _SHOWN else f"{value[:_SHOWN]!r}..."


def _tool(name: str, description: str, properties: Mapping[str, Any], required: Sequence[str]) -> Mapping[str, Any]:
    schema = {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}
    return {"name": name, "description": description, "parameters": schema}


@cache
def _ask_tools(entities: tuple[str, ...]) -> Sequence[Mapping[str, Any]]:
    meanings = "; ".join(f"{name}: {meaning}" for name, meaning in MEANINGS.items())
    groups = "; ".join(
        f"{template}: {', '.join(term for group in groups for term in GROUPS[group])}"
        for template, groups in TEMPLATES.items()
        if groups
    )
    general = f"With the subject {STORY}, {', '.join(CHECKS)} also take the value {CHECK}: whether it matters at all."
    ask = _tool(
        "ask",
        f"Ask a question that is answered yes, no or irrelevant. Costs one of {LIMIT} questions. "
        f"Templates: {meanings}. {general} Values by template: {groups}; order: a subject.",
        {
            "template": {"type": "string", "enum": [*TEMPLATES, "count"]},
            "subject": {"type": "string", "enum": [*entities, STORY]},
            "value": {"type": "string", "maxLength": _SHOWN},
        },
        ["template", "subject"],
    )
    short = _tool(
        "ask_short",
        "Ask who, what, where or how many; the answer is as short as can be. Costs one question.",
        {"word": {"type": "string", "enum": [*SHORT_WORDS]}, "subject": {"type": "string", "enum": [*entities]}},
        ["word", "subject"],
    )
    return [ask, short]


_PLAIN = {"text": {"type": "string"}}
_ASK_TEXT = _tool(
    "ask_text",
    f"Ask one question of at most {LONGEST} characters that can be answered yes, no or irrelevant (or who, what, "
    f"where, how many). Costs one of {LIMIT} questions.",
    {"text": {"type": "string", "maxLength": LONGEST}},
    ["text"],
)
_NOTE = _tool("note", "Write something down. Costs nothing.", _PLAIN, ["text"])
_CHECKS = {"type": "array", "items": {"type": "string", "enum": [*CHECKS]}}
_SOLVE_TEXT = _tool(
    "solve",
    f"Explain the story in at most {WORDS_READ} words; checks may name the mechanisms at work. False claims cost. "
    "This ends it.",
    {**_PLAIN, "checks": _CHECKS},
    ["text"],
)
_SOLVE_SLOTS = _tool(
    "solve",
    "Explain the story: a value for each question that an explanation answers (those of its template), and which "
    f"mechanisms are at work. Or in words, at most {WORDS_READ}, as text. False claims cost. This ends it.",
    {
        "slots": {"type": "object", "additionalProperties": {"type": "string"}},
        "checks": _CHECKS,
        **_PLAIN,
    },
    [],
)
_GIVE_UP = _tool("give_up", "End it without an explanation.", {}, [])
