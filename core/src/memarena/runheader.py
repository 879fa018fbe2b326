"""What a run was asked, and whether another asks the same: fingerprints of samples, differences of headers."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from memarena import codec
from memarena.errors import StoreError
from memarena.records import Sample


def fingerprint(sample: Sample) -> str:
    """SHA-256 over the whole of `sample`, in hexadecimal; places on this machine left out."""
    return sha256(codec.encode(_without_places(sample))).hexdigest()


def _without_places(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: bool(item) if key == "path" else _without_places(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_places(item) for item in value]
    return value if not isinstance(value, Sample) else _without_places(codec.plain(value))


def compare(path: Path, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """Raise StoreError for the first setting in which `new` differs from what the folder was made with."""
    where = _difference(dict(old), dict(new))
    if where:
        name, was, now = where
        told = name.startswith("adapters") and _labels(old.get("adapters"), new.get("adapters"))
        raise StoreError(
            f"{path} was made with other settings: {told or f'{name} was {was!r} and is now {now!r}'}; "
            "ask for the same, or start another folder with --out"
        )


def _labels(old: Any, new: Any) -> str:
    """`adapters: missing a, b; new c`; "" where both have the same labels."""
    was, now = ([row["label"] for row in rows or ()] for rows in (old, new))
    changes = {"missing": [one for one in was if one not in now], "new": [one for one in now if one not in was]}
    told = "; ".join(f"{name} {', '.join(labels)}" for name, labels in changes.items() if labels)
    return told and f"adapters: {told}"


def _difference(old: Any, new: Any, name: str = "") -> tuple[str, Any, Any] | None:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            found = _difference(old.get(key), new.get(key), f"{name}.{key}" if name else key)
            if found:
                return found
        return None
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = zip(old, new, strict=True)
        return next(filter(None, (_difference(a, b, f"{name}[{i}]") for i, (a, b) in enumerate(pairs))), None)
    return None if old == new else (name, old, new)
