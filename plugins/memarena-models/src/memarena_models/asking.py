"""Asks a model for one JSON object of a type; what does not fit is asked for once more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec.structs import replace

from memarena import meter
from memarena.records import Endpoint, Record
from memarena_models.client import Reply
from memarena_models.prompts import Prompt
from memarena_models.replies import BadReply, Trouble, read

T = TypeVar("T")

KEPT = 20_000
"""Characters of a raw reply that are kept with a failure."""

Parts = Mapping[str, Sequence[Mapping[str, Any]]]


class Chat(Protocol):
    """One chat completion; `memarena_models.client.chat` is one."""

    def __call__(self, endpoint: Endpoint, messages: Sequence[Mapping[str, Any]], **decoding: Any) -> Reply: ...


class ModelOptions(Record, frozen=True, kw_only=True):
    """How a model is asked."""

    model: str = ""
    """Model to ask; "": the one that --model names for the role."""
    max_tokens: int = 16_384
    """Tokens that it may write (paper, appendix A); twice as many where a reply that was cut is asked for again."""
    temperature: float = 0.0
    """Sampling temperature (paper, appendix A)."""


class Told(NamedTuple):
    """What a model said, read."""

    value: Any
    again: bool
    """It had to be asked twice."""


def ask(
    chat: Chat,
    role: str,
    options: ModelOptions,
    prompt: Prompt,
    parts: Parts,
    kind: type[T],
    *,
    check: Callable[[T], str] = lambda value: "",
    pictures: Sequence[Mapping[str, Any]] = (),
) -> Told:
    """The reply to `prompt` with the data `parts`, as a `kind` for which `check` finds no problem.

    Raises BadReply (with the raw reply) where two replies do not fit, CallFailed where a call fails, ModelError where
    no model can be used at all.
    """
    endpoint = meter.endpoint(role)
    if options.model:
        endpoint = replace(endpoint, model=options.model)
    messages = prompt.messages(parts)
    data = messages[-1]["content"]
    if pictures:
        messages[-1] = {"role": "user", "content": [{"type": "text", "text": data}, *pictures]}
    decoding: dict[str, Any] = {"temperature": options.temperature, "max_tokens": options.max_tokens}
    for again in (False, True):
        reply = chat(endpoint, messages, **decoding)
        try:
            value = read(_content(reply), kind, check=check, data=_plain(parts), finished=reply.finish != "length")
        except BadReply as bad:
            if again:
                raise
            messages = [*messages, {"role": "user", "content": _reminder(bad)}]
            if bad.trouble is Trouble.TRUNCATED:
                decoding["max_tokens"] = 2 * options.max_tokens
        else:
            return Told(value, again)
    raise AssertionError("the second reply is read or raises")


def _content(reply: Reply) -> object:
    """The content of the message: its text or, from servers that parse it themselves, its object."""
    return reply.text or reply.raw["choices"][0]["message"].get("content")


def _reminder(bad: BadReply) -> str:
    """What is said when a reply does not fit: nothing of the reply itself, which may quote the data."""
    what = {
        Trouble.EMPTY: "it was empty",
        Trouble.NO_OBJECT: "it held no JSON object",
        Trouble.TRUNCATED: "it broke off before its JSON object was complete; be shorter",
        Trouble.MISFIT: "its JSON object did not have the shape that was asked for, or not one entry for each number",
    }[bad.trouble]
    return f"Your last reply could not be read: {what}. Reply with exactly one JSON object of that shape, nothing else."


def _plain(parts: Parts) -> str:
    """All texts of the data, as somebody would quote them."""
    return "\n".join(text for objects in parts.values() for each in objects for text in _texts(each))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for item in value.values() for text in _texts(item)]
    if isinstance(value, Sequence):
        return [text for item in value for text in _texts(item)]
    return []


def as_raw(error: Exception) -> str:
    """What is kept of a reply that could not be read; "" for other failures."""
    return error.raw[:KEPT] if isinstance(error, BadReply) else ""
