"""The gateway `local`: every model call of a run goes through it, has an owner and a stage, and is counted."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from memarena.errors import MemarenaError, ModelError, UsageError
from memarena.meter import Usage
from memarena.records import Endpoint
from memarena_models import settings
from memarena_models.account import AccountRow
from memarena_models.attempts import Waiting
from memarena_models.process import Ask, Failed, InStage, Own, Start
from memarena_models.service import RECORD_FILE, Owner
from memarena_models.upstreams import OFFLINE, Routes

T = TypeVar("T")

START = 60.0
"""Seconds that the process of the gateway gets to open its doors."""
STOP = 30.0
"""Seconds that it gets to write down what is recorded."""
PINNED = {"answer": "answer", "judge": "judge"}
"""Roles whose calls are of one stage, whatever the loop does meanwhile."""


class LocalGateway:
    """Serves OpenAI's chat completions, responses and embeddings on the loopback, in a process of its own."""

    name = "local"
    revision = 1
    Options = settings.Options

    def __init__(self, options: settings.Options | None = None) -> None:
        """Raises UsageError where an option cannot work."""
        self.options = options or settings.Options()
        settings.check(self.options)
        self._models: Mapping[str, str] = {}
        self._keys: dict[tuple[str, str], str] = {}
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def secret_variables(self) -> frozenset[str]:
        """The environment variables that hold keys of upstreams: no child of the run may have them."""
        return frozenset(one.key_env for one in self.options.upstreams.values() if one.key_env)

    def start(self, folder: Path | None, models: Mapping[str, str]) -> None:
        """Open the doors. `folder` (None: nothing is kept) gets `exchanges.sqlite` and `usage.jsonl`.

        `models`: role -> model name, "" for all other roles; empty: any model may be asked for by name.
        Raises ModelError where a model has no upstream, an upstream no key, or does not answer.
        """
        if folder is None and self.options.record in ("record", "replay"):
            raise UsageError(f"record = {self.options.record!r} needs a folder to keep exchanges in")
        self._models = dict(models)
        self._keys.clear()  # a process that starts anew knows none of them
        options, keys = self._usable(frozenset(models.values()))
        recorded = folder is not None and (folder / RECORD_FILE).exists()
        if options.record in ("live", "record") or (options.record == "auto" and not recorded):
            from memarena_models.probe import probe

            for name in {Routes(options.upstreams).find_or_raise(model) for model in models.values()} - {OFFLINE}:
                probe(name, options.upstreams[name], keys[name])
        self._launch(Start(options=options, keys=keys, folder=None if folder is None else str(folder)))

    def endpoint(self, cell_id: str, role: str) -> Endpoint:
        """Where the model of `role` is reached for a cell; the same key each time."""
        model = self._models.get(role) or self._models.get("")
        if not model:
            raise ModelError(f"no model is chosen for the role {role!r}: name one with --model {role}=NAME")
        return Endpoint(base_url=self.base_url, model=model, api_key=self.key(cell_id, PINNED.get(role, "")))

    def key(self, cell_id: str, stage: str = "") -> str:
        """The key of a cell, good for any model; its calls are booked to `stage`, or to the one the cell is in."""
        with self._lock:
            key = self._keys.get((cell_id, stage))
            if key is None:
                key = self._keys[cell_id, stage] = "mem-" + secrets.token_urlsafe(24)
                self._say(Own(key=key, owner=Owner(cell_id=cell_id, stage=stage)))
        return key

    def stage(self, cell_id: str, stage: str) -> None:
        """From now on, calls with the cell's key are booked to `stage`."""
        with self._lock:
            self._say(InStage(cell_id=cell_id, stage=stage))

    def usage(self, cell_id: str) -> Mapping[str, Usage]:
        """What a cell has used since the start, by stage; calls answered from the record count as they did."""
        return self._ask(Ask(what="usage", cell_id=cell_id), dict[str, Usage])

    def account(self) -> list[AccountRow]:
        """Everything that was used, by session, cell, stage and model, earlier starts in this folder included."""
        return self._ask(Ask(what="rows"), list[AccountRow])

    def waiting(self) -> list[Waiting]:
        """Who waits for what, and until when."""
        return self._ask(Ask(what="waiting"), list[Waiting])

    def fatal(self) -> ModelError | None:
        """Why nothing is sent any more (a refused key, a full disk); None while all is well."""
        found = self._ask(Ask(what="fatal"), tuple[str, str] | None)  # type: ignore[arg-type]
        return None if found is None else ModelError(found[1])

    def stop(self) -> None:
        """Close the doors; everything recorded is on disk. Stopping twice is no harm."""
        process, self._process = self._process, None
        if process is None:
            return
        self._control.shutdown(socket.SHUT_RDWR)
        self._stream.close()
        self._control.close()
        try:
            process.wait(STOP)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._log.close()

    # -- the process --

    def _usable(self, models: frozenset[str]) -> tuple[settings.Options, dict[str, str]]:
        """The options with those upstreams whose key is there, and the keys. One that a model needs has to be there."""
        options = self.options
        if options.record == "replay":
            return options, {}
        routes = Routes(options.upstreams)
        needed = {routes.find_or_raise(model) for model in models}
        keys, upstreams = {}, {}
        for name, upstream in options.upstreams.items():
            try:
                keys[name] = settings.read_key(name, upstream)
            except ModelError:
                if name in needed or not models:
                    raise
            else:
                upstreams[name] = upstream
        return msgspec.structs.replace(options, upstreams=upstreams), keys

    def _launch(self, start: Start) -> None:
        try:
            listener = socket.create_server(("127.0.0.1", start.options.port), backlog=2048)
        except OSError as error:
            raise ModelError(f"port {start.options.port}: {error.strerror}; choose another, or 0 for any") from None
        self.base_url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        self._control, theirs = socket.socketpair()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the process)
        handed = (theirs.fileno(), listener.fileno())
        environment = {name: value for name, value in os.environ.items() if name not in self.secret_variables}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "memarena_models.process", *map(str, handed)],
            pass_fds=handed,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            env=environment,
        )
        theirs.close()
        listener.close()
        self._stream = self._control.makefile("rb")
        self._control.settimeout(START)
        try:
            failed = self._ask(start, Failed | None)  # type: ignore[arg-type]
        except BaseException:
            self.stop()
            raise
        self._control.settimeout(None)
        if failed is not None:
            self.stop()
            raise ModelError(failed.message)

    def _say(self, said: Any) -> None:
        if self._process is None:
            raise ModelError("the gateway is not running")
        try:
            self._control.sendall(msgspec.json.encode(said) + b"\n")
        except OSError:
            raise self._died() from None

    def _ask(self, asked: Any, kind: type[T]) -> T:
        with self._lock:
            self._say(asked)
            try:
                line = self._stream.readline()
            except OSError:
                line = b""
            if not line:
                raise self._died()
        return msgspec.json.decode(line, type=kind)

    def _died(self) -> MemarenaError:
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").strip().splitlines() or ["it said nothing"]
        return ModelError(f"the gateway ended unexpectedly: {lines[-1]}")
