"""Plugins that follow a run can fail in any way and leave the run as it is."""

from __future__ import annotations

from typing import Any

import pytest

from memarena import hookimpl
from memarena.catalog import Entry
from memarena.lifecycle import Lifecycle


class Notes(list[str]):
    def note(self, text: str) -> None:
        self.append(text)


class Good:
    heard: list[str]

    def __init__(self) -> None:
        type(self).heard = []

    @hookimpl
    def run_finished(self, status: str) -> None:
        self.heard.append(status)


class Misnamed:
    @hookimpl
    def run_ended(self) -> None:
        pass


class Greedy:
    @hookimpl
    def run_started(self, everything: Any) -> None:
        pass


class Exiting:
    def __init__(self) -> None:
        raise SystemExit(4)


class ExitingLate:
    @hookimpl
    def run_finished(self) -> None:
        raise SystemExit(5)


@pytest.mark.parametrize(
    ("kind", "note"),
    [(Misnamed, "run_ended"), (Greedy, "everything"), (Exiting, "4"), (ExitingLate, "failed in run_finished: 5")],
)
def test_one_that_fails_is_named_and_the_others_hear_all(
    kind: type, note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = {"bad": kind, "good": Good}
    rows = [Entry(name, f"mine:{name}", f"memarena-{name}", "1", "", "memarena.plugins") for name in kinds]
    monkeypatch.setattr(Entry, "load", lambda self: kinds[self.name])
    monkeypatch.setattr("memarena.lifecycle.entries", lambda group: rows)
    notes = Notes()
    Lifecycle(notes).call("run_finished", store=None, status="done")
    assert Good.heard == ["done"]
    (said,) = notes
    assert "'bad' from memarena-bad 1" in said
    assert note in said


def test_one_that_cannot_be_loaded_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    row = Entry("gone", "no_such_module:X", "memarena-gone", "1", "", "memarena.plugins")
    monkeypatch.setattr("memarena.lifecycle.entries", lambda group: [row])
    notes = Notes()
    Lifecycle(notes)
    assert "'gone' from memarena-gone 1" in notes[0]
