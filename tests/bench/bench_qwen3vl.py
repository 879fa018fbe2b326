"""Our own cost of multimodal retrieval beside the same calls by hand: a session of rounds and pictures, a question.

The encoders are tiny, so that nearly all of what is measured is ours or the library's, not the model's: a real one
makes every ratio smaller. They are measured in processor time, on one thread; the endpoint, which is a process of its
own, in time that passes. Without torch only the endpoint is measured.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import httpx
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from memarena.memory import whole_text
from memarena.records import Attachment, Endpoint, RunContext, Turn
from memarena_qwen3vl.adapter import Qwen3Vl
from memarena_qwen3vl.options import Qwen3VlOptions
from memarena_rag.documents import DocumentOptions, Documents

TESTS = Path(__file__).parents[2] / "adapters" / "memarena-qwen3vl" / "tests"
SESSIONS, ROUNDS, PICTURES, QUESTIONS, REPEATS = 8, 10, 3, 40, 5
TARGET = 1.1
LATENCY = 0.02
"""Seconds in which the endpoint makes an embedding: less than a real model takes for a picture."""

Vector = NDArray[np.float32]
Clock = Callable[[], float]
Embed = Callable[[list[str], list[str], bool], list[Vector]]
"""Texts, paths of pictures, whether they are a question -> a vector each."""


def sessions(folder: Path, repeat: int) -> list[list[Turn]]:
    """Dialogues that were never embedded before, with pictures of 600 x 400."""
    numbers = np.random.default_rng(repeat)
    found = []
    for session in range(SESSIONS):
        turns = []
        for index in range(2 * ROUNDS):
            shown: tuple[Attachment, ...] = ()
            if index % 2 == 0 and index // 2 < PICTURES:
                path = folder / f"{repeat}-{session}-{index}.png"
                cells = numbers.integers(0, 256, (20, 30, 3), dtype=np.uint8)
                Image.fromarray(cells).resize((600, 400), Image.Resampling.NEAREST).save(path)
                shown = (Attachment(image_id=path.stem, path=str(path)),)
            body = f"In run {repeat} this is turn {index} of session {session}, and it says a few words more."
            turns.append(
                Turn(
                    turn_id=f"S{session}:T{index}",
                    session_id=f"S{session}",
                    index=index,
                    role=("user", "assistant")[index % 2],
                    text=whole_text(body, shown),
                    body=body,
                    attachments=shown,
                )
            )
        found.append(turns)
    return found


def by_hand(dialogues: list[list[Turn]], embed: Embed, clock: Clock) -> tuple[float, float]:
    """Seconds of a session and of a question with what one would write without us: vectors in a list, one product."""
    rows: list[Vector] = []
    begun = clock()
    for turns in dialogues:
        documents = Documents(DocumentOptions())
        texts = [document.searched for turn in turns for document in documents.add(turn)]
        rows += embed(texts, [str(picture.path) for turn in turns for picture in turn.attachments], False)
    writing = (clock() - begun) / len(dialogues)
    matrix = np.stack(rows)
    times = []
    for number in range(QUESTIONS):
        begun = clock()
        (vector,) = embed([f"What says turn {number}?"], [], True)
        scores = matrix @ vector
        best = np.argpartition(-scores, 10)[:10]
        best[np.argsort(-scores[best])].tolist()
        times.append(clock() - begun)
    return writing, median(times)


def ours(dialogues: list[list[Turn]], adapter: Qwen3Vl, context: RunContext, clock: Clock) -> tuple[float, float]:
    """The same through the adapter."""
    adapter.reset(context)
    begun = clock()
    for turns in dialogues:
        for turn in turns:
            adapter.ingest_turn(turn)
        adapter.end_session(turns[0].session_id)
    writing = (clock() - begun) / len(dialogues)
    times = []
    for number in range(QUESTIONS):
        begun = clock()
        adapter.retrieve(f"What says turn {number}?", 10, ())
        times.append(clock() - begun)
    return writing, median(times)


def compare(name: str, folder: Path, embed: Embed, adapter: Qwen3Vl, context: RunContext, clock: Clock) -> None:
    """Print what a session and a question take; the two take turns, each time over new dialogues."""
    best = {"hand": (1e9, 1e9), "ours": (1e9, 1e9)}
    for repeat in range(REPEATS):
        dialogues = sessions(folder, repeat)
        for who, found in (
            ("hand", by_hand(dialogues, embed, clock)),
            ("ours", ours(dialogues, adapter, context, clock)),
        ):
            best[who] = (min(best[who][0], found[0]), min(best[who][1], found[1]))
    for place, what in enumerate((f"session of {2 * ROUNDS} turns and {PICTURES} pictures", "question")):
        hand, own = best["hand"][place] * 1e3, best["ours"][place] * 1e3
        print(f"{name}, {what}: {own:.2f} ms, by hand {hand:.2f} ms: {own / hand:.2f} times (target {TARGET})")


def with_model(folder: str) -> Embed:
    """The calls of sentence-transformers that one writes by hand."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(folder, device="cpu")

    def embed(texts: list[str], paths: list[str], query: bool) -> list[Vector]:
        encode = model.encode_query if query else model.encode_document
        rows = list(encode([{"text": text} for text in texts], show_progress_bar=False))
        if paths:
            pictures = [Image.open(path).convert("RGB") for path in paths]
            rows += list(encode(pictures, show_progress_bar=False))
        return rows

    return embed


