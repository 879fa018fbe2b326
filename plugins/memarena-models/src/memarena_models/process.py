"""The gateway in a process of its own: `python -m memarena_models.process CONTROL LISTENER` (two open sockets).

A process, so that an adapter that computes does not slow the calls of the others. The run speaks to it over CONTROL,
one JSON object a line. What it says (an owner, a stage) has no answer; it is read before any call that is sent after
it, because both are here by then.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from pathlib import Path
from typing import Any

import msgspec

from memarena.errors import MemarenaError
from memarena.records import Record
from memarena_models.service import Owner, Service
from memarena_models.settings import Options
from memarena_models.upstreams import OfflineModel


class Start(Record, frozen=True, kw_only=True, tag=True):
    """The first line: what to run. Answered with `null` when the doors are open, or with an error."""

    options: Options
    keys: dict[str, str]
    folder: str | None


class Own(Record, frozen=True, kw_only=True, tag=True):
    """Calls with `key` are those of `owner`."""

    key: str
    owner: Owner


class InStage(Record, frozen=True, kw_only=True, tag=True):
    """The calls of a cell are booked to `stage`."""

    cell_id: str
    stage: str


class Ask(Record, frozen=True, kw_only=True, tag=True):
    """A question; answered with one line."""

    what: str
    """`usage` (of a cell), `rows`, `waiting` or `fatal`."""
    cell_id: str = ""


class Failed(Record, frozen=True, kw_only=True, tag=True):
    """The answer to `Start` where it failed."""

    message: str


Said = Start | Own | InStage | Ask


class Control:
    """Hears what the run says, and answers."""

    def __init__(self, connection: socket.socket, service: Service) -> None:
        self._connection = connection
        self._service = service
        self._rest = b""
        self._decoder = msgspec.json.Decoder(Own | InStage | Ask)

    def drain(self) -> None:
        """Hear everything that was said up to now; the end of the run ends the service."""
        while True:
            try:
                data = self._connection.recv(1 << 16, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            except ConnectionError:
                data = b""
            if not data:
                self._service.stop()
                return
            *lines, self._rest = (self._rest + data).split(b"\n")
            for line in lines:
                self._hear(self._decoder.decode(line))

    def say(self, value: Any) -> None:
        """Answer the run, which waits for it."""
        self._connection.sendall(msgspec.json.encode(value) + b"\n")

    def _hear(self, said: Own | InStage | Ask) -> None:
        match said:
            case Own():
                self._service.own(said.key, said.owner)
            case InStage():
                self._service.stage(said.cell_id, said.stage)
            case Ask(what="usage"):
                self.say(self._service.usage(said.cell_id))
            case Ask(what="rows"):
                self.say(self._service.rows())
            case Ask(what="waiting"):
                self.say(self._service.waiting())
            case Ask():
                fatal = self._service.fatal
                self.say(None if fatal is None else [fatal.code, str(fatal)])


def load_offline() -> OfflineModel:
    """The embedded model."""
    from memarena_models import offline

    return offline


def main() -> None:
    """Serve until the run closes CONTROL, or ends in whatever way."""
    # Ctrl-C and the end of a terminal are the run's business; it says when to stop.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    connection, listener = (socket.socket(fileno=int(number)) for number in sys.argv[1:3])
    with connection.makefile("rb", buffering=0) as stream:
        start = msgspec.json.decode(stream.readline(), type=Start)
    # The thread that writes the record must not keep the calls waiting for Python's usual 5 ms.
    sys.setswitchinterval(5e-4)
    with asyncio.Runner(loop_factory=_fast_loop()) as runner:
        runner.run(_serve(start, connection, listener))


async def _serve(start: Start, connection: socket.socket, listener: socket.socket) -> None:
    service = Service(start.options, start.keys, Path(start.folder) if start.folder else None, load_offline)
    control = Control(connection, service)
    service.before_call = control.drain
    asyncio.get_running_loop().add_reader(connection.fileno(), control.drain)
    try:
        await service.run(listener, lambda: control.say(None))
    except MemarenaError as error:
        control.say(Failed(message=str(error)))


def _fast_loop() -> Any:
    if sys.platform == "win32":
        return None
    import uvloop

    return uvloop.new_event_loop


if __name__ == "__main__":
    main()
