"""Under which conditions a run was made, and in which two runs differ.

A condition is what may change a score and is no part of the systems that are compared: settings, answerer, judge and
their prompts, models, decoding, data, code. The options of one system under one label are a condition as well: one
that is to have others gets a label of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from memarena_report.seen import decodings, own_models

if TYPE_CHECKING:
    from memarena.store import RunStore

FREE = frozenset({"seed", "repeats", "limit", "sample", "split", "oracle", "instruments", "replay_from"})
"""Settings that two runs may differ in and still be compared: the pairing itself takes care of them."""
INNER = ("models.names.inner", "models.names.embed")
"""Of the models, those that the memory systems use."""
NONE = "–"
"""The value of a condition that a run does not have."""


@dataclass(frozen=True, slots=True)
class Unequal:
    """A condition in which runs differ: its name and its value in each run."""

    name: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name} ({' / '.join(self.values)})"


def unequal(headers: Sequence[Mapping[str, Any]], labels: Sequence[Collection[str]]) -> list[Unequal]:
    """The conditions in which runs differ, in the order in which they stand in the headers.

    `labels`: of each run, the systems that are compared.
    """
    shared = frozenset.intersection(*map(frozenset, labels))
    tables = [conditions(header) | _options(header, shared) for header in headers]
    names = dict.fromkeys(name for table in tables for name in table)
    rows = [Unequal(name, tuple(table.get(name, NONE) for table in tables)) for name in names]
    rows = [row for row in rows if shared or not _unused(row, headers)]
    rows += _data(headers)
    return _differing(rows)


def unequal_as_seen(stores: Sequence[RunStore], labels: Sequence[Collection[str]]) -> list[Unequal]:
    """The models of the systems' own, and the decoding, in which runs differ as the gateway saw them.

    A run in which nothing was seen differs in nothing.
    """
    models = [own_models(store, chosen) for store, chosen in zip(stores, labels, strict=True)]
    rows = [_apart("seen.models of the systems", models)] if all(models) else []
    told = [decodings(store, chosen) for store, chosen in zip(stores, labels, strict=True)]
    places = [place for place in told[0] if all(place in one for one in told)]
    return _differing([*rows, *(_apart(f"seen.decoding.{place}", [one[place] for one in told]) for place in places)])


def versions(headers: Sequence[Mapping[str, Any]], labels: Sequence[Collection[str]]) -> list[Unequal]:
    """The systems that are compared in different versions: no condition, since this may be what is asked."""
    tables = [
        {row["label"]: f"{row['distribution']} {row['version']}" for row in header["adapters"]} for header in headers
    ]
    shared = [name for name in tables[0] if all(name in chosen for chosen in labels)]
    return _differing(Unequal(name, tuple(table[name] for table in tables)) for name in shared)


def _differing(rows: Iterable[Unequal]) -> list[Unequal]:
    return [row for row in rows if len(set(row.values)) > 1]


def conditions(header: Mapping[str, Any]) -> dict[str, str]:
    """All that the header of a run says of its conditions, by name."""
    found = {f"settings.{name}": value for name, value in header["settings"].items() if name not in FREE}
    found |= dict(flat(header["plugins"], "plugins"))
    for name in header["plugins"].get("suite", {}).get("free", ()):
        found.pop(f"plugins.suite.options.{name}", None)
    found |= dict(flat(header.get("models", {}), "models"))
    found["memarena"] = header["memarena"]
    return {name: _text(value) for name, value in found.items()}


def _options(header: Mapping[str, Any], shared: Collection[str]) -> dict[str, str]:
    """What the systems that all runs have are, and their options."""
    found: dict[str, Any] = {}
    for row in header["adapters"]:
        if row["label"] in shared:
            place = f"adapters.{row['label']}"
            found[f"{place}.name"] = row["name"]
            found |= dict(flat(row["options"], f"{place}.options"))
    return {name: _text(value) for name, value in found.items()}


def _unused(row: Unequal, headers: Sequence[Mapping[str, Any]]) -> bool:
    """A model that some run does not have, where no system is in all runs: its systems work without."""
    if row.name in INNER:
        return NONE in row.values
    return row.name.startswith("models.") and any(not header.get("models") for header in headers)


def _data(headers: Sequence[Mapping[str, Any]]) -> Iterator[Unequal]:
    """Samples that all runs have must be the same sample."""
    prints = [{row["sample_id"]: row["fingerprint"] for row in header["data"]["samples"]} for header in headers]
    for sample_id in prints[0]:
        if all(sample_id in one for one in prints):
            yield Unequal(f"data.{sample_id}", tuple(one[sample_id][:12] for one in prints))


def _apart(name: str, found: Sequence[Collection[str]]) -> Unequal:
    """What each run has that not all have."""
    common = frozenset.intersection(*map(frozenset, found))
    return Unequal(name, tuple(", ".join(sorted(set(one) - common)) or NONE for one in found))


def flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of nested objects and lists of objects, each with its path of names."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from flat(item, f"{name}.{key}" if name else key)
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for item in value:
            yield from flat(item, f"{name}.{item.get('name', '')}" if isinstance(item, dict) else name)
    else:
        yield name, value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
