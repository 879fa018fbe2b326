"""Reading the metadata of installed distributions."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena.metadata import distributions, normal

POINTS = "[memarena.adapters]\nwindow = memarena_window:Window\n"


def install(folder: Path, name: str = "memarena-window", version: str = "0.1", points: str = POINTS) -> Path:
    home = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    home.mkdir(parents=True)
    header = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: The newest turns.\n\nName: body\n"
    (home / "METADATA").write_text(header, encoding="utf-8")
    (home / "entry_points.txt").write_text(points, encoding="utf-8")
    return home


@pytest.fixture
def only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    return tmp_path


def test_a_distribution_has_its_name_version_summary_and_points(only: Path) -> None:
    install(only)
    (found,) = distributions("memarena.")
    assert found == (
        "memarena-window",
        "0.1",
        "The newest turns.",
        (("memarena.adapters", "window", "memarena_window:Window"),),
    )


def test_a_distribution_without_our_groups_is_left_out(only: Path) -> None:
    install(only, points="[console_scripts]\nx = y:z\n")
    assert list(distributions("memarena.")) == []


def test_extras_and_comments_are_no_part_of_a_target(only: Path) -> None:
    install(only, points="# memarena.\n[memarena.adapters]\n; no\na = m:A [fast]\n")
    (found,) = distributions("memarena.")
    assert found.points == (("memarena.adapters", "a", "m:A"),)


def test_windows_line_ends_are_read(only: Path) -> None:
    home = install(only)
    (home / "entry_points.txt").write_bytes(POINTS.replace("\n", "\r\n").encode())
    (found,) = distributions("memarena.")
    assert found.points == (("memarena.adapters", "window", "memarena_window:Window"),)


def test_an_egg_info_folder_counts_too(only: Path) -> None:
    home = only / "memarena_window.egg-info"
    home.mkdir()
    (home / "PKG-INFO").write_text("Name: memarena-window\nVersion: 0.2\n", encoding="utf-8")
    (home / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    (found,) = distributions("memarena.")
    assert (found.name, found.version) == ("memarena-window", "0.2")


def test_an_unpacked_egg_on_the_path_counts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    egg = tmp_path / "memarena_window-0.3.egg"
    (egg / "EGG-INFO").mkdir(parents=True)
    (egg / "EGG-INFO" / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(egg)])
    (found,) = distributions("memarena.")
    assert (found.name, found.version) == ("memarena_window", "0.3")


def test_a_zip_file_on_the_path_counts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = install(tmp_path / "unpacked")
    archive = tmp_path / "window.zip"
    with zipfile.ZipFile(archive, "w") as out:
        for file in home.iterdir():
            out.write(file, f"{home.name}/{file.name}")
    monkeypatch.setattr(sys, "path", [str(archive)])
    (found,) = distributions("memarena.")
    assert (found.name, found.summary) == ("memarena-window", "The newest turns.")


def test_the_first_of_two_path_entries_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "first", version="0.1")
    install(tmp_path / "second", name="Memarena.Window", version="0.2")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "first"), str(tmp_path / "second")])
    assert [found.version for found in distributions("memarena.")] == ["0.1"]


def test_missing_and_damaged_path_entries_hide_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "no.zip").write_bytes(b"this is no archive")
    install(tmp_path / "good")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "absent"), str(tmp_path / "no.zip"), str(tmp_path / "good")])
    assert [found.name for found in distributions("memarena.")] == ["memarena-window"]


def test_a_foreign_package_with_broken_metadata_hides_nothing(only: Path) -> None:
    home = install(only, name="aaa")
    (home / "METADATA").unlink()
    (home / "entry_points.txt").write_bytes(b"\xff\xfe memarena.\n[memarena.adapters\n= = =\n]]\n")
    (only / "bbb-1.dist-info").write_text("a file where a folder should be", encoding="utf-8")
    (only / "ccc-1.dist-info" / "entry_points.txt").mkdir(parents=True)
    install(only)
    assert [found.name for found in distributions("memarena.") if found.points] == ["memarena-window"]


def test_where_the_header_is_missing_the_folder_names_the_distribution(only: Path) -> None:
    (install(only) / "METADATA").unlink()
    (found,) = distributions("memarena.")
    assert (found.name, found.version, found.summary) == ("memarena_window", "0.1", "")


@pytest.mark.parametrize("name", ["Memarena_Window", "memarena.window", "memarena--window", "MEMARENA-_window"])
def test_names_are_compared_as_package_indexes_do(name: str) -> None:
    assert normal(name) == "memarena-window"


@given(st.binary(max_size=200))
def test_no_bytes_of_a_foreign_file_break_the_listing(tmp_path_factory: pytest.TempPathFactory, junk: bytes) -> None:
    folder = tmp_path_factory.mktemp("junk")
    home = install(folder, name="aaa")
    (home / "entry_points.txt").write_bytes(b"memarena.\n" + junk)
    (home / "METADATA").write_bytes(junk)
    install(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(folder)])
        assert "memarena-window" in [found.name for found in distributions("memarena.")]
