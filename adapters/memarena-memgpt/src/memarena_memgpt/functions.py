"""The functions of MemGPT: what they are, and how a call by the model is read. Nothing of a call is ever evaluated."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from memarena.records import Record

HEARTBEAT = "request_heartbeat"
SILENT = "send_message"

_TYPES: Mapping[str, type] = {"string": str, "integer": int, "boolean": bool}


class BadCall(Exception):
    """A call that cannot be understood: an unknown function, or arguments that do not fit it."""


class Parameter(Record, frozen=True, kw_only=True):
    """One parameter of a function."""

    type: Literal["string", "integer", "boolean"] = "string"
    about: str
    choices: tuple[str, ...] = ()
    required: bool = True

    @property
    def schema(self) -> dict[str, Any]:
        """As JSON schema."""
        found: dict[str, Any] = {"type": self.type, "description": self.about}
        return found | ({"enum": list(self.choices)} if self.choices else {})


class Function(Record, frozen=True, kw_only=True):
    """A function that the model may call."""

    about: str
    parameters: Mapping[str, Parameter]
    reads: bool = False
    """It changes nothing; its results are shown to the model, so it always hands control back."""


_BLOCK = Parameter(about="The block to be edited.", choices=("human", "persona"))
_PAGE = Parameter(type="integer", about="Page of results, from 0.", required=False)
_AGAIN = Parameter(type="boolean", about="True: act again after this call.", required=False)

FUNCTIONS: Mapping[str, Function] = {
    "core_memory_append": Function(
        about="Append to a block of core memory.",
        parameters={"name": _BLOCK, "content": Parameter(about="One fact.")},
    ),
    "core_memory_replace": Function(
        about="Replace a text in a block of core memory; an empty new text deletes it.",
        parameters={
            "name": _BLOCK,
            "old_content": Parameter(about="The text to be replaced, copied exactly."),
            "new_content": Parameter(about="What takes its place."),
        },
    ),
    "archival_memory_insert": Function(
        about="Write a passage into archival memory.",
        parameters={"content": Parameter(about="One fact or passage that can be understood alone.")},
    ),
    "archival_memory_search": Function(
        about="Search archival memory by meaning.",
        parameters={"query": Parameter(about="What to look for."), "page": _PAGE},
        reads=True,
    ),
    "conversation_search": Function(
        about="Search all messages by words.",
        parameters={"query": Parameter(about="Words to look for."), "page": _PAGE},
        reads=True,
    ),
    "conversation_search_date": Function(
        about="List the messages of some days.",
        parameters={
            "start_date": Parameter(about="First day, YYYY-MM-DD."),
            "end_date": Parameter(about="Last day, YYYY-MM-DD."),
            "page": _PAGE,
        },
        reads=True,
    ),
    SILENT: Function(
        about="Say something and end your turn. It changes nothing.",
        parameters={"message": Parameter(about="What you say.")},
    ),
}

WRITING = tuple(FUNCTIONS)
"""Offered while messages come in."""
READING = tuple(name for name, function in FUNCTIONS.items() if function.reads or name == SILENT)
"""Offered while a question is asked."""


class Call(Record, frozen=True, kw_only=True):
    """A call that was understood."""

    name: str
    arguments: Mapping[str, Any]
    heartbeat: bool = False


@cache
def tools(names: tuple[str, ...]) -> list[dict[str, Any]]:
    """The functions as the API of chat completions wants them; not to be changed."""
    return [{"type": "function", "function": _schema(name, FUNCTIONS[name])} for name in names]


def parameters_of(name: str) -> Mapping[str, Parameter]:
    """What a function takes; one that writes can ask for another step."""
    function = FUNCTIONS[name]
    return function.parameters if name == SILENT or function.reads else {**function.parameters, HEARTBEAT: _AGAIN}


def read_call(name: str, arguments: str, offered: tuple[str, ...]) -> Call:
    """The call of `name` with these arguments, JSON as the model wrote it. Raises BadCall."""
    if name not in offered:
        raise BadCall(f"there is no function {name!r}; there are {', '.join(offered)}")
    try:
        given = json.loads(arguments or "{}", parse_constant=_refuse, strict=False)
    except (ValueError, RecursionError) as error:
        raise BadCall(f"the arguments of {name} are no JSON: {error}") from None
    if not isinstance(given, dict):
        raise BadCall(f"the arguments of {name} must be a JSON object")
    parameters = {**FUNCTIONS[name].parameters, HEARTBEAT: _AGAIN}
    for key, value in given.items():
        _check(name, key, value, parameters)
    missing = [key for key, parameter in parameters.items() if parameter.required and key not in given]
    if missing:
        raise BadCall(f"{name} needs {', '.join(missing)}")
    heartbeat = bool(given.pop(HEARTBEAT, False)) or FUNCTIONS[name].reads
    return Call(name=name, arguments=given, heartbeat=heartbeat)


def _check(name: str, key: str, value: object, parameters: Mapping[str, Parameter]) -> None:
    if key not in parameters:
        raise BadCall(f"{name} has no argument {key!r}; it takes {', '.join(parameters)}")
    wanted = parameters[key]
    if not isinstance(value, _TYPES[wanted.type]) or (wanted.type == "integer" and isinstance(value, bool)):
        raise BadCall(f"{name}: {key} must be of type {wanted.type}")
    if wanted.choices and value not in wanted.choices:
        raise BadCall(f"{name}: {key} must be one of {', '.join(wanted.choices)}")


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")


def _schema(name: str, function: Function) -> dict[str, Any]:
    parameters = parameters_of(name)
    return {
        "name": name,
        "description": function.about,
        "parameters": {
            "type": "object",
            "properties": {key: parameter.schema for key, parameter in parameters.items()},
            "required": [key for key, parameter in parameters.items() if parameter.required],
            "additionalProperties": False,
        },
    }
