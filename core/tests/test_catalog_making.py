"""How a plugin is made, with options or without."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from memarena.catalog import make
from memarena.errors import AdapterContractError, PluginLoadError, UsageError
from memarena.option_values import read_options


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
