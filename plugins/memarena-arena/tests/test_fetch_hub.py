"""`fetch_worldmemarena` against a local hub, with the real huggingface_hub."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from memarena.errors import DataError, PluginError, StoreError, UsageError
from memarena_arena import hub, manifest
from memarena_arena.hub import fetch_worldmemarena

needs_hub = pytest.mark.skipif(
    importlib.util.find_spec("huggingface_hub") is None,
    reason="huggingface_hub is not installed (extra `fetch`)",
)

REPO = "someone/arena"
COMMIT = "c0ffee" + "0" * 34
LARGE = "lifelong/personal/images/p_1/a.png"
FILES = {
    "README.md": b"not fetched",
    "small_ids.json": b'["p_1"]',
    "lifelong/personal/p_1.json": b'{"sample_id": "p_1", "sessions": []}',
    LARGE: bytes(range(256)) * 40,
    "agent/gui/web/web_1.json": b'{"sample_id": "web_1", "sessions": []}',
}
WANTED = sorted(name for name in FILES if name != "README.md")


class Hub(ThreadingHTTPServer):
    """As much of a hub's protocol as huggingface_hub speaks when it downloads a data set."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = dict(FILES)
        self.asked: list[str] = []
        self.ranges: list[str] = []
        self.cut: dict[str, int] = {}
        """Bytes after which the next answer ends."""
        self.listed_size: dict[str, int] = {}
        self.served: dict[str, bytes] = {}
        self.commit = COMMIT

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def facts(self, name: str) -> dict[str, object]:
        data = self.files[name]
        sha1 = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        row: dict[str, object] = {"size": self.listed_size.get(name, len(data)), "oid": sha1}
        if name == LARGE:
            row["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
        return row


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Hub

    def log_message(self, *args: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.answer(body=False)

    def do_GET(self) -> None:
        self.answer(body=True)

    def answer(self, *, body: bool) -> None:
        path = unquote(urlsplit(self.path).path)
        self.server.asked.append(f"{self.command} {path}")
        if path.startswith(f"/api/datasets/{REPO}"):
            self.list_files(path.removeprefix(f"/api/datasets/{REPO}"))
        elif path.startswith(f"/datasets/{REPO}/resolve/"):
            self.send_file(path.removeprefix(f"/datasets/{REPO}/resolve/").partition("/")[2], body=body)
        else:
            self.refuse("RepoNotFound")

    def list_files(self, rest: str) -> None:
        revision = rest.split("/")[2] if rest.count("/") >= 2 else "main"
        if revision not in ("main", self.server.commit):
            self.refuse("RevisionNotFound")
            return
        rows = [(name, self.server.facts(name)) for name in sorted(self.server.files)]
        if rest.startswith("/tree/"):
            listed: object = [{"type": "file", "path": name, **facts} for name, facts in rows]
        else:
            siblings = [{"rfilename": name, "size": f["size"], "blobId": f["oid"], **_lfs(f)} for name, f in rows]
            listed = {"id": REPO, "sha": self.server.commit, "siblings": siblings, "tags": [], "downloads": 0}
        self.send(200, json.dumps(listed).encode(), {"Content-Type": "application/json"})

    def refuse(self, code: str) -> None:
        self.send(404, b"{}", {"X-Error-Code": code, "X-Error-Message": code})

    def send_file(self, name: str, *, body: bool) -> None:
        data = self.server.served.get(name, self.server.files.get(name, b""))
        known = self.server.facts(name)
        lfs = known.get("lfs")
        etag = lfs["oid"] if isinstance(lfs, dict) else known["oid"]
        headers = {"ETag": f'"{etag}"', "X-Repo-Commit": self.server.commit, "Accept-Ranges": "bytes"}
        start, status = 0, 200
        if body and (wanted := self.headers.get("Range")):
            self.server.ranges.append(wanted)
            start, status = int(wanted.removeprefix("bytes=").partition("-")[0]), 206
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        if body and name in self.server.cut:
            end = start + self.server.cut.pop(name)
            self.send(status, data[start:end], headers, announced=len(data) - start)
            self.close_connection = True
            return
        self.send(status, data[start:] if body else b"", headers, announced=len(data) - start)

    def send(self, status: int, data: bytes, headers: dict[str, str], announced: int | None = None) -> None:
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(data) if announced is None else announced))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def _lfs(facts: dict[str, object]) -> dict[str, object]:
    lfs = facts.get("lfs")
    return {"lfs": {"sha256": lfs["oid"], "size": lfs["size"], "pointerSize": 130}} if isinstance(lfs, dict) else {}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    running = Hub()
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", running.address)
    monkeypatch.setenv(hub.REPO_VARIABLE, REPO)
    yield running
    running.shutdown()
    running.server_close()
    thread.join()


