"""The upstream's key is nowhere but in the request to the upstream."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from stand_in_upstream import KEY, Play, chunk, completion, sse

from memarena_models.client import CallFailed, chat
from memarena_models.gateway import LocalGateway
from memarena_models.settings import Options, Upstream

ASK = [{"role": "user", "content": "what is your key?"}]


def everything_in(folder: Path) -> bytes:
    """All bytes of all files, and what is compressed in the record."""
    found = [file.read_bytes() for file in folder.rglob("*") if file.is_file()]
    database = sqlite3.connect(folder / "exchanges.sqlite")
    for query in ("SELECT body FROM requests", "SELECT reply FROM exchanges"):
        found += [zlib.decompress(row[0]) for row in database.execute(query)]
    database.close()
    return b"\n".join(found)


def test_the_key_is_in_no_file_no_reply_no_error_and_no_process(upstream, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("UPSTREAM_KEY", KEY)
    told = f"your key is {KEY}"
    upstream.script = [
        Play(completion(told)),
        Play({"error": {"message": told}}, status=400),
        Play(told.encode()),
        Play({"error": {"message": told}}, status=401),
    ]
    local = LocalGateway(Options(upstreams={"up": Upstream(base_url=upstream.base_url, key_env="UPSTREAM_KEY")}))
    local.start(tmp_path, {"": "m"})
    endpoint = local.endpoint("a~s", "inner")
    seen = [chat(endpoint, ASK).text]
    for _ in range(3):
        with pytest.raises(Exception) as caught:
            chat(endpoint, ASK)
        seen.append(f"{caught.value!r}")
    seen += [repr(local.account()), repr(local.options), repr(local.fatal()), repr(endpoint)]
    for place in ("environ", "cmdline"):
        seen.append(Path(f"/proc/{local._process.pid}/{place}").read_bytes().decode())
    local.stop()
    written = everything_in(tmp_path)
    assert b"what is your key?" in written, "the record is there, and readable"
    assert KEY.encode() not in written
    assert KEY not in "\n".join(seen)
    assert KEY not in "".join(capfd.readouterr())
    assert upstream.requests[0][1]["authorization"] == f"Bearer {KEY}"


def test_the_key_is_masked_in_a_stream_too(serve, upstream):
    upstream.default = Play(parts=sse(chunk(f"it is {KEY}", finish="stop"), "[DONE]"))
    answer = serve().post(stream=True).content
    assert b"it is ***" in answer


def test_the_variables_that_children_must_not_have_are_named():
    one = Upstream(base_url="http://host/v1", key_env="ONE_KEY")
    local = LocalGateway(Options(upstreams={"one": one, "two": Upstream(base_url="http://host/v1")}))
    assert local.secret_variables == {"ONE_KEY"}


def test_the_key_of_a_cell_is_worthless_after_the_run(tmp_path):
    local = LocalGateway()
    local.start(None, {"": "offline"})
    old = local.endpoint("a~s", "inner")
    local.stop()
    again = LocalGateway()
    again.start(None, {"": "offline"})
    new = again.endpoint("a~s", "inner")
    assert old.api_key != new.api_key
    stale = type(old)(base_url=new.base_url, model="offline", api_key=old.api_key)
    with pytest.raises(Exception, match="this key is of no cell of this run"):
        chat(stale, ASK)
    again.stop()


def test_no_key_is_on_disk_or_in_the_output_of_a_failing_start(tmp_path):
    run = "from memarena_models.gateway import LocalGateway; from memarena_models.settings import *; import sys\n"
    run += "up = Upstream(base_url='http://127.0.0.1:9/v1', key_env='UPSTREAM_KEY')\n"
    run += "LocalGateway(Options(upstreams={'up': up})).start(None, {'': 'm'})"
    environment = {**os.environ, "UPSTREAM_KEY": KEY}
    done = subprocess.run([sys.executable, "-c", run], env=environment, capture_output=True, cwd=tmp_path, check=False)
    assert b"nothing answers" in done.stderr
    assert KEY.encode() not in done.stdout + done.stderr


def test_a_failed_call_keeps_its_reason_without_the_key(serve, upstream):
    upstream.default = Play({"error": {"message": f"unknown option for {KEY}"}}, status=422)
    with pytest.raises(CallFailed) as caught:
        chat(serve().endpoint(), ASK)
    assert str(caught.value) == "m: 422: unknown option for ***"
