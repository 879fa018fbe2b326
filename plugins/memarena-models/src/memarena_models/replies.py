"""What a model replied, read strictly: the last complete JSON object that fits the type that was asked for.

Understood are code fences, text around the object, a leading block of thoughts, comments, trailing commas, raw
newlines in strings, an object in place of a text, words of a `Literal` in any case, `"true"` and `"false"` for a bool
and digits for an int. Nothing is guessed: a word within another text is no verdict, and half an object is none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin

import msgspec

T = TypeVar("T")

LOOKED_AT = 16
"""Objects of a reply that are tried, from the last."""
REPAIRED = 200_000
"""Characters above which an object that is no valid JSON is not repaired."""

_THOUGHTS = re.compile(r"\A\s*<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_OPEN = re.compile(r"\{")
_WITHIN = re.compile(r'"(?:[^"\\]|\\(?:.|\Z))*+(?:"|\Z)|//[^\n]*|/\*.*?(?:\*/|\Z)|[{}]', re.DOTALL)
_BEGINS = re.compile(r"\{\s*(?:[\"“]|\Z)")


class Trouble(StrEnum):
    """Why a reply could not be read."""

    EMPTY = "empty"
    NO_OBJECT = "no object"
    TRUNCATED = "truncated"
    MISFIT = "misfit"


class BadReply(Exception):
    """A reply that does not fit; `raw` is what came, as a text."""

    def __init__(self, trouble: Trouble, problem: str, raw: str) -> None:
        super().__init__(problem)
        self.trouble = trouble
        self.problem = problem
        self.raw = raw


class Found(NamedTuple):
    """The objects of a text."""

    objects: tuple[str, ...]
    """Complete ones, none within another, in order."""
    cut: bool
    """The text ends within an object."""
    rest: str
    """What follows the last one."""


def read(
    reply: object,
    kind: type[T],
    *,
    check: Callable[[T], str] = lambda value: "",
    data: str = "",
    finished: bool = True,
) -> T:
    """The last complete object of `reply` that fits `kind` and for which `check` finds no problem.

    `data` is the text that the model was shown: an object that stands in it word for word is a quotation, and counts
    only where no other fits. `finished` is False where the model stopped for want of tokens. Raises BadReply.
    """
    if isinstance(reply, Mapping):
        return _fitting(reply, kind, check, text_of(reply))
    text = text_of(reply)
    body = _THOUGHTS.sub("", text)
    if not body.strip():
        raise BadReply(Trouble.TRUNCATED if text.strip() else Trouble.EMPTY, "it holds no text", text)
    found = find_objects(body)
    if found.cut or (not finished and (not found.objects or found.rest.strip(" \n`"))):
        raise BadReply(Trouble.TRUNCATED, "it ends before its JSON object does", text)
    if not found.objects:
        raise BadReply(Trouble.NO_OBJECT, "it holds no JSON object", text)
    return _last_that_fits(found.objects, kind, check, _squeezed(data), text)


def text_of(reply: object) -> str:
    """A reply as a text: itself, the joined texts of content parts, or any other value as JSON; None is empty."""
    if reply is None or isinstance(reply, str):
        return reply or ""
    if isinstance(reply, Sequence) and all(isinstance(part, Mapping) for part in reply):
        return "".join(str(part.get("text") or "") for part in reply)
    return json.dumps(reply, ensure_ascii=False, default=str)


def find_objects(text: str) -> Found:
    """The JSON objects of `text`, by their braces; braces within strings and comments do not count."""
    spans: list[tuple[int, int]] = []
    stack: list[int] = []
    place = 0
    while token := (_WITHIN if stack else _OPEN).search(text, place):
        place = token.end()
        if token[0] == "{":
            stack.append(token.start())
        elif token[0] == "}":
            start = stack.pop()
            while spans and spans[-1][0] > start:
                spans.pop()
            spans.append((start, place))
    cut = any(_BEGINS.match(text, start) for start in stack)
    return Found(tuple(text[start:end] for start, end in spans), cut, text[spans[-1][1] :] if spans else text)


def _last_that_fits(objects: Sequence[str], kind: type[T], check: Callable[[T], str], data: str, text: str) -> T:
    quoted: list[T] = []
    problems: list[BadReply] = []
    for span in objects[: -LOOKED_AT - 1 : -1]:
        try:
            value = _fitting(_value(span), kind, check, text)
        except BadReply as problem:
            problems.append(problem)
            continue
        if not data or _squeezed(span) not in data:
            return value
        quoted.append(value)
    if quoted:
        return quoted[0]
    raise problems[0]


def _value(span: str) -> object:
    try:
        return json.loads(span, strict=False)
    except (ValueError, RecursionError):
        if len(span) > REPAIRED:
            return None
    from json_repair import repair_json

    try:
        return repair_json(span, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError):
        return None


def _fitting(value: object, kind: type[T], check: Callable[[T], str], text: str) -> T:
    try:
        fitted = msgspec.convert(_settled(value, kind), kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise BadReply(Trouble.MISFIT, f"its JSON object does not have the shape: {error}", text) from None
    problem = check(fitted)
    if problem:
        raise BadReply(Trouble.MISFIT, problem, text)
    return fitted


def _settled(value: Any, kind: Any) -> Any:
    """`value` with words, digits and truth values as `kind` spells them; what fits nowhere stays as it is."""
    if isinstance(value, str):
        return _settled_word(value, kind)
    if isinstance(value, list) and get_origin(kind) in (list, tuple):
        return [_settled(item, get_args(kind)[0]) for item in value]
    if isinstance(value, Mapping) and isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        types = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
        return {name: _settled(item, types.get(name, Any)) for name, item in value.items()}
    return value


def _settled_word(word: str, kind: Any) -> Any:
    plain = word.strip().casefold()
    if kind is bool:
        return {"true": True, "false": False}.get(plain, word)
    if kind is int:
        return int(plain) if plain.isascii() and plain.isdigit() and len(plain) < 16 else word
    if get_origin(kind) is Literal:
        return next((known for known in _words(kind) if known.casefold() == plain), word)
    return word


def _words(kind: Any) -> Iterator[str]:
    return (word for word in get_args(kind) if isinstance(word, str))


def _squeezed(text: str) -> str:
    return "".join(text.split())
