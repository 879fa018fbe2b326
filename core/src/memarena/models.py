"""The models of a run: which one plays which role, and the gateway through which all of them are reached."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memarena import catalog, codec, meter
from memarena.config import Settings, masked
from memarena.errors import UsageError
from memarena.protocols import Gateway
from memarena.selectors import parse_models
from memarena.store import RunStore

ROLES = ("inner", "embed", "answer", "judge")
"""Inside the memory systems; their embeddings; the answerer; the judge."""
OFFLINE = "offline"
"""The embedded model: it needs no upstream, and embeds as well."""
NOT_RECORDED = frozenset({"budgets", "faults", "port", "record", "retries", "timeouts", "upstreams"})
"""Options of a gateway that change no answer, or may change between two parts of a run."""
RECORD = "exchanges.sqlite"
"""The file of a run folder that holds its recorded model calls."""
JUDGE = "judge"
"""Owner of what judges ask; it is no cell."""


@dataclass
class Models:
    """The models of a run and their gateway; `gateway` is None where the run uses none."""

    names: Mapping[str, str]
    """Role -> name."""
    gateway: Gateway | None
    row: Mapping[str, Any]
    """How the header of the run knows them."""
    record: Path | None = None
    """The recorded calls of another run, to be replayed in this one."""

    @contextmanager
    def open(self, store: RunStore) -> Iterator[None]:
        """While this is open, every model call of the run goes through the gateway and has an owner."""
        if self.gateway is None:
            yield
            return
        if self.record is not None and not (store.path / RECORD).exists():
            with codec.storing(store.path / RECORD):
                shutil.copyfile(self.record, store.path / RECORD)
        self.gateway.start(store.path, self.names)
        undo = meter.register(self.gateway.usage, self.gateway.stage, self.gateway.endpoint, self.names)
        try:
            yield
        finally:
            undo()
            self.gateway.stop()


def choose(settings: Settings, options: Mapping[str, Any], wanted: Mapping[str, Any]) -> Models:
    """The models that `settings` name.

    `wanted`: role -> the plugin that cannot work without a model of that role. Raises UsageError where one is missing
    or a role is unknown.
    """
    named = parse_models(settings["models"])
    for role in named:
        if role and role not in ROLES:
            raise UsageError(f"--model {role}=...: no such role{catalog.did_you_mean(role, ROLES)}")
    names = {role: named.get(role) or named.get("", "") for role in ROLES}
    if "embed" not in named and not names["embed"].startswith(OFFLINE):
        names["embed"] = OFFLINE if names["inner"].startswith(OFFLINE) else ""
    names = {role: name for role, name in names.items() if name}
    for role, plugin in wanted.items():
        if role not in names:
            raise UsageError(f"{plugin} needs a model: name one with --model {role}=NAME, e.g. --model {role}=offline")
    if not names:
        return Models({}, None, {})
    entry = catalog.find("gateways", "local")
    record = _record(settings)
    replaying = record is not None and settings.origin["record"] == "default"
    told = {**settings.gateway, **options, "record": "replay" if replaying else settings["record"]}
    if settings["force_decoding"]:
        told["force_decoding"] = {"temperature": 0, "seed": settings["seed"]}
    gateway = catalog.make(entry.load(), told, who="[gateway]")
    kept = {name: value for name, value in told.items() if name not in NOT_RECORDED}
    row = {"names": names, "gateway": entry.name, "version": entry.version, "options": masked(kept)}
    return Models(names, gateway, row, record)


def _record(settings: Settings) -> Path | None:
    if not settings["replay_from"]:
        return None
    file = Path(settings["replay_from"]) / RECORD
    if not file.is_file():
        raise UsageError(f"--replay-from {settings['replay_from']}: there is no {RECORD}; name a run that used models")
    return file
