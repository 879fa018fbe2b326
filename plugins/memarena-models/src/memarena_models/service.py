"""The gateway itself, running in a loop of its own: owners and stages in front, upstreams and records behind."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from memarena.errors import StoreError
from memarena.meter import Usage
from memarena.records import Record
from memarena_models.account import Account, AccountRow, PriceTable
from memarena_models.attempts import Attempts, Waiting
from memarena_models.books import Books
from memarena_models.budgets import Treasury
from memarena_models.calls import PATHS, Call, Refusal, Reply, read_call
from memarena_models.delivery import Out
from memarena_models.exchanges import Exchanges
from memarena_models.faults import FaultPlan
from memarena_models.relay import Relay
from memarena_models.server import make_server, models_list
from memarena_models.settings import Options, Upstream
from memarena_models.upstreams import OFFLINE, OfflineModel, Routes, Sender, ask_offline

RECORD_FILE = "exchanges.sqlite"
USAGE_FILE = "usage.jsonl"
SAVE_EVERY = 2.0
"""Seconds between two savings of the account."""
REFUSED = (401, 403)
"""What an upstream says of a key that it does not take."""


class Owner(Record, frozen=True, kw_only=True):
    """Whose key it is."""

    cell_id: str
    stage: str = ""
    """The stage of all its calls; "": the one that the cell is in."""


class Service:
    """Everything behind the doors. To be used in the thread of its loop only, but for what `run` says."""

    def __init__(
        self, options: Options, keys: Mapping[str, str], folder: Path | None, offline: Callable[[], OfflineModel]
    ) -> None:
        self._options = options
        self._keys = keys
        self._folder = folder
        self._load_offline = offline
        self._offline: OfflineModel | None = None
        self._owners: dict[str, Owner] = {}
        self._stages: dict[str, str] = {}
        self._routes = Routes(options.upstreams)
        self._faults = FaultPlan(options.faults)
        self._sender: Sender | None = None
        self._stop = asyncio.Event()
        self.before_call: Callable[[], None] = lambda: None
        """Called before a call's owner is looked up, so that what was said before it was sent is known."""
        self.fatal: Refusal | None = None
        """Why no call is answered any more; None while all is well."""

    # -- what the run says and asks --

    def own(self, key: str, owner: Owner) -> None:
        """From now on, calls with `key` are those of `owner`."""
        self._owners[key] = owner

    def stage(self, cell_id: str, stage: str) -> None:
        """From now on, the calls of a cell are booked to `stage`."""
        self._stages[cell_id] = stage

    def usage(self, cell_id: str) -> dict[str, Usage]:
        """What a cell has used, by stage."""
        return self._account.usage(cell_id)

    def rows(self) -> list[AccountRow]:
        """The account of all sessions in this folder."""
        return [*self._account.earlier, *self._account.rows()]

    def waiting(self) -> list[Waiting]:
        """Who waits for what."""
        return list(self._attempts.waiting())

    def stop(self) -> None:
        """End `run`."""
        self._stop.set()

    # -- running --

    async def run(self, listener: socket.socket, ready: Callable[[], None]) -> None:
        """Serve until `stop`; calls `ready` when the doors are open. Everything recorded is on disk at the end."""
        server = make_server(self)
        with self._opened():
            serving = asyncio.ensure_future(server.serve(sockets=[listener]))
            while not server.started and not serving.done():
                await asyncio.sleep(0.001)
            ready()
            saving = asyncio.ensure_future(self._save_regularly())
            await self._stop.wait()
            server.should_exit = True
            await serving
            saving.cancel()
            if self._sender is not None:
                await self._sender.close()

    @contextlib.contextmanager
    def _opened(self) -> Iterator[None]:
        prices = PriceTable(self._options.prices)
        self._account = Account(prices, None if self._folder is None else self._folder / USAGE_FILE)
        mode = self._options.record
        exchanges = None
        if mode != "live" and self._folder is not None:
            exchanges = Exchanges(self._folder / RECORD_FILE, self._disk_failed)
        gates = {OFFLINE: Upstream(base_url=""), **self._options.upstreams}
        self._attempts = Attempts(gates, self._options.retries, self._attempt)
        if mode != "replay" and self._options.upstreams:
            # A replayed run has nothing with which it could reach a network.
            self._sender = Sender(self._options.upstreams, self._keys, self._options.timeouts)
        treasury = Treasury(self._options.budgets, self._account.earlier)
        books = Books(self._account, prices, treasury, exchanges)
        self._relay = Relay(mode, books, self._attempts, self._keys)
        try:
            yield
        finally:
            self._relay.close()
            if exchanges is not None:
                exchanges.close()
            self._account.close()

    async def _save_regularly(self) -> None:
        while True:
            await asyncio.sleep(SAVE_EVERY)
            try:
                self._account.save()
            except StoreError as error:
                self._disk_failed(error)

    # -- calls --

    async def answer(self, path: str, key: str, body: bytes, out: Out) -> None:
        """Answer one call."""
        self.before_call()
        owner = self._owner(key)
        if self.fatal is not None:
            raise self.fatal
        stage = owner.stage or self._stages.get(owner.cell_id, "write")
        call = read_call(PATHS[path], body, owner.cell_id, stage, self._options.force_decoding)
        await self._relay.answer(call, self._routes.find(call.model), out)

    def models(self, key: str) -> bytes:
        """The models that can be asked for by name."""
        self.before_call()
        self._owner(key)
        return models_list([name for name in self._routes.known() if not set(name) & set("*?[")])

    def _owner(self, key: str) -> Owner:
        owner = self._owners.get(key)
        if owner is None:
            raise Refusal(401, "no_owner", "this key is of no cell of this run; use the one that the cell was given")
        return owner

    async def _attempt(self, call: Call, upstream: str) -> Reply:
        if self._faults.active:
            reply = await self._faults.attempt(call, lambda: self._send(call, upstream))
        else:
            reply = await self._send(call, upstream)
        if reply.status in REFUSED:
            raise self._key_refused(upstream, reply.status)
        return reply

    async def _send(self, call: Call, upstream: str) -> Reply:
        if upstream == OFFLINE:
            if self._offline is None:
                self._offline = self._load_offline()
            return await ask_offline(self._offline, call)
        assert self._sender is not None, "a replayed run asks no upstream"
        return await self._sender.send(call, upstream)

    def _key_refused(self, upstream: str, status: int) -> Refusal:
        variable = self._options.upstreams[upstream].key_env if upstream in self._options.upstreams else ""
        what = f"refuses the key in {variable}" if variable else "wants a key; name its variable with key_env"
        message = f"upstream {upstream!r} {what} (status {status}); nothing is sent any more"
        self.fatal = self.fatal or Refusal(401, "upstream_key_refused", message)
        return self.fatal

    def _disk_failed(self, error: StoreError) -> None:
        self.fatal = self.fatal or Refusal(507, "gateway_failed", str(error))
