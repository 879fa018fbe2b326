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
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from memarena import catalog, environments, installing, programs
from memarena.cli.doctor import doctor
from memarena.cli.env import env
from memarena.cli.install import install
from memarena.errors import PluginError, UsageError
from memarena.hosted import HostedAdapter
from memarena.installing import requirement_from, requirement_of, requirement_of_adapter
from memarena.rig import Rig


@pytest.fixture(autouse=True)
def envs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of environments, empty."""
    monkeypatch.setenv("MEMARENA_ENVS", str(tmp_path / "envs"))
    return tmp_path / "envs"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path, into which `installed` puts distributions."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


def installed(
    site: Path, name: str, points: str = "", origin: dict[str, object] | None = None, version: str = "0.1"
) -> None:
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[memarena.adapters]\n{points}\n", encoding="utf-8")
    if origin is not None:
        (info / "direct_url.json").write_text(json.dumps(origin), encoding="utf-8")


# -- where a distribution came from -----------------------------------------------------------

COMMIT = {"vcs": "git", "commit_id": "abc123"}


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        (None, ["mine[big]==0.1"]),
        ({"url": "file:///src/a%20b", "dir_info": {"editable": True}}, ["-e", "/src/a b[big]"]),
        ({"url": "file:///src/mine", "dir_info": {}}, ["mine[big] @ file:///src/mine"]),
        ({"url": "https://x.org/mine.whl", "archive_info": {}}, ["mine[big] @ https://x.org/mine.whl"]),
        ({"url": "https://x.org/r", "vcs_info": COMMIT}, ["mine[big] @ git+https://x.org/r@abc123"]),
        (
            {"url": "https://x.org/r", "vcs_info": COMMIT, "subdirectory": "a/b"},
            ["mine[big] @ git+https://x.org/r@abc123#subdirectory=a/b"],
        ),
    ],
)
def test_a_distribution_is_brought_from_where_it_was_installed(site, origin, words):
    installed(site, "mine", origin=origin)
    assert requirement_of("mine", ["big"]) == words


def test_the_extras_of_an_entry_point_are_brought_too(site):
    installed(site, "memarena-mine", "mine = mine:Mine [gpu]")
    assert requirement_of_adapter("mine") == ["memarena-mine[gpu]==0.1"]
    assert requirement_of_adapter("mine@memarena-mine", ["big"]) == ["memarena-mine[big,gpu]==0.1"]


def test_an_adapter_of_the_project_that_is_not_installed_is_brought_from_the_checkout_of_the_core(
    site, tmp_path, monkeypatch
):
    monkeypatch.setattr(catalog, "entries", lambda group: [])
    folder = tmp_path / "checkout" / "adapters" / "mem0"
    folder.mkdir(parents=True)
    (folder / "pyproject.toml").write_text('[project]\nname = "memarena_mem0"\n', encoding="utf-8")
    core = {"url": (tmp_path / "checkout" / "core").as_uri(), "dir_info": {"editable": True}}
    installed(site, "memarena", origin=core)
    assert requirement_of_adapter("mem0", ["x"]) == ["-e", f"{folder}[x]"]
    assert requirement_of_adapter("amem") == ["memarena-amem"]


def test_an_unknown_adapter_is_refused_with_a_proposal():
    with pytest.raises(PluginError, match="unknown adapter 'verbatm'; did you mean 'verbatim'"):
        requirement_of_adapter("verbatm")


def test_a_claimed_name_is_refused_by_both_owners(site):
    installed(site, "memarena-thief", "verbatim = thief:Verbatim")
    with pytest.raises(PluginError, match=r"claimed by memarena .* and memarena-thief 0.1"):
        requirement_of_adapter("verbatim")


def test_a_person_may_name_a_folder_a_file_a_url_or_a_requirement(tmp_path):
    (tmp_path / "mine.whl").touch()
    assert requirement_from(str(tmp_path), ["x"]) == ["-e", f"{tmp_path}[x]"]
    assert requirement_from(str(tmp_path / "mine.whl")) == [str(tmp_path / "mine.whl")]
    assert requirement_from("https://x.org/mine.whl") == ["https://x.org/mine.whl"]
    assert requirement_from("mine>=2", ["x"]) == ["mine[x]>=2"]


@pytest.mark.parametrize("source", ["./nowhere", "mine=2", ""])
def test_what_is_none_of_these_is_a_usage_error(source):
    with pytest.raises(UsageError, match="no such file or folder, and no requirement"):
        requirement_from(source or "/nowhere/at all")


def test_an_extra_of_a_bare_url_is_a_usage_error():
    with pytest.raises(UsageError, match=r"write NAME\[gpu\] @ URL"):
        requirement_from("https://x.org/mine.whl", ["gpu"])


# -- environments -----------------------------------------------------------------------------


def described(envs: Path, adapter: str = "mine") -> None:
    (envs / adapter).mkdir(parents=True)
    row = {"adapter": adapter, "distribution": "memarena-mine", "version": "1", "python": "/p/python", "source": "s"}
    (envs / adapter / "memarena-env.json").write_text(json.dumps(row), encoding="utf-8")


def test_an_environment_is_found_by_the_name_of_its_adapter(envs):
    described(envs)
    assert environments.find("mine") == Path("/p/python")
    assert environments.find("mine@memarena-mine") == Path("/p/python")
    assert environments.find("mine@other") is None
    assert environments.find("yours") is None


def test_a_half_made_environment_is_none(envs):
    (envs / "mine").mkdir(parents=True)
    assert environments.find("mine") is None
    assert environments.known() == []


def test_environments_are_listed_by_name(envs):
    described(envs, "b")
    described(envs, "a")
    shown = CliRunner().invoke(env, ["list"])
    assert shown.output == "a  memarena-mine 1  /p/python\nb  memarena-mine 1  /p/python\n"
    rows = json.loads(CliRunner().invoke(env, ["list", "--json"]).output)
    assert [row["adapter"] for row in rows] == ["a", "b"]


def test_an_environment_is_removed_once(envs):
    described(envs)
    environments.remove("mine")
    assert not (envs / "mine").exists()
    with pytest.raises(UsageError, match="mine has no environment below"):
        environments.remove("mine")


def test_without_a_setting_environments_stand_in_the_data_folder_of_the_user(monkeypatch, tmp_path):
    monkeypatch.delenv("MEMARENA_ENVS")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert environments.root() == tmp_path / "memarena" / "envs"


def test_a_second_environment_of_one_name_is_refused(envs):
    described(envs)
    with pytest.raises(UsageError, match=r"has an environment already: .*; memarena env remove mine"):
        environments.create("mine", source="mine")


@pytest.mark.parametrize("name", ["../x", "a/b", ""])
def test_a_name_that_is_no_folder_is_refused(name):
    with pytest.raises(UsageError):
        environments.create(name, source="mine")


def test_an_interpreter_that_is_not_there_is_refused():
    with pytest.raises(UsageError, match="--python nosuchpython: no such program"):
        environments.create("verbatim", python="nosuchpython")


def test_without_pip_and_uv_the_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr(installing, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(PluginError, match="neither pip nor uv is here; install with a tool of yours: mine==1"):
        installing.install_into(Path(sys.executable), ["mine==1"])


def recorder(folder: Path, name: str) -> Path:
    """A program that writes down its arguments."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f'#!/bin/sh\necho "$@" > "{folder}/{name}.said"\n', encoding="utf-8")
    file.chmod(0o755)
    return folder / f"{name}.said"


def test_without_pip_uv_is_used(monkeypatch, tmp_path):
    said = recorder(tmp_path / "bin", "uv")
    monkeypatch.setattr(installing, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    installing.install_into(Path("/p/python"), ["-e", "here"])
    assert said.read_text(encoding="utf-8") == "pip install --python /p/python -e here\n"


def test_in_an_environment_of_pipx_it_is_pipx_that_installs(monkeypatch, tmp_path):
    said = recorder(tmp_path / "bin", "pipx")
    (tmp_path / "memarena").mkdir()
    (tmp_path / "memarena" / "pipx_metadata.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "memarena"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    installing.install_here(["mine==1"])
    assert said.read_text(encoding="utf-8") == "inject memarena mine==1\n"


def test_an_installed_adapter_is_not_installed_again():
    shown = CliRunner().invoke(install, ["verbatim"])
    assert shown.output.startswith("verbatim is installed: memarena ")


# -- the whole way, without network -----------------------------------------------------------


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
    installed(site, "memarena", version=version)
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
