"""Finding, loading and making plugins."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest

from memarena import catalog
from memarena.catalog import Entry, clashes, entries, find, load, make
from memarena.errors import AdapterContractError, PluginError, PluginLoadError, UsageError
from memarena.option_values import read_options


def install(folder: Path, distribution: str, points: str, version: str = "0.1") -> None:
    home = folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
    home.mkdir(parents=True)
    (home / "METADATA").write_text(f"Name: {distribution}\nVersion: {version}\nSummary: S.\n", encoding="utf-8")
    (home / "entry_points.txt").write_text(f"[memarena.adapters]\n{points}\n", encoding="utf-8")


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


# -- making -----------------------------------------------------------------------------------


class Tuned:
    """Takes options."""

    class Options(msgspec.Struct, frozen=True):
        budget: int = 100
        ratio: float = 0.5
        user: str = "ana"
        tags: tuple[str, ...] = ()
        fast: bool = False

    def __init__(self, options: Options) -> None:
        self.options = options


class Chosen:
    """Takes options of which only some values can be given."""

    class Options(msgspec.Struct):
        mode: Literal["fast", "exact"] = "fast"
        level: Literal[1, 2] = 1
        kinds: tuple[Literal["a", "b"], ...] = ()
        maybe: Literal["yes"] | None = None
        share: Annotated[float, msgspec.Meta(le=1.0)] = 0.0

    def __init__(self, options: Options) -> None:
        self.options = options


class Plain:
    """An adapter without options."""

    def reset(self, context: Any) -> None:
        pass


class Bare:
    """No adapter, and no options."""


def test_a_class_with_options_is_given_the_defaults() -> None:
    assert make(Tuned, {}).options == Tuned.Options()


def test_texts_become_what_the_options_say() -> None:
    made = make(Tuned, {"budget": "7", "ratio": "0.25", "fast": "true", "tags": ["a", "b"]})
    assert made.options == Tuned.Options(budget=7, ratio=0.25, fast=True, tags=("a", "b"))


def test_a_number_for_a_text_option_is_its_text() -> None:
    assert make(Tuned, {"user": 42}).options.user == "42"


def test_an_unknown_option_is_refused_with_the_closest_one() -> None:
    with pytest.raises(UsageError, match=r"^mine has no option 'budgte'; did you mean 'budget'\?$"):
        make(Tuned, {"budgte": 1}, who="mine")


def test_a_wrong_type_is_refused_with_the_option_and_the_value() -> None:
    with pytest.raises(UsageError, match=r"^Tuned: option 'budget': Expected `int`, got `str` \('lots'\)$"):
        make(Tuned, {"budget": "lots"})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"mode": "slow"}, "option 'mode': 'slow' is not one of fast, exact"),
        ({"mode": 5}, "option 'mode': '5' is not one of fast, exact"),
        ({"mode": None}, "option 'mode': None is not one of fast, exact"),
        ({"level": 3}, "option 'level': 3 is not one of 1, 2"),
        ({"kinds": ["a", "c"]}, "option 'kinds': 'c' is not one of a, b"),
        ({"kinds": "a"}, "option 'kinds': 'a' is no list; a list is written [\"a\"]"),
        ({"maybe": "no"}, "option 'maybe': 'no' is not one of yes"),
        ({"share": 2}, "option 'share': Expected `float` <= 1.0 (2)"),
    ],
)
def test_a_value_that_cannot_be_given_is_refused_with_those_that_can(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as refused:
        make(Chosen, options, who="mine")
    assert str(refused.value) == f"mine: {said}"
    assert make(Chosen, {"level": "2", "mode": "exact"}).options == Chosen.Options(level=2, mode="exact")


def test_an_option_is_named_as_it_is_set_where_that_is_known() -> None:
    with pytest.raises(UsageError, match=r"^part\.budget: Expected `int`, got `str` \('lots'\)$"):
        read_options(Tuned.Options, {"budget": "lots"}, who="the part", label="part")


def test_a_missing_option_is_refused_by_name() -> None:
    class Needs(Tuned):
        class Options(msgspec.Struct):
            path: str

    with pytest.raises(UsageError, match="missing required field `path`"):
        make(Needs, {})


def test_an_adapter_without_options_is_made_and_finds_them_in_its_context() -> None:
    assert isinstance(make(Plain, {"anything": 1}), Plain)


def test_options_for_a_plugin_that_takes_none_are_refused() -> None:
    with pytest.raises(UsageError, match=r"^Bare takes no options, yet was given a, b$"):
        make(Bare, {"b": 1, "a": 2})


def test_options_that_are_no_struct_break_the_contract() -> None:
    class Odd:
        Options = dict

    with pytest.raises(AdapterContractError, match=r"^Odd: Options is to be a msgspec.Struct$"):
        make(Odd, {})


def test_options_of_a_type_that_cannot_be_read_break_the_contract() -> None:
    class Odd(Tuned):
        class Options(msgspec.Struct):
            both: int | Bare | str = 0

    with pytest.raises(AdapterContractError, match=r"^Odd: Options has a type that options cannot have: "):
        make(Odd, {"both": 1})


def test_a_check_inside_the_options_is_a_usage_error() -> None:
    class Bounded(Tuned):
        class Options(msgspec.Struct):
            ratio: float = 0.5

            def __post_init__(self) -> None:
                if self.ratio > 1:
                    raise ValueError("ratio is at most 1")

    with pytest.raises(UsageError, match=r"^Bounded: ratio is at most 1$"):
        make(Bounded, {"ratio": 2})


def test_a_constructor_is_called_once_and_its_own_error_is_chained() -> None:
    calls = []

    class Failing:
        def __init__(self) -> None:
            calls.append(1)
            raise TypeError("unsupported operand")

    with pytest.raises(
        PluginLoadError, match=r"^mine: its constructor raised TypeError: unsupported operand$"
    ) as caught:
        make(Failing, {}, who="mine")
    assert calls == [1]
    assert isinstance(caught.value.__cause__, TypeError)
    assert caught.value.__cause__.__traceback__ is not None


def test_every_name_of_the_project_has_a_group_that_exists() -> None:
    assert set(catalog.FIRST_PARTY) <= set(catalog.GROUPS)


def test_a_row_says_who_it_is() -> None:
    row = Entry("broken", "m_broken:Memory", "memarena-broken", "0.1", "", "memarena.adapters")
    assert str(row) == "'broken' from memarena-broken 0.1 (m_broken:Memory)"
    assert row.selector == "broken@memarena-broken"