def brought(to: Path, revision: str | None = COMMIT, said: list[str] | None = None) -> Path:
    def confirm(cost: str) -> bool:
        if said is not None:
            said.append(cost)
        return True

    return fetch_worldmemarena(to, revision, confirm, lambda done, total: None)


def held(root: Path) -> list[str]:
    names = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    return sorted(name.as_posix() for name in names if name.parts[0] != ".cache")


@needs_hub
def test_a_snapshot_holds_the_samples_and_pictures_and_a_manifest(server: Hub, tmp_path: Path) -> None:
    root = brought(tmp_path / "arena")
    assert held(root) == sorted([*WANTED, manifest.FILE_NAME])
    assert all((root / name).read_bytes() == FILES[name] for name in WANTED)


@needs_hub
def test_the_manifest_names_commit_size_and_hash_of_every_file(server: Hub, tmp_path: Path) -> None:
    written = json.loads((brought(tmp_path / "arena") / manifest.FILE_NAME).read_text(encoding="utf-8"))
    assert (written["repo"], written["revision"]) == (REPO, COMMIT)
    assert written["files"]["small_ids.json"] == {
        "size": 7,
        "sha256": hashlib.sha256(b'["p_1"]').hexdigest(),
    }
    assert sorted(written["files"]) == WANTED


