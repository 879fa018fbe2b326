"""Bodies of chat completions and of responses, read into one record that rules look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from memarena.records import Record


class BadRequest(ValueError):
    """A body that any server would refuse with 400; the message says why."""


class Content(NamedTuple):
    """The content of a message."""

    text: str
    pictures: tuple[str, ...] = ()
    """Their URLs."""


class Said(Record, frozen=True, kw_only=True):
    """One message of a conversation."""

    role: str
    """`system`, `user`, `assistant` or `tool`."""
    text: str = ""
    calls: tuple[str, ...] = ()
    """Names of the tools that it calls."""


class Tool(Record, frozen=True, kw_only=True):
    """A function that a request offers."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = {}
    """JSON schema of its arguments."""
    namespace: str = ""
    """The group that it stands in, as Codex sends the tools of its servers; a call has to name it."""


class Request(Record, frozen=True, kw_only=True):
    """What is asked of the model, whichever endpoint it came by."""

    messages: tuple[Said, ...]
    tools: tuple[Tool, ...] = ()
    """Empty where the request forbids calls."""
    forced: str = ""
    """Name of the tool that must be called; `*`: any; "": none must be."""
    schema: Mapping[str, Any] | None = None
    """The JSON schema that the reply must follow, where there is one."""
    json: bool = False
    """The reply must be a JSON object."""
    max_tokens: int | None = None
    choices: int = 1

    @property
    def system(self) -> str:
        """All system messages."""
        return "\n\n".join(said.text for said in self.messages if said.role == "system")

    @property
    def asked(self) -> str:
        """The last message of the user."""
        return next((said.text for said in reversed(self.messages) if said.role == "user"), "")

    @property
    def since(self) -> tuple[Said, ...]:
        """What was said after the last message of the user: calls and their results."""
        users = [place for place, said in enumerate(self.messages) if said.role == "user"]
        return self.messages[users[-1] + 1 :] if users else self.messages

    @property
    def results(self) -> tuple[str, ...]:
        """What tools gave back since then."""
        return tuple(said.text for said in self.since if said.role == "tool")

    @property
    def called(self) -> tuple[str, ...]:
        """Names of the tools that were called since then."""
        return tuple(name for said in self.since for name in said.calls)


def chat_request(body: Mapping[str, Any]) -> Request:
    """A body of chat completions; raises BadRequest."""
    messages = chat_messages(body)
    form = _mapping(body.get("response_format"), "response_format")
    schema = _mapping(form.get("json_schema"), "response_format.json_schema").get("schema")
    tools = tuple(
        _tool(_mapping(each.get("function"), "tools.function")) for each in _mappings(body.get("tools"), "tools")
    )
    limit = body.get("max_completion_tokens", body.get("max_tokens"))
    return _request(
        tuple(_chat_message(each) for each in messages),
        tools,
        body.get("tool_choice"),
        form,
        schema,
        _number(limit, "max_tokens"),
        _number(body.get("n"), "n") or 1,
    )


def chat_messages(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The messages of a body; raises BadRequest where there are none."""
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise BadRequest("messages: a list of at least one message is needed")
    return _mappings(messages, "messages")


def content_of(message: Mapping[str, Any]) -> Content:
    """The text and the pictures of a message; raises BadRequest."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    shown = [part for part in _mappings(parts, "content") if part.get("type") == "image_url"]
    urls = [_mapping(part.get("image_url"), "image_url").get("url") for part in shown]
    if not all(isinstance(url, str) for url in urls):
        raise BadRequest("image_url: a url is needed")
    return Content(_text(content), tuple(map(str, urls)))


def responses_request(body: Mapping[str, Any]) -> Request:
    """A body of responses; raises BadRequest."""
    given = body.get("input")
    items = [{"role": "user", "content": given}] if isinstance(given, str) else _mappings(given, "input")
    if not items:
        raise BadRequest("input: a text or a list of at least one item is needed")
    first = body.get("instructions")
    system = (Said(role="system", text=first),) if isinstance(first, str) and first else ()
    form = _mapping(_mapping(body.get("text"), "text").get("format"), "text.format")
    tools = tuple(_response_tools(_mappings(body.get("tools"), "tools")))
    return _request(
        (*system, *(said for item in items for said in _response_item(item))),
        tools,
        body.get("tool_choice"),
        form,
        form.get("schema"),
        _number(body.get("max_output_tokens"), "max_output_tokens"),
        1,
    )


def _request(
    messages: tuple[Said, ...],
    tools: tuple[Tool, ...],
    choice: object,
    form: Mapping[str, Any],
    schema: object,
    limit: int | None,
    choices: int,
) -> Request:
    forced = ""
    if isinstance(choice, Mapping):
        forced = str(_mapping(choice.get("function"), "tool_choice.function").get("name") or choice.get("name") or "")
    elif choice == "required":
        forced = "*"
    return Request(
        messages=messages,
        tools=() if choice == "none" else tools,
        forced=forced if tools else "",
        schema=schema if isinstance(schema, Mapping) else None,
        json=form.get("type") in ("json_object", "json_schema"),
        max_tokens=limit,
        choices=choices,
    )


def _chat_message(message: Mapping[str, Any]) -> Said:
    calls = _mappings(message.get("tool_calls"), "tool_calls")
    names = tuple(str(_mapping(call.get("function"), "tool_calls.function").get("name", "")) for call in calls)
    return Said(role=_role(message), text=_text(message.get("content")), calls=names)


def _response_item(item: Mapping[str, Any]) -> Iterator[Said]:
    kind = item.get("type", "message")
    if kind == "message":
        yield Said(role=_role(item), text=_text(item.get("content")))
    elif kind == "function_call":
        yield Said(role="assistant", calls=(str(item.get("name", "")),))
    elif kind == "function_call_output":
        yield Said(role="tool", text=_text(item.get("output")))


def _response_tools(tools: Iterable[Mapping[str, Any]], namespace: str = "") -> Iterator[Tool]:
    """The functions among `tools`, those that stand in a namespace with its name."""
    for each in tools:
        if each.get("type") == "function":
            yield _tool(each, namespace)
        elif each.get("type") == "namespace" and not namespace:
            yield from _response_tools(_mappings(each.get("tools"), "tools.tools"), str(each.get("name") or ""))


def _role(message: Mapping[str, Any]) -> str:
    role = message.get("role")
    if role not in ("system", "developer", "user", "assistant", "tool", "function"):
        raise BadRequest(f"messages.role: {role!r} is none")
    return {"developer": "system", "function": "tool"}.get(role, str(role))


def _text(content: object) -> str:
    """The text of a message's content, a text or a list of parts; pictures have none."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = _mappings(content, "content")
    return "\n".join(str(part["text"]) for part in parts if isinstance(part.get("text"), str))


def _tool(function: Mapping[str, Any], namespace: str = "") -> Tool:
    name = function.get("name")
    if not isinstance(name, str) or not name:
        raise BadRequest("tools: a function needs a name")
    return Tool(
        name=name,
        description=str(function.get("description") or ""),
        parameters=_mapping(function.get("parameters"), "parameters"),
        namespace=namespace,
    )


def _mapping(value: object, where: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadRequest(f"{where}: an object is needed")
    return value


def _mappings(value: object, where: str) -> list[Mapping[str, Any]]:
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
        raise BadRequest(f"{where}: a list of objects is needed")
    return value


def _number(value: object, where: str) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise BadRequest(f"{where}: a whole number of at least 1 is needed")
    return value
