"""The service of the gateway in a thread of this process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
from stand_in_upstream import in_thread, listen

from memarena.records import Endpoint
from memarena_models.service import Owner, Service
from memarena_models.settings import Options, Retries

QUICK = Retries(base=0.001, longest=0.002)
PATIENT = 120.0
"""Seconds that a busy machine may take for what it does at once when it is idle."""


class Host:
    """The service of the gateway in a thread of this process."""

    def __init__(self, options: Options, folder: Path | None, offline: Any, keys: Mapping[str, str]) -> None:
        listener = listen()
        self.base_url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        ready = threading.Event()

        async def serve() -> None:
            self.loop = asyncio.get_running_loop()
            self.service = Service(options, keys, folder, lambda: offline)
            await self.service.run(listener, ready.set)

        self.thread = in_thread(serve)
        assert ready.wait(PATIENT)
        self.http = httpx.Client(base_url=self.base_url, timeout=PATIENT, trust_env=False)

    def key(self, cell_id: str = "a~s", stage: str = "") -> str:
        key = f"key-of-{cell_id}-{stage}"
        self.loop.call_soon_threadsafe(self.service.own, key, Owner(cell_id=cell_id, stage=stage))
        return key

    def endpoint(self, cell_id: str = "a~s", stage: str = "", model: str = "m") -> Endpoint:
        return Endpoint(base_url=self.base_url, model=model, api_key=self.key(cell_id, stage))

    def post(self, path: str = "/chat/completions", cell_id: str = "a~s", stage: str = "", **body: Any) -> Any:
        """One call with the defaults of a test; `httpx.Response`."""
        whole = {"model": "m", "messages": [{"role": "user", "content": "hi"}], **body}
        if path != "/chat/completions":
            del whole["messages"]
        return self.http.post(path, json=whole, headers={"authorization": f"Bearer {self.key(cell_id, stage)}"})

    def row(self, cell_id: str = "a~s", stage: str = "write") -> Any:
        """The one row of the account of a cell and stage."""
        (row,) = [one for one in self.service.rows() if (one.cell_id, one.stage) == (cell_id, stage)]
        return row

    def stop(self) -> None:
        self.http.close()
        if self.thread.is_alive():
            self.loop.call_soon_threadsafe(self.service.stop)
            self.thread.join()
