"""What a person gets wrong in a pack is refused before any work, with its place, in one line, and with what to do."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
from builder_own_packs import TEXT, changed, found, written
from click.testing import CliRunner

from memarena.cli import cli
from memarena.errors import DataError, MemarenaError, UsageError
from memarena_builder.packs import load as loading
from memarena_builder.packs.load import check_all, domains_of
from memarena_builder.packs.places import read

HERE = Path(__file__).parent
FAULTS = tomllib.loads((HERE / "pack_faults.toml").read_text(encoding="utf-8"))
SHARED_FAULTS = [
    pytest.param(file, fault, id=f"{file}: {fault['new'][:40]}")
    for file, faults in tomllib.loads((HERE / "pack_faults_shared.toml").read_text(encoding="utf-8")).items()
    for fault in faults
]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_refused_with_its_place(name, tmp_path):
    fault = FAULTS[name]
    folder = written(tmp_path, changed(fault["old"], fault["new"]))
    with found(folder), pytest.raises(DataError) as refused:
        check_all("kennels", "en")
    error, said = refused.value, str(refused.value)
    assert error.file == str(folder / "en" / "kennels.toml") and error.path == fault["path"], said
    assert re.search(fault["what"], error.problem) and "\n" not in said


def test_what_is_not_in_utf_8_is_named_by_its_line(tmp_path):
    folder = written(tmp_path, TEXT.replace("Captain Fluff", "Führer").encode("latin-1"))
    line = next(number for number, text in enumerate(TEXT.split("\n"), 1) if "Captain Fluff" in text)
    with found(folder), pytest.raises(DataError, match=rf"kennels.toml: is not in UTF-8 \(at line {line}\): save it"):
        check_all("kennels", "en")


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        (b"\xef\xbb\xbf" + TEXT.encode(), "begins with a byte order mark"),
        (TEXT.encode("utf-16"), "is not in UTF-8"),
        (b"x = " + b"[" * 100_000, "is no TOML"),
        (b"", "the key 'domain' is missing"),
        (b"\x00", "is no TOML"),
    ],
)
def test_what_is_no_text_of_toml_is_refused(raw, what, tmp_path):
    with found(written(tmp_path, raw)), pytest.raises(DataError, match=f"kennels.toml: {what}"):
        check_all("kennels", "en")


@pytest.mark.parametrize(
    ("name", "language", "what"),
    [
        ("kennels", "fr", "there is no language 'fr' for its folder; there is: en, zh"),
        ("kennels", "zn", "there is no language 'zn' for its folder; there is: en, zh"),
        ("health", "en", "memarena-builder has a file of this name: rename yours"),
        ("common", "en", "memarena-builder has a file of this name: rename yours"),
        ("My Kennels", "en", "a pack is called by small letters"),
        ("zh", "en", "`sim:tiny+zh` means something else: rename the file"),
        ("twins3", "en", "`sim:tiny+twins3` means something else: rename the file"),
    ],
)
def test_a_file_that_can_be_no_pack_is_refused(name, language, what, tmp_path):
    folder = written(tmp_path, TEXT, name, language)
    with found(folder), pytest.raises(DataError, match=re.escape(what)) as refused:
        domains_of("en")
    assert refused.value.file == str(folder / language / f"{name}.toml")


def test_a_folder_without_packs_is_refused(tmp_path):
    with found(tmp_path), pytest.raises(UsageError, match="there are no packs; one is a file such as"):
        domains_of("en")
    with found(tmp_path / "nowhere"), pytest.raises(UsageError, match="there is no such folder"):
        domains_of("en")
    (tmp_path / "kennels.toml").write_text(TEXT, encoding="utf-8")
    with found(tmp_path), pytest.raises(DataError, match="belongs into the folder of its language"):
        domains_of("en")


def test_two_packs_of_one_name_are_refused(tmp_path):
    one, other = written(tmp_path / "one", TEXT), written(tmp_path / "other", TEXT)
    with found(one, other), pytest.raises(DataError, match="a pack of the same name: rename one of them"):
        domains_of("en")


def test_two_packs_with_an_attribute_of_one_name_are_refused(tmp_path):
    folder = written(written(tmp_path, TEXT), TEXT.replace('domain = "kennels"', 'domain = "hotel"'), "hotel")
    with found(folder), pytest.raises(DataError, match=r"has an attribute 'run' too: rename yours"):
        check_all("hotel", "en")


@pytest.mark.parametrize(
    ("command", "what"),
    [
        (
            ("build", "--domain", "kennels", "--out", "OUT"),
            "attribute['run'].about: there is no kind of entity 'border'",
        ),
        (("build", "--domain", "kenels", "--out", "OUT"), "no such domain in 'en'; did you mean 'kennels'?"),
        (("build", "--language", "zh", "--domain", "kennels", "--out", "OUT"), "no such domain in 'zh'"),
        (("packs",), "attribute['run'].about: there is no kind of entity 'border'"),
    ],
)
def test_a_command_says_so_in_one_line_before_any_work(command, what, tmp_path):
    out = tmp_path / "out"
    with found(written(tmp_path / "packs", changed('about = "boarder"', 'about = "border"'))):
        done = CliRunner().invoke(cli, ["data", *(str(out) if word == "OUT" else word for word in command)])
    assert isinstance(done.exception, MemarenaError) and done.exception.exit_code == 2
    assert what in str(done.exception) and "\n" not in str(done.exception) and not out.exists()


@pytest.mark.parametrize(("file", "fault"), SHARED_FAULTS)
def test_a_fault_in_what_all_domains_share_is_refused_with_its_place(file, fault, monkeypatch):
    text = files("memarena_builder.packs").joinpath("en", f"{file}.toml").read_text(encoding="utf-8")
    assert fault["old"] in text
    raw = tomllib.loads(text.replace(fault["old"], fault["new"], 1))
    monkeypatch.setattr(loading, "_read", lambda asked, language: raw if asked == file else read(asked, language))
    with found(), pytest.raises(DataError, match=f"en/{fault['what']}"):
        check_all("health", "en")
