"""Fills a JSON schema from a text: lists with its facts, texts with its gist, words of an `enum` by what it says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from memarena_models.offline_text import answer, facts, summary

DEEPEST = 12
"""Levels of a schema that refers to itself."""
LONGEST_LIST = 50
KINDS = frozenset({"object", "array", "string", "integer", "number", "boolean", "null"})

_SINGLE = re.compile(r"[A-Za-z][A-Za-z_-]*$")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_IDS = re.compile(r"(?:^|_)(?:id|uuid|index|key)$")
_REFERENCES = re.compile(r"(?:^|_)ids$")
_ANSWERS = re.compile(r"answer|response|reply")
_REASONS = re.compile(r"reason|explanation|thought|justification")
_TEXTS = re.compile(r"text|content|fact|memory|memories|summary|message|statement|description")


class Filler:
    """Makes one value that fits `schema`, with what `text` says; `question` is what is asked of it, or ""."""

    def __init__(self, schema: Mapping[str, Any], text: str, question: str = "") -> None:
        self._root = schema
        self._text = text
        self._question = question

    def value(self) -> Any:
        """The value of the whole schema."""
        return self._fill(self._root, self._text, "", 0, 0)

    def _fill(self, schema: Mapping[str, Any], text: str, name: str, place: int, depth: int) -> Any:
        schema = self._resolved(schema)
        fixed = [schema["const"]] if "const" in schema else schema.get("enum")
        kinds: Mapping[str, Callable[[], Any]] = {
            "object": lambda: self._object(schema, text, place, depth),
            "array": lambda: self._list(schema, text, name, depth),
            "string": lambda: self._string(schema, text, name, place),
            "integer": lambda: int(_bounded(schema, _first_number(text))),
            "number": lambda: _bounded(schema, _first_number(text)),
            "boolean": lambda: False,
            "null": lambda: None,
        }
        return _chosen(fixed, text) if fixed else kinds[_kind(schema)]()

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """`schema` with its references, alternatives and parts put in place."""
        for _ in range(DEEPEST):
            if "$ref" in schema:
                schema = self._target(str(schema["$ref"]))
            elif "allOf" in schema:
                parts = [self._resolved(part) for part in schema["allOf"]]
                schema = {name: value for part in parts for name, value in part.items()}
            elif options := schema.get("anyOf") or schema.get("oneOf"):
                schema = next((each for each in options if each.get("type") != "null"), options[0])
            else:
                break
        return schema

    def _target(self, reference: str) -> Mapping[str, Any]:
        found: Any = self._root
        for step in reference.removeprefix("#").strip("/").split("/"):
            found = found.get(step.replace("~1", "/").replace("~0", "~"), {}) if step else found
        return found if isinstance(found, Mapping) else {}

    def _object(self, schema: Mapping[str, Any], text: str, place: int, depth: int) -> dict[str, Any]:
        properties = schema.get("properties") or {}
        # Without `required` all is filled, but for deep levels: a schema that refers to itself must end.
        needed = schema.get("required", properties if depth < 3 else ())
        names = [name for name in properties if name in needed] if depth < DEEPEST else []
        return {name: self._fill(properties[name], text, name, place, depth + 1) for name in names}

    def _list(self, schema: Mapping[str, Any], text: str, name: str, depth: int) -> list[Any]:
        if depth >= DEEPEST or (_REFERENCES.search(name.lower()) and not schema.get("minItems")):
            return []
        item = schema.get("items") or {"type": "string"}
        found = facts(text)[: min(schema.get("maxItems", LONGEST_LIST), LONGEST_LIST)]
        found += [text] * (schema.get("minItems", 0) - len(found))
        return [self._fill(item, fact, name, place, depth + 1) for place, fact in enumerate(found)]

    def _string(self, schema: Mapping[str, Any], text: str, name: str, place: int) -> str:
        name = name.lower()
        if schema.get("format") == "date-time":
            return "1970-01-01T00:00:00Z"
        if schema.get("format") == "date":
            return "1970-01-01"
        if _IDS.search(name):
            return str(place)
        if _REASONS.search(name):
            return "by rule"
        said = answer(self._question, [self._text]) if self._question and _ANSWERS.search(name) else text
        if said == self._text:
            said = summary(said)
        return said[: schema.get("maxLength", len(said))]


def schema_like(example: Any, name: str = "") -> dict[str, Any]:
    """A schema for values like `example`: its single words stay, its sentences are to be filled."""
    if isinstance(example, Mapping):
        return {"type": "object", "properties": {key: schema_like(value, key) for key, value in example.items()}}
    if isinstance(example, list):
        return {"type": "array", "items": schema_like(example[0], name) if example else {"type": "string"}}
    if isinstance(example, bool) or example is None:
        return {"const": example}
    if isinstance(example, int | float):
        return {"type": "number"}
    if not _TEXTS.search(name.lower()) and (options := example.split("|"))[0]:
        words = [word.strip() for word in options]
        if all(map(_SINGLE.match, words)) and not _IDS.search(name.lower()):
            return {"enum": words}
    return {"type": "string"}


def _kind(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((each for each in kind if each != "null"), "null")
    if kind is None:
        kind = "object" if "properties" in schema else "array" if "items" in schema else "string"
    return kind if kind in KINDS else "null"


def _chosen(words: list[Any], text: str) -> Any:
    """The first of `words` that the text holds, else the first one."""
    said = text.casefold()
    return next((word for word in words if isinstance(word, str) and word.casefold() in said), words[0])


def _first_number(text: str) -> float:
    found = _NUMBER.search(text)
    return float(found[0]) if found else 0.0


def _bounded(schema: Mapping[str, Any], value: float) -> float:
    low, high = schema.get("minimum"), schema.get("maximum")
    value = value if high is None else min(value, float(high))
    return value if low is None else max(value, float(low))
