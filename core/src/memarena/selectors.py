"""The small languages of the flags: `-a [LABEL=]NAME[@DIST]`, `-o LABEL.key=value`, `--model [ROLE=]NAME`."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple, NoReturn

from memarena.catalog import did_you_mean
from memarena.errors import UsageError

_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class AdapterChoice(NamedTuple):
    """One adapter of a run."""

    label: str
    """What the run calls it: a plain name, unique within the run (names of folders ignore case, so this does too)."""
    name: str
    """Its entry-point name."""
    dist: str = ""
    """Its distribution, where the name alone is not enough; else ""."""

    @property
    def selector(self) -> str:
        """`NAME` or `NAME@DIST`, as `catalog.find` takes it."""
        return f"{self.name}@{self.dist}" if self.dist else self.name


def parse_adapter(text: str) -> AdapterChoice:
    """One `[LABEL=]NAME[@DIST]`; the label defaults to the name."""
    label, equals, rest = text.rpartition("=")
    name, at, dist = rest.partition("@")
    if not name or (at and not dist) or (equals and not label):
        raise UsageError(f"-a {text}: write [LABEL=]NAME[@DISTRIBUTION], e.g. -a bm25 or -a mine=bm25")
    return AdapterChoice(label=check_label(label or name, f"-a {text}"), name=name, dist=dist)


def parse_adapters(texts: Iterable[str]) -> tuple[AdapterChoice, ...]:
    """All the `-a` of a run, in order; raises UsageError where two have one label."""
    choices = tuple(map(parse_adapter, texts))
    taken: set[str] = set()
    for choice in choices:
        key = choice.label.casefold()
        if key in taken:
            raise UsageError(
                f"two adapters are labelled {choice.label!r}: give one a label of its own, "
                f"e.g. -a {choice.label}-2={choice.selector}"
            )
        taken.add(key)
    return choices


def check_label(label: str, where: str) -> str:
    """`label` itself; raises UsageError where it is no plain name."""
    if not _LABEL.fullmatch(label):
        raise UsageError(
            f"{where}: a label has letters, digits, '.', '_' and '-', begins with a letter or digit and has at most "
            f"64 of them: {label!r} does not; write LABEL=NAME"
        )
    return label


def parse_options(texts: Iterable[str], labels: Collection[str]) -> dict[str, dict[str, Any]]:
    """All the `-o LABEL.key=value` of a run: label -> key -> value.

    A value that is JSON (`5`, `0.5`, `true`, `null`, `["a", "b"]`) is read as JSON, any other is a text. A label may
    hold dots: the longest known one that fits counts. Raises UsageError for an unknown label and for a key that is
    given twice.
    """
    found: dict[str, dict[str, Any]] = {}
    for text in texts:
        place, equals, value = text.partition("=")
        label = _label_of(place, labels)
        key = place[len(label) + 1 :]
        if not equals or not label or not key:
            _refuse_option(text, labels, shaped=bool(equals) and "." in place.strip("."))
        options = found.setdefault(label, {})
        if key in options:
            raise UsageError(f"-o {text}: {label}.{key} is given twice")
        options[key] = parse_value(value)
    return found


def parse_value(text: str) -> Any:
    """`text` as JSON where it is JSON, else as it stands."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return text


def parse_models(texts: Iterable[str]) -> dict[str, str]:
    """All the `--model [ROLE=]NAME` of a run: role -> name; the role "" is the model for all roles without their own.

    Names of models may hold `=` only behind a role. Raises UsageError for a role that is given twice.
    """
    models: dict[str, str] = {}
    for text in texts:
        role, equals, name = text.partition("=")
        role, name = (role, name) if equals else ("", text)
        if not name or (equals and not _LABEL.fullmatch(role)):
            raise UsageError(f"--model {text}: write [ROLE=]NAME, e.g. --model offline or --model judge=offline")
        if role in models:
            raise UsageError(f"--model {text}: {f'the model of {role!r}' if role else 'a model'} is given twice")
        models[role] = name
    return models


def merge_options(under: Mapping[str, Mapping[str, Any]], over: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Options by label, those of `over` before those of `under`, key by key."""
    return {label: {**under.get(label, {}), **over.get(label, {})} for label in {**under, **over}}


def _label_of(place: str, labels: Collection[str]) -> str:
    fitting = [label for label in labels if place.startswith(f"{label}.")]
    return max(fitting, key=len, default="")


def _refuse_option(text: str, labels: Collection[str], *, shaped: bool) -> NoReturn:
    if not shaped:
        raise UsageError(f"-o {text}: write LABEL.key=value, e.g. -o bm25.k1=1.2")
    label = text.partition("=")[0].rpartition(".")[0]
    raise UsageError(f"-o {text}: nothing in this run is labelled {label!r}{did_you_mean(label, labels)}")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)
