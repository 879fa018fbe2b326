"""A sweep: one run for each point of a small grid of settings, with the memory phase shared where that is sound.

Sound is what cannot change a memory: who answers, who judges, and what the answerer is shown of what was retrieved.
What a memory hears or is asked for (captions, pictures, budgets, seeds, its own model) makes a memory phase of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from memarena.catalog import did_you_mean
from memarena.config import Settings
from memarena.errors import UsageError
from memarena.run_settings import BY_NAME
from memarena.selectors import parse_adapter

AFTER: Mapping[str, str] = {
    "answerer": "who answers is asked after the memory",
    "judge": "who judges is asked after the memory",
    "evidence_mode": "sessions are looked up after the memory was asked",
    "max_pictures": "pictures are counted when they are shown to the answerer",
    "model.answer": "its calls come after the memory",
    "model.judge": "its calls come after the memory",
}
"""Keys that are read after the memory phase, and why."""
BEFORE: Mapping[str, str] = {
    "pictures": "the memory sees pictures",
    "captions": "the memory hears captions",
    "budget_tokens": "the memory is told the budget",
    "seed": "the memory is given the seed",
    "force_decoding": "it holds for the models of the memory",
    "model.inner": "it is the model of the memory",
    "model.embed": "it is the model of the memory",
}
"""Keys that the memory phase depends on, and why."""
PARTS = ("answerer", "judge")
"""What has options, and is asked after the memory."""
Point = Mapping[str, str]
"""One point of a grid: key -> value as text."""


class Axis(NamedTuple):
    """One `--sweep`."""

    key: str
    values: tuple[str, ...]


class Shared(NamedTuple):
    """Whether the points along an axis share a memory phase."""

    key: str
    shared: bool
    why: str


def parse(texts: Iterable[str], labels: Collection[str]) -> tuple[Axis, ...]:
    """All the `--sweep KEY=a,b` of a command; `labels` are those of the adapters.

    Raises UsageError for a key that cannot be swept, for one that is given twice, and for fewer than two values.
    """
    axes: dict[str, Axis] = {}
    for text in texts:
        key, equals, values = text.partition("=")
        if not equals or not key:
            raise UsageError(f"--sweep {text}: write KEY=a,b, e.g. --sweep top_k=5,10 or --sweep bm25.k1=0.9,1.2")
        if key in axes:
            raise UsageError(f"--sweep {text}: {key} is given twice")
        axis = Axis(key, _values(values))
        if len(axis.values) < 2 or len(set(axis.values)) < len(axis.values):
            raise UsageError(f"--sweep {text}: name two values or more, each once")
        known = (*AFTER, *BEFORE, "top_k")
        if key not in known and _label(key, (*labels, *PARTS)) is None:
            options = [f"{label}.OPTION" for label in (*labels, *PARTS)]
            raise UsageError(f"--sweep {text}: {key!r} cannot be swept{did_you_mean(key, (*known, *options))}")
        axes[key] = axis
    return tuple(axes.values())


def _values(text: str) -> tuple[str, ...]:
    """Values as texts: those of a JSON list where `text` is the inside of one, else what commas part."""
    try:
        found = json.loads(f"[{text}]")
    except ValueError:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    return tuple(value if isinstance(value, str) else json.dumps(value) for value in found)


def _label(key: str, labels: Collection[str]) -> str | None:
    """The label in `LABEL.option`; None where there is none."""
    fitting = [label for label in labels if key.startswith(f"{label}.") and len(key) > len(label) + 1]
    return max(fitting, key=len, default=None)


class Grid:
    """The points of a sweep, and which of them share a memory phase."""

    def __init__(self, axes: Sequence[Axis], asked: Settings) -> None:
        self._asked = asked
        self._labels = [choice.label for choice in asked.adapters()]
        options = [axis for axis in axes if self._is_option(axis.key)]
        self.axes = tuple(axis for axis in axes if axis not in options)
        """Those that make runs; options of adapters make rows in each of them."""
        self._options = tuple(options)
        keys = [axis.key for axis in self.axes]
        self.points: tuple[Point, ...] = tuple(
            dict(zip(keys, values, strict=True)) for values in product(*(axis.values for axis in self.axes))
        )

    def _is_option(self, key: str) -> bool:
        return key not in (*AFTER, *BEFORE, "top_k") and _label(key, self._labels) is not None

    def flags(self, point: Point) -> dict[str, Any]:
        """The settings of `point`, beside those that every point has.

        Raises UsageError for a value that a setting cannot have.
        """
        adapters, options = self._rows()
        found: dict[str, Any] = {"adapters": adapters}
        models = list(self._asked["models"])
        for key, value in point.items():
            if key in BY_NAME:
                found[key] = _parsed(key, value)
            elif key.startswith("model."):
                role = key.removeprefix("model.")
                models = [*(text for text in models if text.partition("=")[0] != role), f"{role}={value}"]
            else:
                options = [*(text for text in options if text.partition("=")[0] != key), f"{key}={value}"]
        return {**found, "models": tuple(models), "options": tuple(options)}

    def _rows(self) -> tuple[tuple[str, ...], list[str]]:
        """The adapters and options, where each combination of swept options is a row with a label of its own."""
        picked = self._asked["adapters"] or tuple(self._labels)
        given = self._asked["options"]
        adapters, options = [], [text for text in given if _label(text.partition("=")[0], self._labels) is None]
        for text in picked:
            choice = parse_adapter(text)
            own = [one for one in given if _label(one.partition("=")[0], self._labels) == choice.label]
            swept = [axis for axis in self._options if _label(axis.key, self._labels) == choice.label]
            names = [axis.key[len(choice.label) + 1 :] for axis in swept]
            for values in product(*(axis.values for axis in swept)):
                parts = [f"{name}-{_plain(value)}" for name, value in zip(names, values, strict=True)]
                label = "-".join([choice.label, *parts])
                adapters.append(f"{label}={choice.selector}")
                kept = [one[len(choice.label) + 1 :] for one in own]
                kept = [one for one in kept if one.partition("=")[0] not in names]
                kept += [f"{name}={value}" for name, value in zip(names, values, strict=True)]
                options += [f"{label}.{one}" for one in kept]
        return tuple(adapters), options

    def shared(self, *, ranked: bool) -> list[Shared]:
        """For each axis whether its points share a memory phase, and why.

        `ranked`: every system ranks what it finds.
        """
        found = [self._shared(axis.key, ranked=ranked) for axis in self.axes]
        return [*found, *(Shared(axis.key, False, "each value is a row of its own") for axis in self._options)]

    def _shared(self, key: str, *, ranked: bool) -> Shared:
        if key == "top_k":
            why = "fewer items are the first of more" if ranked else "some system returns a bundle and ranks nothing"
            return Shared(key, ranked, why)
        if key in AFTER:
            return Shared(key, True, AFTER[key])
        if key in BEFORE:
            return Shared(key, False, BEFORE[key])
        return Shared(key, True, "it is an option of what is asked after the memory")

    def groups(self, *, ranked: bool) -> list[list[Point]]:
        """The points that share a memory phase, in order; the first of each runs it, with the largest k of all."""
        own = [one.key for one in self.shared(ranked=ranked) if not one.shared]
        found: dict[tuple[str, ...], list[Point]] = {}
        for point in self.points:
            found.setdefault(tuple(point[key] for key in own if key in point), []).append(point)
        return [sorted(points, key=lambda point: -int(point.get("top_k", 0))) for points in found.values()]


def name_of(point: Point) -> str:
    """What a point and its folder are called: `top_k=5,answerer=llm`; `run` where only options of adapters vary."""
    return ",".join(f"{key}={_plain(value)}" for key, value in point.items()) or "run"


def _plain(value: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", value).strip("_")[:40] or "empty"


def _parsed(key: str, value: str) -> Any:
    setting = BY_NAME[key]
    try:
        parsed = setting.kind.parse(value)
    except (KeyError, ValueError):
        parsed = value
    if not setting.kind.accepts(parsed):
        raise UsageError(f"--sweep {key}={value}: expected {setting.kind.expects}, not {value!r}")
    return parsed