@needs_hub
def test_the_cost_is_told_before_anything_is_downloaded(server: Hub, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not confirmed"):
        fetch_worldmemarena(tmp_path / "arena", COMMIT, lambda cost: False, lambda done, total: None)
    assert not any("/resolve/" in line for line in server.asked)
    said: list[str] = []
    brought(tmp_path / "arena", said=said)
    assert said[0].startswith(f"{REPO} at {COMMIT}, 4 files: 0.0 MB into ")


@needs_hub
def test_a_branch_is_resolved_to_a_commit_and_said(server: Hub, tmp_path: Path) -> None:
    said: list[str] = []
    root = brought(tmp_path / "arena", "main", said)
    assert f"{REPO} at {COMMIT} (now main)" in said[0]
    known = manifest.read(root)
    assert known is not None
    assert known.revision == COMMIT


@needs_hub
def test_a_second_fetch_checks_the_hashes_and_asks_no_server(server: Hub, tmp_path: Path) -> None:
    brought(tmp_path / "arena")
    server.asked.clear()
    brought(tmp_path / "arena")
    assert server.asked == []


@needs_hub
def test_a_file_that_changed_is_named(server: Hub, tmp_path: Path) -> None:
    root = brought(tmp_path / "arena")
    (root / "small_ids.json").write_bytes(b'["p_2"]')
    with pytest.raises(DataError, match=r"small_ids\.json \(changed\)"):
        brought(root)


@needs_hub
def test_a_file_that_is_missing_is_brought_again(server: Hub, tmp_path: Path) -> None:
    root = brought(tmp_path / "arena")
    (root / LARGE).unlink()
    known = manifest.read(root)
    assert known is not None
    assert manifest.faults(root, known) == {LARGE: "missing"}
    server.asked.clear()
    brought(root)
    assert (root / LARGE).read_bytes() == FILES[LARGE]
    assert [line for line in server.asked if line.startswith("GET /datasets")] == [
        f"GET /datasets/{REPO}/resolve/{COMMIT}/{LARGE}"
    ]


@needs_hub
def test_a_folder_with_another_revision_is_left_alone(server: Hub, tmp_path: Path) -> None:
    root = brought(tmp_path / "arena")
    server.commit = "d" * 40
    with pytest.raises(UsageError, match="choose another folder"):
        brought(root, "main")
    assert (root / "small_ids.json").read_bytes() == FILES["small_ids.json"]


@needs_hub
def test_a_stream_that_is_cut_goes_on_where_it_ended(server: Hub, tmp_path: Path) -> None:
    megabyte = 1024 * 1024
    server.files[LARGE] = bytes(12 * megabyte)
    server.cut[LARGE] = 11 * megabyte
    root = brought(tmp_path / "arena")
    assert (root / LARGE).read_bytes() == server.files[LARGE]
    (resumed,) = server.ranges
    assert int(resumed.removeprefix("bytes=").partition("-")[0]) >= 10 * megabyte


@needs_hub
def test_a_fetch_that_was_interrupted_brings_no_file_twice(server: Hub, tmp_path: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch_worldmemarena(tmp_path / "arena", COMMIT, lambda cost: True, interrupt)
    assert not (tmp_path / "arena" / manifest.FILE_NAME).exists()
    server.asked.clear()
    brought(tmp_path / "arena")
    assert not any(line.startswith("GET /datasets") for line in server.asked)


@needs_hub
def test_bytes_that_do_not_have_the_listed_hash_are_refused_and_removed(server: Hub, tmp_path: Path) -> None:
    root = tmp_path / "arena"
    server.served = {name: bytes(len(FILES[name])) for name in (LARGE, "small_ids.json")}
    with pytest.raises(DataError, match=r"a\.png \(damaged, removed\), small_ids\.json \(damaged, removed\)"):
        brought(root)
    assert manifest.FILE_NAME not in held(root)
    server.served.clear()
    assert held(brought(root)) == sorted([*WANTED, manifest.FILE_NAME])


@needs_hub
def test_a_revision_that_does_not_exist_is_one_line(server: Hub, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        brought(tmp_path / "arena", "e" * 40)
    assert str(caught.value).startswith(f"{REPO}: could not be fetched: ")
    assert "\n" not in str(caught.value)


@needs_hub
def test_a_repository_that_does_not_exist_is_one_line(
    server: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(hub.REPO_VARIABLE, "nobody/nothing")
    with pytest.raises(DataError) as caught:
        brought(tmp_path / "arena")
    assert "\n" not in str(caught.value)


@needs_hub
def test_a_hub_that_cannot_be_reached_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(DataError, match="could not be fetched"):
        brought(tmp_path / "arena", "main")


@needs_hub
def test_a_name_that_leaves_the_folder_is_refused(server: Hub, tmp_path: Path) -> None:
    server.files["agent/../../evil.json"] = b"{}"
    with pytest.raises(DataError, match="does not stay inside"):
        brought(tmp_path / "arena")
    assert held(tmp_path) == []


@needs_hub
def test_a_full_disk_is_said_before_anything_is_downloaded(server: Hub, tmp_path: Path) -> None:
    server.listed_size[LARGE] = 10**18
    with pytest.raises(StoreError, match="make room or choose another folder"):
        brought(tmp_path / "arena")
    assert not any("/resolve/" in line for line in server.asked)


@needs_hub
def test_an_empty_repository_is_refused(server: Hub, tmp_path: Path) -> None:
    server.files = {"README.md": b"nothing here"}
    with pytest.raises(DataError, match="neither agent/ nor lifelong/"):
        brought(tmp_path / "arena")


def test_a_revision_must_be_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--revision"):
        brought(tmp_path, None)


def test_without_the_library_the_command_that_installs_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(PluginError, match=r"pip install 'memarena-arena\[fetch\]'"):
        brought(tmp_path, "main")
