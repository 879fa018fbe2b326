"""Providers' quirks: how a request has to be changed for a model, as `quirks.toml` says."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct


class Rule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One quirk of the models that fit one of `models`."""

    models: tuple[str, ...]
    endpoints: tuple[str, ...] = ("chat", "responses", "embeddings")
    rename: Mapping[str, str] = {}
    drop: tuple[str, ...] = ()
    set: Mapping[str, Any] = {}


@cache
def rules(endpoint: str, model: str) -> tuple[Rule, ...]:
    """The rules for `model` (its name without the provider's, e.g. `openai/`) at `endpoint`, in order."""
    bare = model.rpartition("/")[2]
    return tuple(
        rule
        for rule in _all_rules()
        if endpoint in rule.endpoints and any(fnmatchcase(bare, pattern) for pattern in rule.models)
    )


def adapted(body: Mapping[str, Any], endpoint: str, model: str, forced: Mapping[str, Any]) -> dict[str, Any] | None:
    """`body` with `forced` fields and the model's quirks; None where nothing changes."""
    applied = rules(endpoint, model)
    decoding = forced if endpoint != "embeddings" else {}
    if not applied and not decoding:
        return None
    changed = {**body, **decoding}
    for rule in applied:
        for old, new in rule.rename.items():
            if old in changed:
                value = changed.pop(old)
                changed.setdefault(new, value)
        for name in rule.drop:
            changed.pop(name, None)
        changed.update(rule.set)
    return None if changed == body else changed


@cache
def _all_rules() -> tuple[Rule, ...]:
    text = files("memarena_models").joinpath("quirks.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text)["rule"], tuple[Rule, ...])
