"""Environment variables that are set for a while."""

from __future__ import annotations

import os
import threading

import pytest

from memarena.variables import environment


def test_variables_are_set_within_and_as_before_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMP", "off")
    monkeypatch.delenv("DOOR", raising=False)
    with environment(LAMP="on", DOOR="open"):
        assert (os.environ["LAMP"], os.environ["DOOR"]) == ("on", "open")
    assert os.environ["LAMP"] == "off"
    assert "DOOR" not in os.environ


def test_an_error_within_sets_them_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMP", "off")
    with pytest.raises(ZeroDivisionError), environment(LAMP="on"):
        raise ZeroDivisionError
    assert os.environ["LAMP"] == "off"


def test_a_block_that_takes_a_variable_away_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DOOR", raising=False)
    with environment(DOOR="open"):
        del os.environ["DOOR"]
    assert "DOOR" not in os.environ


def test_blocks_can_stand_in_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMP", "off")
    with environment(LAMP="on"):
        with environment(LAMP="dim"):
            assert os.environ["LAMP"] == "dim"
        assert os.environ["LAMP"] == "on"


def test_threads_do_not_see_each_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMP", "off")
    seen: list[str] = []
    together = threading.Barrier(4)

    def look(value: str) -> None:
        together.wait()
        for _ in range(200):
            with environment(LAMP=value):
                if os.environ["LAMP"] != value:
                    seen.append(value)

    threads = [threading.Thread(target=look, args=(str(number),)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == []
    assert os.environ["LAMP"] == "off"
