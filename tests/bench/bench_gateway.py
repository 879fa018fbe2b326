"""What the gateway costs, against direct calls to the same upstream, with accounting and recording on.

The upstream, the gateway and the client are a process each, as in a run. MEMARENA_BENCH_FULL=1: the memory figure
over 100,000 calls instead of 10,000.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import uvloop

from memarena.records import Endpoint
from memarena_models.client import ModelClient
from memarena_models.gateway import LocalGateway
from memarena_models.settings import Options, Upstream

FULL = os.environ.get("MEMARENA_BENCH_FULL", "") not in ("", "0")
UPSTREAM = r"""
import asyncio, json, socket, time
import uvicorn

CHOICE = {"index": 0, "message": {"role": "assistant", "content": "hello there"}, "finish_reason": "stop"}
USAGE = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
REPLY = json.dumps({"id": "c", "object": "chat.completion", "created": 1, "model": "m",
                    "choices": [CHOICE], "usage": USAGE}).encode()
WHOLE = {"type": "http.response.start", "status": 200,
         "headers": [(b"content-type", b"application/json"), (b"content-length", str(len(REPLY)).encode())]}
STREAM = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]}

async def app(scope, receive, send):
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    if b'"stream":true' in body:
        await send(STREAM)
        for _ in range(4):
            await asyncio.sleep(0.1)
            chunk = {"choices": [{"index": 0, "delta": {"content": str(time.monotonic())}}]}
            await send({"type": "http.response.body", "body": b"data: %s\n\n" % json.dumps(chunk).encode(),
                        "more_body": True})
        await send({"type": "http.response.body", "body": b"data: [DONE]\n\n"})
        return
    if scope["path"].startswith("/slow"):
        await asyncio.sleep(0.05)
    await send(WHOLE)
    await send({"type": "http.response.body", "body": REPLY})

listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
print(listener.getsockname()[1], flush=True)
config = uvicorn.Config(app, lifespan="off", log_level="critical", access_log=False, http="httptools")
uvicorn.Server(config).run(sockets=[listener])
"""


@contextmanager
def upstream() -> Iterator[int]:
    """The port of a server without latency (below /slow: 50 ms)."""
    server = subprocess.Popen([sys.executable, "-c", UPSTREAM], stdout=subprocess.PIPE)
    assert server.stdout is not None
    try:
        yield int(server.stdout.readline())
    finally:
        server.kill()
        server.communicate()


def body(number: int) -> dict[str, Any]:
    """A request of about 500 bytes, unlike any other."""
    return {"model": "m", "messages": [{"role": "user", "content": f"{number}: " + "what was said? " * 30}]}


async def load(endpoint: Endpoint, calls: int, at_once: int, offset: int = 0) -> tuple[float, list[float]]:
    """Calls a second, and the seconds of each call, sorted."""
    url, headers = f"{endpoint.base_url}/chat/completions", {"authorization": f"Bearer {endpoint.api_key}"}
    times: list[float] = []
    numbers = iter(range(offset, offset + calls))
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def work() -> None:
            for number in numbers:
                begun = time.perf_counter()
                async with session.post(url, json=body(number), headers=headers) as reply:
                    await reply.read()
                    assert reply.status == 200
                times.append(time.perf_counter() - begun)

        begun = time.perf_counter()
        await asyncio.gather(*[work() for _ in range(at_once)])
        return calls / (time.perf_counter() - begun), sorted(times)


def latency(direct: Endpoint, through: Endpoint, offset: int) -> tuple[float, float]:
    """Added milliseconds of a call, p50 and p99: the best of three rounds, one call at a time."""
    found = []
    for round_ in range(3):
        _, bare = uvloop.run(load(direct, 1000, 1))
        _, ours = uvloop.run(load(through, 1000, 1, offset + 1000 * round_))
        found.append(tuple((ours[place] - bare[place]) * 1e3 for place in (500, 990)))
    return min(p50 for p50, _ in found), min(p99 for _, p99 in found)


def throughput(direct: Endpoint, through: Endpoint, offset: int) -> tuple[float, float]:
    """Calls a second at concurrency 64, direct and through the gateway: the best of three rounds."""
    bare = max(uvloop.run(load(direct, 3000, 64))[0] for _ in range(3))
    ours = max(uvloop.run(load(through, 3000, 64, offset + 3000 * n))[0] for n in range(3))
    return bare, ours


def efficiency(endpoint: Endpoint, offset: int) -> float:
    """Ideal time over real time of 2,000 calls of 50 ms, 32 at once, made by our own client in threads."""
    client = ModelClient()

    def ask(number: int) -> None:
        client.chat(endpoint, body(offset + number)["messages"])

    best = 0.0
    for round_ in range(3):
        with ThreadPoolExecutor(32) as pool:
            list(pool.map(ask, range(-32, 0)))
            begun = time.perf_counter()
            list(pool.map(ask, range(2000 * round_, 2000 * (round_ + 1))))
            best = max(best, 2000 / 32 * 0.05 / (time.perf_counter() - begun))
    client.close()
    return best


async def first_byte(endpoint: Endpoint) -> list[float]:
    """Milliseconds from an event's leaving the upstream to its reaching the client, sorted."""
    url, headers = f"{endpoint.base_url}/chat/completions", {"authorization": f"Bearer {endpoint.api_key}"}
    delays = []
    async with aiohttp.ClientSession() as session:
        for number in range(5):
            asked = {**body(-number), "stream": True}
            async with session.post(url, data=msgspec.json.encode(asked), headers=headers) as reply:
                async for part in reply.content.iter_any():
                    arrived = time.monotonic()
                    if b'"content": "' in part:
                        sent = float(part.partition(b'"content": "')[2].partition(b'"')[0])
                        delays.append((arrived - sent) * 1e3)
    return sorted(delays)


