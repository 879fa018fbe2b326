"""The packages of memarena, with gold and solutions in them, are empty folders wherever an agent sees them."""

from __future__ import annotations

import sys
import venv
from pathlib import Path

import pytest
from harness_play import needs_jail

from memarena_harness import hidden
from memarena_harness.command_config import locate
from memarena_harness.hidden import own_packages
from memarena_harness.jail import PATH
from memarena_harness.preflight import choose
from memarena_harness.programs import bubblewraps
from memarena_harness.roots import Root
from memarena_harness.running import run

LIBRARY = Path("lib", f"python{sys.version_info[0]}.{sys.version_info[1]}", "site-packages")


def package(library: Path, name: str) -> Path:
    """A package with a module and, deeper, a file of data."""
    made = library / name
    (made / "data").mkdir(parents=True)
    (made / "__init__.py").write_text("word = 'readable'\n", encoding="utf-8")
    (made / "data" / "solutions.toml").write_text("answer = 'planted'\n", encoding="utf-8")
    return made


def environment(folder: Path) -> Path:
    """A virtual environment with memarena's puzzles and somebody else's package in it."""
    venv.create(folder, symlinks=True)
    package(folder / LIBRARY, "memarena_puzzles")
    package(folder / LIBRARY, "others")
    return folder


def said(folder: Path, words: list[str], **tools: Path) -> str:
    """What a command says in the jail."""
    root = Root.below(folder / "root")
    root.make()
    ended = run(words, root=root, jail=choose(bubblewraps()), environment={"PATH": PATH}, tools=tools)
    return ended.output.decode() + ended.said


@needs_jail
def test_a_python_of_an_environment_sees_what_is_installed_in_it_but_nothing_of_memarena(tmp_path: Path) -> None:
    here = environment(tmp_path / "venv")
    script = "import others, memarena_puzzles as m; print(others.word, list(m.__path__), getattr(m, 'word', 'nothing'))"
    located = locate(str(tmp_path / "agent.toml"), [str(here / "bin" / "python"), "-c", script], [])
    tools = {str(place): place for place in located.tools}
    empty = here / LIBRARY / "memarena_puzzles"
    assert said(tmp_path, list(located.words), **tools) == f"readable ['{empty}'] nothing\n"


@needs_jail
def test_data_of_memarena_cannot_be_uncovered(tmp_path: Path) -> None:
    here = environment(tmp_path / "venv")
    own, other = (here / LIBRARY / name / "data" / "solutions.toml" for name in ("memarena_puzzles", "others"))
    covered = own.parents[1]
    line = (
        f"cat {other} {own}; umount {covered}; unshare -Urm sh -c 'umount {covered}; umount -l {covered}; cat {own}';"
        f" grep -r planted {here}/lib; touch {covered}/x && echo written"
    )
    found = said(tmp_path, ["/bin/sh", "-c", line], **{str(here): here})
    assert f"cat: {own}: No such file" in found
    assert found.count("planted") == 2  # of the other package: by its name, and by the search
    assert "written\n" not in found


@needs_jail
def test_a_folder_that_is_shown_under_another_name_is_covered_there(tmp_path: Path) -> None:
    here = environment(tmp_path / "venv")
    line = "ls -d /agent/python/lib/*/*/*; ls -A /agent/python/lib/*/site-packages/memarena_puzzles"
    found = said(tmp_path, ["/bin/sh", "-c", line], python=here)
    library = f"/agent/python/{LIBRARY}"
    assert found.split() == [f"{library}/memarena_puzzles", f"{library}/others"]


def test_packages_are_found_where_this_interpreter_imports_them_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path / "checkout" / "plugins" / "src", "memarena_puzzles")
    package(tmp_path / "checkout" / "plugins" / "src", "others")
    monkeypatch.syspath_prepend(str(tmp_path / "checkout" / "plugins" / "src"))
    assert own_packages(tmp_path / "checkout") == (Path("plugins/src/memarena_puzzles"),)


def test_packages_are_found_in_the_libraries_of_every_python_of_a_folder(tmp_path: Path) -> None:
    package(tmp_path / "a" / "lib" / "python3.12" / "site-packages", "memarena_one")
    package(tmp_path / "b" / "lib" / "python3" / "dist-packages", "memarena_two")
    package(tmp_path / "b" / "lib" / "python3" / "dist-packages", "memarena_two.dist-info")
    assert own_packages(tmp_path) == (
        Path("a/lib/python3.12/site-packages/memarena_one"),
        Path("b/lib/python3/dist-packages/memarena_two"),
    )


def test_packages_are_found_in_the_libraries_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden, "_SYSTEM", tmp_path)
    package(tmp_path / "lib" / "python3" / "dist-packages", "memarena_one")
    package(tmp_path / "local" / "lib" / "python3.11" / "dist-packages", "memarena_two")
    assert own_packages(tmp_path) == (
        Path("lib/python3/dist-packages/memarena_one"),
        Path("local/lib/python3.11/dist-packages/memarena_two"),
    )
