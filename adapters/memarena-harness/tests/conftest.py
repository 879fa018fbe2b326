"""What these tests share stands beside them."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from chat_server import ChatModel
from harness_model import serving
from hostile_world import SECRET, UPSTREAM_KEY
from responses_server import Model


@pytest.fixture
def model() -> Iterator[Model]:
    """A model on the loopback that says what its script holds."""
    with serving(Model()) as found:
        yield found


@pytest.fixture
def offline(model: Model) -> Model:
    """A model on the loopback that plays `offline`."""
    pytest.importorskip("memarena_models", reason="memarena-models is not installed")
    model.offline = True
    return model


@pytest.fixture
def chat() -> Iterator[ChatModel]:
    """A model on the loopback that streams chat completions."""
    with serving(ChatModel()) as found:
        yield found


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file outside of the root, and a key in the environment of memarena."""
    monkeypatch.setenv("OPENAI_API_KEY", UPSTREAM_KEY)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    file = tmp_path / "secret.txt"
    file.write_text(SECRET, encoding="utf-8")
    return file


@pytest.fixture
def listener() -> Iterator[tuple[int, list[bytes]]]:
    """A door of the host that nobody should find."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    heard.append(connection.recv(100))

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1], heard
        server.shutdown(socket.SHUT_RDWR)