def resident(pid: int) -> float:
    """Megabytes that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def median(endpoint: Endpoint, offset: int) -> float:
    """p50 of a call in milliseconds; runs in a process of its own."""
    return uvloop.run(load(endpoint, 400, 1, offset))[1][200] * 1e3


def beside_computing(endpoint: Endpoint, offset: int) -> float:
    """Milliseconds that a call takes longer while a thread of the run computes without a pause."""
    stop = threading.Event()

    def compute() -> None:
        while not stop.is_set():
            sum(range(10_000))

    thread = threading.Thread(target=compute)
    with ProcessPoolExecutor(1, get_context("spawn")) as client:
        quiet = client.submit(median, endpoint, offset).result()
        thread.start()
        try:
            return client.submit(median, endpoint, offset + 400).result() - quiet
        finally:
            stop.set()
            thread.join()


def main() -> None:
    with upstream() as port, tempfile.TemporaryDirectory() as folder:
        base = f"http://127.0.0.1:{port}"
        servers = {
            "quick": Upstream(base_url=f"{base}/v1", models=("m",), concurrency=256),
            "slow": Upstream(base_url=f"{base}/slow/v1", models=("slow",), concurrency=256),
        }
        gateway = LocalGateway(Options(upstreams=servers))
        gateway.start(Path(folder), {"": "m"})
        through = gateway.endpoint("a~s", "inner")
        direct = Endpoint(base_url=f"{base}/v1", model="m", api_key="")
        try:
            p50, p99 = latency(direct, through, 0)
            print(f"added latency    p50 {p50:5.2f} ms, p99 {p99:5.2f} ms (target p50 < 2 ms)")
            bare, ours = throughput(direct, through, 10_000)
            print(f"concurrency 64   {ours:5.0f} calls/s, direct {bare:5.0f} (target > 1,000)")
            slow = Endpoint(base_url=through.base_url, model="slow", api_key=through.api_key)
            alone = efficiency(Endpoint(base_url=f"{base}/slow/v1", model="slow", api_key=""), 0)
            ours = efficiency(slow, 50_000)
            print(f"latency-bound    {ours:5.1%} of the ideal, direct {alone:5.1%} (target >= 92 %)")
            delays = uvloop.run(first_byte(through))
            print(
                f"streamed events  p50 {delays[len(delays) // 2]:5.2f} ms, worst {delays[-1]:5.2f} ms (target < 20 ms)"
            )
            print(f"computing run    a call takes {beside_computing(through, 90_000):5.2f} ms longer")
            pid = gateway._process.pid  # type: ignore[union-attr]
            before, calls = resident(pid), 100_000 if FULL else 10_000
            uvloop.run(load(through, calls, 64, 100_000))
            print(f"memory           {before:5.1f} MB, {resident(pid) - before:+.1f} MB after {calls:,} more calls")
        finally:
            gateway.stop()


if __name__ == "__main__":
    main()
