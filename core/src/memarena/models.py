"""The models of a run: which one plays which role, and the gateway through which all of them are reached."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
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
WATCHED = 2.0
"""Seconds between two looks at what is waited for."""
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

    def check(self) -> None:
        """Open the gateway once and close it, with nothing kept: raises ModelError where a model cannot be used.

        What is replayed from another run asks no model.
        """
        if self.gateway is not None and self.record is None:
            try:
                self.gateway.start(None, self.names)
            finally:
                self.gateway.stop()

    @contextmanager
    def open(self, store: RunStore, notice: Callable[[str], None] = lambda text: None) -> Iterator[None]:
        """While this is open, every model call of the run goes through the gateway and has an owner.

        `notice` is told what is waited for, and until when.
        """
        if self.gateway is None:
            yield
            return
        if self.record is not None and not (store.path / RECORD).exists():
            with codec.storing(store.path / RECORD):
                shutil.copyfile(self.record, store.path / RECORD)
        self.gateway.start(store.path, self.names)
        undo = meter.register(self.gateway.usage, self.gateway.stage, self.gateway.endpoint, self.names)
        ended = threading.Event()
        watch = threading.Thread(target=_watch, args=(self.gateway, notice, ended), daemon=True)
        watch.start()
        try:
            yield
        finally:
            ended.set()
            watch.join()
            undo()
            self.gateway.stop()


def _watch(gateway: Gateway, notice: Callable[[str], None], ended: threading.Event) -> None:
    """Say every few seconds what calls wait for, each wait once."""
    told: set[tuple[str, str]] = set()
    while not ended.wait(WATCHED):
        for one in gateway.waiting():
            until = f" until {datetime.fromtimestamp(one.until):%H:%M:%S}" if one.until else ""
            if (one.upstream, one.why + until) not in told:
                told.add((one.upstream, one.why + until))
                notice(f"{one.calls} calls wait for {one.upstream}{until}: {one.why}")


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
