"""How a data set is chosen on the command line, and what its flags do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memarena.datasets import open_data, resolve
from memarena.errors import DataError, PluginError, UsageError


def test_a_path_that_exists_goes_to_the_data_set_that_accepts_it(toys: Path) -> None:
    assert (resolve("a.toy").name, resolve("a.toy").source) == ("toy", "a.toy")


def test_a_name_may_have_a_source(toys: Path) -> None:
    assert (resolve("toy:some/where:else").name, resolve("toy:some/where:else").source) == ("toy", "some/where:else")
    assert resolve("plain").source == ""


def test_a_name_may_say_its_distribution(toys: Path) -> None:
    assert resolve("toy@toys:x").name == "toy"


def test_a_path_stands_before_a_name(toys: Path) -> None:
    (toys / "plain").symlink_to("a.toy")
    assert resolve("plain").name == "plain"
    (toys / "plain.toy").touch()
    assert resolve("plain.toy").name == "toy"


@pytest.mark.parametrize("selector", ["./gone", "no/such.json", "C:\\data\\set", "~nobody/x"])
def test_a_path_that_is_not_there_is_an_error(toys: Path, selector: str) -> None:
    with pytest.raises(DataError, match="there is no such file or folder"):
        resolve(selector)


def test_a_path_that_nothing_reads_is_an_error_that_says_what_to_write(toys: Path) -> None:
    (toys / "notes.txt").touch()
    with pytest.raises(DataError, match=r"notes\.txt: no data set knows this layout: say NAME:notes\.txt"):
        resolve("notes.txt")


def test_an_unknown_name_is_an_error_with_a_close_one(toys: Path) -> None:
    with pytest.raises(PluginError, match="did you mean 'toy'"):
        resolve("toyy")


def test_an_empty_selector_is_an_error() -> None:
    with pytest.raises(UsageError, match="no data set was named"):
        resolve("")


def ids(selector: str, **flags: Any) -> list[str]:
    return [sample.sample_id for sample in open_data(selector, **flags)]


def test_without_flags_all_samples_come(toys: Path) -> None:
    assert ids("toy") == ["one", "two", "three"]


def test_a_limit_stops_reading(toys: Path) -> None:
    opened = open_data("toy", limit=2)
    assert [sample.sample_id for sample in opened] == ["one", "two"]
    assert opened.whole.read == ["one", "two"]  # type: ignore[attr-defined]


def test_samples_are_chosen_by_id(toys: Path) -> None:
    assert ids("plain", samples=("three", "one")) == ["one", "three"]


def test_an_unknown_sample_is_an_error_that_names_a_close_one(toys: Path) -> None:
    with pytest.raises(UsageError, match="--sample tree: there is no such sample; did you mean 'three'"):
        ids("plain", samples=("tree",))


def test_a_flag_that_the_data_set_does_not_know_is_refused(toys: Path) -> None:
    with pytest.raises(UsageError, match="--overlay x: the data set 'toy' has no option 'overlay'"):
        open_data("toy", overlay="x")
    with pytest.raises(UsageError, match="--split small: the data set 'plain' has no option 'split'"):
        open_data("plain", split="small")


def test_options_are_converted_and_an_unknown_one_is_refused(toys: Path) -> None:
    (sample,) = open_data("toy", limit=1, options={"shout": "true"})
    assert sample.sessions[0].turns[0].text == "I LIVE HERE."
    with pytest.raises(UsageError, match="did you mean 'shout'"):
        open_data("toy", options={"shot": True})