def with_endpoint(endpoint: Endpoint) -> Embed:
    """The requests that one writes by hand, eight at a time."""
    import base64

    headers = {"authorization": f"Bearer {endpoint.api_key}"}
    client = httpx.Client(base_url=endpoint.base_url, headers=headers, trust_env=False)
    pool = ThreadPoolExecutor(8)

    def ask(part: dict[str, object]) -> Vector:
        messages = [
            {"role": "system", "content": [{"type": "text", "text": "Represent the user's input."}]},
            {"role": "user", "content": [part]},
            {"role": "assistant", "content": [{"type": "text", "text": ""}]},
        ]
        body = {"model": endpoint.model, "messages": messages, "continue_final_message": True}
        row = client.post("/embeddings", json=body).json()["data"][0]["embedding"]
        return np.asarray(row, dtype=np.float32)

    def embed(texts: list[str], paths: list[str], query: bool) -> list[Vector]:
        parts: list[dict[str, object]] = [{"type": "text", "text": text} for text in texts]
        for path in paths:
            data = base64.b64encode(Path(path).read_bytes()).decode()
            parts.append({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}})
        return list(pool.map(ask, parts))

    return embed


def serve(told: Connection) -> None:
    """An endpoint that gives every input the same vector of 1,024 numbers; tells where it is, then serves for ever."""
    import time
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    reply = json.dumps({"data": [{"index": 0, "embedding": [0.5] * 1024}]}).encode()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            time.sleep(LATENCY)
            self.send_response(200)
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.send(server.server_address[1])
    server.serve_forever()


@contextmanager
def serving() -> Iterator[Endpoint]:
    """`serve` in a process of its own."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(there,), daemon=True)
    process.start()
    try:
        yield Endpoint(base_url=f"http://127.0.0.1:{here.recv()}/v1", model="none", api_key="key")
    finally:
        process.terminate()
        process.join()


def main() -> None:
    with TemporaryDirectory() as place:
        folder = Path(place)
        with serving() as endpoint:
            context = RunContext(folder="", namespace="bench", embedding=endpoint)
            compare("endpoint", folder, with_endpoint(endpoint), Qwen3Vl(), context, perf_counter)
        if find_spec("torch") is None:
            print("encoders in this process: torch is not installed")
            return
        sys.path.insert(0, str(TESTS))
        import tiny_models
        import torch

        torch.set_num_threads(1)
        context = RunContext(folder="", namespace="bench")
        (folder / "clip").mkdir()
        made = {"CLIP": tiny_models.clip(folder / "clip")}
        if not tiny_models.NO_TORCHVISION:
            (folder / "bare").mkdir()
            made["Qwen3-VL"] = tiny_models.for_embeddings(tiny_models.qwen3_vl(folder / "bare"), folder / "qwen3")
        for name, model in made.items():
            compare(
                f"tiny {name}", folder, with_model(model), Qwen3Vl(Qwen3VlOptions(encoder=model)), context, process_time
            )


if __name__ == "__main__":
    main()
