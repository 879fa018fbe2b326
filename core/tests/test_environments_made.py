"""Environments made the whole way, without a network, and the programs of their adapters."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from click.testing import CliRunner
from fake_installs import install
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from memarena import environments, programs
from memarena.cli.doctor import doctor
from memarena.cli.env import env
from memarena.errors import PluginError
from memarena.hosted import HostedAdapter
from memarena.rig import Rig

pytestmark = pytest.mark.usefixtures("envs")


def needed(*names: str) -> set[str]:
    """These distributions and all that they require, as far as they are installed."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name not in found:
            found.add(name)
            lines = map(Requirement, metadata.requires(name) or ())
            waiting += [line.name for line in lines if line.marker is None or line.marker.evaluate({"extra": ""})]
    return found


def pack(name: str, folder: Path) -> None:
    """Make a wheel of an installed distribution, unless it stands elsewhere."""
    found = metadata.distribution(name)
    if found.read_text("direct_url.json"):
        return
    tag = next(line[5:] for line in (found.read_text("WHEEL") or "").splitlines() if line.startswith("Tag: "))
    stem = f"{found.name.replace('-', '_')}-{found.version}"
    left_out = ("INSTALLER", "REQUESTED", "direct_url.json")
    with zipfile.ZipFile(folder / f"{stem}-{tag}.whl", "w") as wheel:
        for file in found.files or ():
            if ".." not in file.parts and file.suffix != ".pyc" and file.name not in left_out:
                wheel.write(str(file.locate()), str(file))


def wheel(folder: Path, name: str, version: str, files: dict[str, str]) -> Path:
    """A wheel of a distribution with these files."""
    stem = f"{name.replace('-', '_')}-{version}"
    parts = {
        **files,
        f"{stem}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{stem}.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    file = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as archive:
        for place, text in parts.items():
            archive.writestr(place, text)
        archive.writestr(f"{stem}.dist-info/RECORD", "".join(f"{place},,\n" for place in parts))
    return file


def window(folder: Path, more: str = "", points: str = "") -> Path:
    """A wheel with the adapter `window`, and `more`."""
    code = f"from memarena.floors import Verbatim\n\n\nclass Window(Verbatim):\n    pass\n{more}"
    points = f"[memarena.adapters]\nwindow = memarena_window:Window\n{points}"
    files = {"memarena_window.py": code, "memarena_window-0.1.dist-info/entry_points.txt": points}
    return wheel(folder, "memarena-window", "0.1", files)


@pytest.fixture
def wheels(tmp_path: Path, site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All that pip may take, so that it needs no network; the core is one of them, as if it came from an index."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    version = metadata.version("memarena")
    for name in needed("memarena"):
        pack(name, folder)
    origin = metadata.distribution("memarena").read_text("direct_url.json")
    if origin:
        if importlib.util.find_spec("hatchling") is None:
            pytest.skip("hatchling, which builds the core, is not here")
        words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
        source = url2pathname(urlsplit(json.loads(origin)["url"]).path)
        subprocess.run(words, cwd=source, check=True, capture_output=True)
    install(site, "memarena", version=version)
    for name, value in {"NO_INDEX": "1", "FIND_LINKS": str(folder), "CONFIG_FILE": "/dev/null", "QUIET": "1"}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    return folder


def test_an_environment_is_made_from_a_file_and_hosts_its_adapter(wheels, envs):
    shown = CliRunner().invoke(env, ["create", "window", "--from", str(window(wheels))], catch_exceptions=False)
    python = environments.find("window")
    assert shown.output == f"window: memarena-window 0.1 in {python}\n"
    adapter = HostedAdapter("w", "window", python=python)
    assert (adapter.plugin.distribution, adapter.plugin.version) == ("memarena-window", "0.1")
    assert Rig("w", adapter).get_capabilities().verbatim
    adapter.close()


PROGRAMS = """
class Programs:
    def install(self, folder):
        from memarena.errors import PluginError
        if folder.parent.name != "window":
            raise PluginError("it goes nowhere else")
        folder.mkdir()
        (folder / "glazier").write_text("installed", encoding="utf-8")
        print("what an installer says")
        return {"glazier": "1.2"}

    def look(self):
        from memarena import environments
        from memarena.programs import Look
        places = [folder / "glazier" for folder in environments.program_folders("window")]
        return Look(found=f"glazier 1.2 at {[place for place in places if place.exists()][0]}")
"""
POINT = "[memarena.programs]\nwindow = memarena_window:Programs\n"


def test_the_programs_of_an_adapter_are_installed_into_its_environment_and_found_there(wheels, envs):
    source = str(window(wheels, PROGRAMS, POINT))
    shown = CliRunner().invoke(env, ["create", "window", "--from", source], catch_exceptions=False)
    python = envs / "window" / "bin" / "python"
    assert shown.output == f"window: memarena-window 0.1, glazier 1.2 in {python}\n"
    place = envs / "window" / "programs" / "glazier"
    assert programs.look(python, "window", 60).found == f"glazier 1.2 at {place}"
    rows = json.loads(CliRunner().invoke(doctor, ["--json"]).stdout)["programs"]
    assert {"adapter": "window", "found": f"glazier 1.2 at {place}", "advice": ""} in rows
    environments.remove("window")
    assert not place.exists()


def test_programs_that_cannot_be_installed_leave_no_environment(wheels, envs):
    refused = PROGRAMS.replace("folder.parent.name", "folder.name")
    with pytest.raises(PluginError, match="the programs of window cannot be installed, see above"):
        environments.create("window", source=str(window(wheels, refused, POINT)))
    assert list(envs.iterdir()) == []


def test_a_look_that_fails_or_hangs_is_told(tmp_path):
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\necho first >&2; echo no luck >&2; exit 1\n", encoding="utf-8")
    script.chmod(0o755)
    assert programs.look(script, "window", 60).advice == "no luck"
    script.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    assert programs.look(script, "window", 0.1).advice == "not found out after 0.1 s"


def test_an_adapter_without_programs_needs_none(tmp_path):
    assert programs.install(Path(sys.executable), "verbatim", tmp_path / "programs") == {}
    assert programs.look(Path(sys.executable), "verbatim", 60) == programs.Look()


def test_what_brings_another_adapter_leaves_no_environment(wheels, envs):
    with pytest.raises(PluginError, match="brings no adapter 'door'; there is: constant, last-session"):
        environments.create("door", source=str(window(wheels)))
    assert list(envs.iterdir()) == []


def test_what_cannot_be_installed_leaves_no_environment(wheels, envs):
    with pytest.raises(PluginError, match=r"failed with exit code 1, see above: .* memarena-nosuch"):
        environments.create("nosuch", source="memarena-nosuch")
    assert list(envs.iterdir()) == []
