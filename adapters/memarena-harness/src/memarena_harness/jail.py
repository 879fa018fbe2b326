"""What holds an agent: bubblewrap, the harness's own sandbox, or nothing; and the words that start bubblewrap.

In bubblewrap an agent has processes, users and a network of its own. It sees the system's programs, those that it was
started from, and its root, always at the same place: prompts are the same on every machine. Where the packages of
memarena lie in what it sees, their folders are empty.
"""

from __future__ import annotations

import functools
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from msgspec.structs import replace

from memarena.records import Endpoint, Record
from memarena_harness.hidden import own_packages
from memarena_harness.roots import FOLDERS, Root

INSIDE = Root.below(Path("/agent"))
"""The root as an agent sees it in bubblewrap."""
PORT = 8080
"""Where the gateway listens in bubblewrap."""
TMPFS_BYTES = 64 << 20
"""Size of each place in memory that an agent can write to."""
NO_KEY = "kept-outside"
"""What an agent in bubblewrap has in place of the key of its cell."""
PATH = "/usr/local/bin:/usr/bin:/bin"
_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_ETC = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "ssl/certs")
_SHELL = "/bin/bash" if Path("/bin/bash").exists() else "/bin/sh"
_IDENTITY = {
    "passwd": f"root:x:0:0::/agent/home:{_SHELL}\nagent:x:1000:1000::/agent/home:{_SHELL}\n",
    "group": "root:x:0:\nagent:x:1000:\n",
    "hosts": "127.0.0.1 localhost agent\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
"""Files of /etc that are made anew: those of the host name its people."""


class Jail(Record, frozen=True, kw_only=True):
    """How agents are held on this machine."""

    kind: Literal["bubblewrap", "own", "none"]
    """`own`: the harness's own sandbox, which holds the commands of the agent, not the harness itself."""
    bwrap: str = ""
    why: str = ""
    """Why it is not bubblewrap; "" where it is."""

    @property
    def apart(self) -> bool:
        """Whether the agent has a network of its own."""
        return self.kind == "bubblewrap"

    def seen(self, root: Root) -> Root:
        """`root` as the agent sees it."""
        return INSIDE if self.apart else root

    def seen_tool(self, name: str, place: Path) -> Path:
        """A folder of the program as the agent sees it."""
        return INSIDE.folder / name if self.apart else place

    def seen_model(self, model: Endpoint) -> Endpoint:
        """The model as the agent calls it: where it has a network of its own, its requests get the key outside."""
        if not self.apart:
            return model
        return replace(model, base_url=f"http://127.0.0.1:{PORT}{urlsplit(model.base_url).path}", api_key=NO_KEY)

    def words(self, command: Sequence[str], root: Root, tools: Mapping[str, Path]) -> list[str]:
        """`command`, whose words name what the agent sees, held. `tools`: name -> folder that is shown read-only."""
        if not self.apart:
            return list(command)
        binds = [("--bind", getattr(root, name), getattr(INSIDE, name)) for name in FOLDERS]
        binds.append(("--bind", root.temp, Path("/tmp")))
        binds += [("--ro-bind", place, self.seen_tool(name, place)) for name, place in tools.items()]
        shown = [word for how, here, there in binds for word in (how, str(here), str(there))]
        apart = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        named = ["--uid", "1000", "--gid", "1000", "--hostname", "agent", "--new-session", "--die-with-parent"]
        devices = ["--proc", "/proc", "--dev", "/dev", "--size", str(TMPFS_BYTES), "--tmpfs", "/dev/shm"]
        closed = ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(INSIDE.workspace)]
        return [self.bwrap, *apart, *named, *_system(), *devices, *shown, *self._hidden(tools), *closed, "--", *command]

    def _hidden(self, tools: Mapping[str, Path]) -> list[str]:
        """An empty folder in place of each that is not to be seen."""
        folders = {Path("/usr"): Path("/usr"), **{self.seen_tool(*tool): tool[1] for tool in tools.items()}}
        hidden = [str(there / own) for there, here in folders.items() for own in own_packages(here)]
        return [word for place in dict.fromkeys(hidden) for word in ("--tmpfs", place, "--remount-ro", place)]


def _system() -> list[str]:
    """The programs and libraries of the host, and of /etc only what names nobody."""
    words = ["--ro-bind", "/usr", "/usr"]
    for name in _SYSTEM:
        place = Path(name)
        if place.is_symlink():
            words += ["--symlink", str(place.readlink()), name]
        elif place.is_dir():
            words += ["--ro-bind", name, name]
    for name in _ETC:
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    for name in _IDENTITY:
        words += ["--ro-bind", str(identity_folder() / name), f"/etc/{name}"]
    return words


@functools.cache
def identity_folder() -> Path:
    """A folder with files of /etc that say the same on every machine; it goes with this process."""
    import atexit
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="memarena-jail-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, text in _IDENTITY.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
