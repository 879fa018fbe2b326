"""How `letta` fails where its server does, with a small server that plays none of its parts well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from memarena.errors import ModelError, UsageError
from memarena.records import RunContext
from memarena.testing.loopback import Reply, Request, serving
from memarena.testing.model_server import ModelServer

pytest.importorskip("letta_client", reason="letta-client is not installed: pip install 'memarena-memgpt[letta]'")

from memarena_memgpt.letta.adapter import Letta
from memarena_memgpt.letta.options import LettaOptions
from memarena_memgpt.letta.server import LettaFailed


@dataclass
class Broken:
    """A server that gives the same to every request, and notes the keys that it is sent."""

    url: str = ""
    status: int = 200
    content: bytes = b""
    kind: str = "application/json"
    asked: int = 0
    key: str | None = None


@pytest.fixture
def broken() -> Iterator[Broken]:
    state = Broken()

    def answer(request: Request) -> Reply:
        state.asked += 1
        state.key = request.authorization or None
        return Reply(state.content, state.status, state.kind)

    with serving(answer) as state.url:
        yield state


def reset(upstream: ModelServer, folder: Path, **options: str) -> None:
    adapter = Letta(LettaOptions(dimensions=64, **options))  # type: ignore[arg-type]
    try:
        adapter.reset(
            RunContext(folder=str(folder), namespace="n", model=upstream.endpoint, embedding=upstream.endpoint)
        )
    finally:
        adapter.close()


def test_a_server_that_is_not_there_is_named(upstream: ModelServer, tmp_path: Path) -> None:
    with pytest.raises(LettaFailed, match=r"http://127.0.0.1:1: agents: no reply"):
        reset(upstream, tmp_path, url="http://127.0.0.1:1")


@pytest.mark.parametrize("status", [401, 500])
def test_a_refusal_is_told_and_nothing_is_tried_twice(
    status: int, broken: Broken, upstream: ModelServer, tmp_path: Path
) -> None:
    broken.status, broken.content = status, b'{"detail": "planted"}'
    with pytest.raises(LettaFailed, match=rf"status {status}: .*planted") as failed:
        reset(upstream, tmp_path, url=broken.url)
    assert failed.value.status == status
    assert broken.asked == 1


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"{no", "application/json"),
        (b"<html>a page of somebody else</html>", "text/html"),
        (b"[1, 2]", "application/json"),
        (b'{"id": "agent"}', "application/json"),
        (b"null", "application/json"),
    ],
)
def test_junk_is_told_as_such(content: bytes, kind: str, broken: Broken, upstream: ModelServer, tmp_path: Path) -> None:
    broken.content, broken.kind = content, kind
    with pytest.raises(LettaFailed, match="what came back cannot be read"):
        reset(upstream, tmp_path, url=broken.url)


def test_the_key_comes_from_the_variable_that_is_named(
    broken: Broken, upstream: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY_OF_THE_SERVER", "secret-7")
    broken.status = 500
    with pytest.raises(LettaFailed) as failed:
        reset(upstream, tmp_path, url=broken.url, key_variable="KEY_OF_THE_SERVER")
    assert broken.key == "Bearer secret-7"
    assert "secret-7" not in str(failed.value)


def test_a_variable_that_is_not_set_is_named(upstream: ModelServer, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="key_variable=KEY_OF_NOBODY"):
        reset(upstream, tmp_path, key_variable="KEY_OF_NOBODY")


@pytest.mark.parametrize(("missing", "flag"), [("model", "--model inner="), ("embedding", "--model embed=")])
def test_without_a_model_reset_names_the_flag(missing: str, flag: str, upstream: ModelServer, tmp_path: Path) -> None:
    given = {"model": upstream.endpoint, "embedding": upstream.endpoint}
    with pytest.raises(ModelError, match=flag):
        Letta().reset(RunContext(folder=str(tmp_path), namespace="n", **{**given, missing: None}))
