"""What is to be installed for an adapter: where its distribution came from, or what a person names."""

from __future__ import annotations

import pytest
from fake_installs import install

from memarena import catalog
from memarena.errors import PluginError, UsageError
from memarena.installing import requirement_from, requirement_of, requirement_of_adapter

pytestmark = pytest.mark.usefixtures("envs")

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
    install(site, "mine", origin=origin)
    assert requirement_of("mine", ["big"]) == words


def test_the_extras_of_an_entry_point_are_brought_too(site):
    install(site, "memarena-mine", "mine = mine:Mine [gpu]")
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
    install(site, "memarena", origin=core)
    assert requirement_of_adapter("mem0", ["x"]) == ["-e", f"{folder}[x]"]
    assert requirement_of_adapter("amem") == ["memarena-amem"]


def test_an_unknown_adapter_is_refused_with_a_proposal():
    with pytest.raises(PluginError, match="unknown adapter 'verbatm'; did you mean 'verbatim'"):
        requirement_of_adapter("verbatm")


def test_a_claimed_name_is_refused_by_both_owners(site):
    install(site, "memarena-thief", "verbatim = thief:Verbatim")
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
