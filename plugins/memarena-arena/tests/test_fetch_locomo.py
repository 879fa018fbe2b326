"""`fetch.download` and `LoCoMo.fetch` against a local server that behaves well, badly or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from memarena.errors import DataError, StoreError, UsageError
from memarena_arena.fetch import ATTEMPTS, Remote, download
from memarena_arena.locomo import FILE_NAME, REVISION, URL_VARIABLE, LoCoMo

BODY = bytes(range(251)) * 4000
SHA256 = hashlib.sha256(BODY).hexdigest()
HALF = len(BODY) // 2


class Server(ThreadingHTTPServer):
    """Serves `BODY`, with faults that a test sets."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.body = BODY
        self.etag = '"one"'
        self.statuses: list[int] = []
        """Answers before the first good one."""
        self.cuts: list[int] = []
        """Bytes that each of the next answers sends before it breaks off."""
        self.ranges = True
        self.wrong_range = False
        self.announced: int | None = None
        self.extra = b""
        self.asked: list[tuple[str | None, str | None]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/locomo10.json"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        server = self.server
        wanted, condition = self.headers.get("Range"), self.headers.get("If-Range")
        server.asked.append((wanted, condition))
        if server.statuses:
            self.send_error(server.statuses.pop(0))
            return
        start = 0
        if wanted and server.ranges and condition in (None, server.etag):
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
        data = server.body[start:]
        self.send_response(206 if start else 200)
        if start:
            first = start + 1 if server.wrong_range else start
            self.send_header("Content-Range", f"bytes {first}-{len(server.body) - 1}/{len(server.body)}")
        if server.etag:
            self.send_header("ETag", server.etag)
        if server.announced != -1:
            length = len(data) if server.announced is None else server.announced
            self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(data[: server.cuts.pop(0)] if server.cuts else data + server.extra)


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield running
    running.shutdown()
    running.server_close()
    thread.join()


def bring(server: Server, to: Path, url: str = "") -> Path:
    remote = Remote(url=url or server.address, size=len(BODY), sha256=SHA256)
    return download(remote, to / "it.json", lambda cost: True, lambda done, total: None, pause=0.01)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_file_comes_whole_and_nothing_else_stays(server: Server, tmp_path: Path) -> None:
    assert bring(server, tmp_path).read_bytes() == BODY
    assert names(tmp_path) == ["it.json"]


def test_a_file_that_is_there_is_not_brought_again(server: Server, tmp_path: Path) -> None:
    bring(server, tmp_path)
    bring(server, tmp_path)
    assert len(server.asked) == 1


def test_another_file_of_that_name_is_left_alone(server: Server, tmp_path: Path) -> None:
    (tmp_path / "it.json").write_text("mine", encoding="utf-8")
    with pytest.raises(DataError, match="move it away first"):
        bring(server, tmp_path)
    assert (tmp_path / "it.json").read_text(encoding="utf-8") == "mine"
    assert server.asked == []


def test_a_stream_that_breaks_off_is_taken_up_where_it_ended(server: Server, tmp_path: Path) -> None:
    server.cuts = [HALF, 1000]
    assert bring(server, tmp_path).read_bytes() == BODY
    assert server.asked == [(None, None), (f"bytes={HALF}-", '"one"'), (f"bytes={HALF + 1000}-", '"one"')]


def test_a_later_call_goes_on_from_what_an_earlier_one_left(server: Server, tmp_path: Path) -> None:
    server.cuts = [1000] * ATTEMPTS
    with pytest.raises(DataError, match="the same command goes on from there"):
        bring(server, tmp_path)
    assert names(tmp_path) == ["it.json.part", "it.json.part.etag"]
    server.asked.clear()
    assert bring(server, tmp_path).read_bytes() == BODY
    assert server.asked == [(f"bytes={1000 * ATTEMPTS}-", '"one"')]


def test_a_server_that_ignores_ranges_sends_all_again(server: Server, tmp_path: Path) -> None:
    server.cuts = [HALF]
    server.ranges = False
    assert bring(server, tmp_path).read_bytes() == BODY
    assert len(server.asked) == 2


def test_a_version_that_changed_meanwhile_is_brought_from_its_start(server: Server, tmp_path: Path) -> None:
    (tmp_path / "it.json.part").write_bytes(b"x" * HALF)
    (tmp_path / "it.json.part.etag").write_text('"older"', encoding="utf-8")
    assert bring(server, tmp_path).read_bytes() == BODY
    assert server.asked == [(f"bytes={HALF}-", '"older"')]


def test_a_damaged_part_without_a_version_gets_a_second_chance(server: Server, tmp_path: Path) -> None:
    (tmp_path / "it.json.part").write_bytes(b"x" * HALF)
    assert bring(server, tmp_path).read_bytes() == BODY
    assert server.asked == [(f"bytes={HALF}-", None), (None, None)]


def test_a_part_that_is_too_long_is_thrown_away(server: Server, tmp_path: Path) -> None:
    (tmp_path / "it.json.part").write_bytes(BODY + b"x")
    assert bring(server, tmp_path).read_bytes() == BODY


def test_a_weak_version_is_not_used_to_go_on(server: Server, tmp_path: Path) -> None:
    server.etag = 'W/"one"'
    server.cuts = [HALF]
    assert bring(server, tmp_path).read_bytes() == BODY
    assert server.asked[1] == (f"bytes={HALF}-", None)


def test_another_range_than_the_one_asked_for_starts_anew(server: Server, tmp_path: Path) -> None:
    server.cuts = [HALF]
    server.wrong_range = True
    assert bring(server, tmp_path).read_bytes() == BODY


def test_a_range_that_cannot_be_had_starts_anew(server: Server, tmp_path: Path) -> None:
    (tmp_path / "it.json.part").write_bytes(BODY[:HALF])
    server.statuses = [416]
    assert bring(server, tmp_path).read_bytes() == BODY
    assert server.asked[1] == (None, None)


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_server_in_trouble_is_asked_again(server: Server, tmp_path: Path, status: int) -> None:
    server.statuses = [status, status]
    assert bring(server, tmp_path).read_bytes() == BODY


def test_a_server_that_stays_in_trouble_is_given_up(server: Server, tmp_path: Path) -> None:
    server.statuses = [500] * 50
    with pytest.raises(DataError, match=f"gave up after {ATTEMPTS} tries \\(HTTP 500"):
        bring(server, tmp_path)
    assert len(server.asked) == ATTEMPTS


def test_what_is_not_there_is_asked_for_once(server: Server, tmp_path: Path) -> None:
    server.statuses = [404]
    with pytest.raises(DataError, match="HTTP 404") as caught:
        bring(server, tmp_path)
    assert str(caught.value).startswith(server.address)
    assert len(server.asked) == 1


def test_other_content_of_the_same_length_is_refused(server: Server, tmp_path: Path) -> None:
    server.body = bytes(len(BODY))
    with pytest.raises(DataError, match=f"not {SHA256}"):
        bring(server, tmp_path)
    assert names(tmp_path) == []


def test_another_length_is_refused_before_a_byte_is_taken(server: Server, tmp_path: Path) -> None:
    server.announced = 10**15
    with pytest.raises(DataError, match="announces 1000000000000000 bytes where 1004000 are expected"):
        bring(server, tmp_path)
    assert names(tmp_path) == []


def test_more_bytes_than_announced_are_not_taken(server: Server, tmp_path: Path) -> None:
    server.announced = -1
    server.extra = b"x" * 10_000_000
    with pytest.raises(DataError, match="sends more than 1004000 bytes"):
        bring(server, tmp_path)
    assert sum(path.stat().st_size for path in tmp_path.glob("*.part")) == 0


def test_fewer_bytes_than_announced_are_asked_for_again(server: Server, tmp_path: Path) -> None:
    server.cuts = [HALF, 0, 0]
    assert bring(server, tmp_path).read_bytes() == BODY


def test_no_network_is_one_line(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is there a network") as caught:
        bring(server, tmp_path, "http://127.0.0.1:9/it.json")
    assert "\n" not in str(caught.value)


def test_an_address_of_a_file_is_refused(server: Server, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="begins with https"):
        bring(server, tmp_path, "file:///etc/hostname")


def test_the_cost_is_told_first_and_can_be_declined(server: Server, tmp_path: Path) -> None:
    said: list[str] = []

    def decline(cost: str) -> bool:
        said.append(cost)
        return False

    remote = Remote(url=server.address, size=len(BODY), sha256=SHA256)
    with pytest.raises(UsageError, match="not confirmed"):
        download(remote, tmp_path / "it.json", decline, lambda done, total: None)
    assert said[0].startswith(f"{server.address}: 1.0 MB into {tmp_path}, where ")
    assert server.asked == []


def test_a_disk_that_is_too_full_is_said_before_anything_starts(server: Server, tmp_path: Path) -> None:
    remote = Remote(url=server.address, size=shutil.disk_usage(tmp_path).total, sha256=SHA256)
    with pytest.raises(StoreError, match="make room or choose another folder"):
        download(remote, tmp_path / "it.json", lambda cost: True, lambda done, total: None)
    assert server.asked == []


def test_progress_ends_at_the_whole_size(server: Server, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    remote = Remote(url=server.address, size=len(BODY), sha256=SHA256)
    download(remote, tmp_path / "it.json", lambda cost: True, lambda *now: told.append(now))
    assert told[-1] == (len(BODY), len(BODY))
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_a_target_that_is_no_folder_is_one_line(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be read or written"):
        bring(server, tmp_path / "file")


def test_locomo_is_fetched_from_the_address_in_the_environment(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(URL_VARIABLE, server.address)
    with pytest.raises(DataError, match="announces 1004000 bytes where 2805274 are expected"):
        LoCoMo().fetch(tmp_path)


def test_the_published_file_is_fetched_and_accepted(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, published: Path
) -> None:
    server.body = published.read_bytes()
    monkeypatch.setenv(URL_VARIABLE, server.address)
    assert LoCoMo().fetch(tmp_path, REVISION) == tmp_path / FILE_NAME


@pytest.fixture
def published() -> Path:
    shared = os.environ.get("MEMARENA_SHARED") or str(Path(__file__).resolve().parents[4] / "shared")
    path = Path(shared) / "data" / "locomo" / FILE_NAME
    if not path.is_file():
        pytest.skip(f"{FILE_NAME} is not beside the checkout (MEMARENA_SHARED)")
    return path


def test_another_revision_of_locomo_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="pinned"):
        LoCoMo().fetch(tmp_path, "main")


def test_importing_the_loader_loads_no_http_client() -> None:
    code = "import sys, memarena_arena.locomo; print('urllib.request' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"
