"""Under which conditions a run was made, and in which two runs differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

FREE = frozenset({"seed", "repeats", "limit", "sample", "split", "oracle", "instruments"})
"""Settings that two runs may differ in and still be compared: the pairing itself takes care of them."""


@dataclass(frozen=True, slots=True)
class Unequal:
    """A condition in which runs differ: its name and its value in each run."""

    name: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name} ({' / '.join(self.values)})"


def conditions(header: Mapping[str, Any]) -> dict[str, str]:
    """All that must be equal before two runs may be compared, by name."""
    found = {f"settings.{name}": value for name, value in header["settings"].items() if name not in FREE}
    found |= dict(flat(header["plugins"], "plugins"))
    found |= dict(flat(header.get("models", {}), "models"))
    found["memarena"] = header["memarena"]
    return {name: _text(value) for name, value in found.items()}


def unequal(headers: Sequence[Mapping[str, Any]]) -> list[Unequal]:
    """The conditions in which runs differ, in the order in which they stand in the headers."""
    tables = [conditions(header) for header in headers]
    names = dict.fromkeys(name for table in tables for name in table)
    rows = [Unequal(name, tuple(table.get(name, "–") for table in tables)) for name in names]
    rows += _data(headers)
    return [row for row in rows if len(set(row.values)) > 1]


def _data(headers: Sequence[Mapping[str, Any]]) -> Iterator[Unequal]:
    """Samples that all runs have must be the same sample."""
    prints = [{row["sample_id"]: row["fingerprint"] for row in header["data"]["samples"]} for header in headers]
    for sample_id in prints[0]:
        if all(sample_id in one for one in prints):
            yield Unequal(f"data.{sample_id}", tuple(one[sample_id][:12] for one in prints))


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
