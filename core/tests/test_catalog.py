"""Which plugins are installed, from metadata alone; and how one of them is loaded."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from fake_installs import install

from memarena import catalog
from memarena.catalog import Entry, clashes, entries, find, load
from memarena.errors import PluginError, PluginLoadError


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A path entry of its own; modules of the standard library stay importable, other plugins are not listed."""
    standard = [entry for entry in sys.path if "site-packages" not in entry and "memarena" not in entry]
    monkeypatch.setattr(sys, "path", [str(tmp_path), *(entry for entry in standard if entry.endswith("python3"))])
    monkeypatch.delenv("MEMARENA_DISABLE", raising=False)
    return tmp_path


def test_rows_are_sorted_by_name_and_distribution(site: Path) -> None:
    install(site, "memarena-z", "b = z:B\na = z:A")
    install(site, "memarena-y", "b = y:B")
    assert [(row.name, row.distribution) for row in entries("adapters")] == [
        ("a", "memarena-z"),
        ("b", "memarena-y"),
        ("b", "memarena-z"),
    ]


def test_the_short_and_the_full_name_of_a_group_mean_the_same(site: Path) -> None:
    install(site, "memarena-a", "a = a:A")
    assert entries("adapters") == entries("memarena.adapters") != []


def test_listing_imports_no_plugin(site: Path) -> None:
    install(site, "memarena-a", "a = never_imported:A")
    (site / "never_imported.py").write_text("raise RuntimeError", encoding="utf-8")
    entries("adapters")
    assert "never_imported" not in sys.modules


def test_a_name_that_two_distributions_claim_is_refused_with_both_named(site: Path) -> None:
    install(site, "memarena-a", "same = a:A")
    install(site, "memarena-b", "same = b:B", version="2.0")
    with pytest.raises(PluginError) as caught:
        find("adapters", "same")
    assert str(caught.value) == (
        "the adapter 'same' is claimed by memarena-a 0.1 and memarena-b 2.0: say same@memarena-a or same@memarena-b"
    )


def test_the_distribution_behind_the_name_picks_one(site: Path) -> None:
    install(site, "memarena-a", "same = a:A")
    install(site, "memarena-b", "same = b:B")
    assert find("adapters", "same@memarena_B").distribution == "memarena-b"


def test_rivals_are_found(site: Path) -> None:
    install(site, "memarena-a", "same = a:A\nother = a:O")
    install(site, "memarena-b", "same = b:B")
    assert [[row.distribution for row in rivals] for rivals in clashes(entries("adapters"))] == [
        ["memarena-a", "memarena-b"]
    ]


def test_a_wrong_distribution_is_refused_with_the_right_one(site: Path) -> None:
    install(site, "memarena-a", "same = a:A")
    with pytest.raises(PluginError, match=r"^no adapter 'same@memarena-b'; there is same@memarena-a$"):
        find("adapters", "same@memarena-b")


def test_an_unknown_name_is_refused_with_the_closest_one(site: Path) -> None:
    install(site, "memarena-a", "bm25 = a:A")
    with pytest.raises(PluginError, match=r"^unknown adapter 'bm52'; did you mean 'bm25'\?$"):
        find("adapters", "bm52")


def test_a_known_plugin_that_is_not_installed_comes_with_what_to_install(site: Path) -> None:
    with pytest.raises(PluginError, match=r"^the adapter 'bm25' is not installed: pip install memarena-rag$"):
        find("adapters", "bm25")


def test_a_switched_off_plugin_is_not_listed_and_the_refusal_says_why(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(site, "memarena-a", "a = a:A\nb = a:B")
    monkeypatch.setenv("MEMARENA_DISABLE", "x, a")
    assert [row.name for row in entries("adapters")] == ["b"]
    with pytest.raises(PluginError, match=r"^the adapter 'a' is switched off by MEMARENA_DISABLE$"):
        find("adapters", "a")


def test_one_of_two_rivals_can_be_switched_off(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(site, "memarena-a", "same = a:A")
    install(site, "memarena-b", "same = b:B")
    monkeypatch.setenv("MEMARENA_DISABLE", "same@memarena-a")
    assert find("adapters", "same").distribution == "memarena-b"


def test_a_target_is_loaded(site: Path) -> None:
    install(site, "memarena-a", "a = module_a:Outer.Inner")
    (site / "module_a.py").write_text("class Outer:\n    class Inner:\n        pass\n", encoding="utf-8")
    assert load("adapters", "a").__qualname__ == "Outer.Inner"


def test_a_target_without_an_attribute_is_the_module(site: Path) -> None:
    install(site, "memarena-a", "a = module_whole")
    (site / "module_whole.py").write_text("", encoding="utf-8")
    assert load("adapters", "a").__name__ == "module_whole"


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("raise RuntimeError('no libfoo\\nmore')", "RuntimeError: no libfoo"),
        ("import nowhere_at_all", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("x = 1", "AttributeError: module 'm_broken' has no attribute 'Memory'"),
        ("def f(:", "SyntaxError: invalid syntax (m_broken.py, line 1)"),
        ("class Odd(BaseException): pass\nraise Odd", "Odd"),
    ],
)
def test_a_broken_plugin_is_an_error_that_names_it_and_the_cause(
    site: Path, monkeypatch: pytest.MonkeyPatch, source: str, problem: str
) -> None:
    install(site, "memarena-broken", "broken = m_broken:Memory")
    (site / "m_broken.py").write_text(source, encoding="utf-8")
    monkeypatch.delitem(sys.modules, "m_broken", raising=False)
    with pytest.raises(PluginLoadError) as caught:
        load("adapters", "broken")
    assert str(caught.value) == f"'broken' from memarena-broken 0.1 (m_broken:Memory): {problem}"
    assert caught.value.__cause__ is not None


def test_a_broken_plugin_does_not_hide_the_others(site: Path) -> None:
    install(site, "memarena-a-broken", "a-broken = m_away:A")
    install(site, "memarena-good", "good = m_good:Good")
    (site / "m_good.py").write_text("class Good: pass\n", encoding="utf-8")
    with pytest.raises(PluginLoadError):
        load("adapters", "a-broken")
    assert load("adapters", "good").__name__ == "Good"


def test_ctrl_c_during_an_import_is_no_fault_of_the_plugin(site: Path) -> None:
    install(site, "memarena-slow", "slow = m_slow:Slow")
    (site / "m_slow.py").write_text("raise KeyboardInterrupt", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        load("adapters", "slow")


def test_every_name_of_the_project_has_a_group_that_exists() -> None:
    assert set(catalog.FIRST_PARTY) <= set(catalog.GROUPS)


def test_a_row_says_who_it_is() -> None:
    row = Entry("broken", "m_broken:Memory", "memarena-broken", "0.1", "", "memarena.adapters")
    assert str(row) == "'broken' from memarena-broken 0.1 (m_broken:Memory)"
    assert row.selector == "broken@memarena-broken"
