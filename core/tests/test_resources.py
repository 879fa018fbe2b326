from __future__ import annotations

import json
from pathlib import Path

import pytest

from memarena.errors import AdapterContractError
from memarena.floors import Verbatim
from memarena.hosted import HostedAdapter
from memarena.instruments.resources import Resources, ResourceUse, disk_bytes
from memarena.records import RunContext, Turn
from memarena.rig import Rig
from memarena.testing import InstrumentContract


class TestResources(InstrumentContract):
    make = Resources


class Filing(Verbatim):
    """Also writes each turn to a file."""

    def reset(self, context: RunContext) -> None:
        super().reset(context)
        self._folder = Path(context.folder)

    def ingest_turn(self, turn: Turn) -> None:
        super().ingest_turn(turn)
        (self._folder / "deep").mkdir(exist_ok=True)
        (self._folder / "deep" / turn.turn_id).write_text("x" * 1000, encoding="utf-8")


def play(adapter: object, folder: Path) -> Resources:
    """Two sessions of one turn and of two turns; each item has the text `user: hello`."""
    instrument = Resources()
    rig = Rig("x", adapter, (instrument,))
    rig.reset(RunContext(folder=str(folder), namespace="x"))
    for session_id, turns in (("S01", 1), ("S02", 2)):
        for index in range(turns):
            rig.ingest_turn(Turn(turn_id=f"{session_id}-{index}", session_id=session_id, index=index, text="hello"))
        rig.end_session(session_id)
        rig.snapshot_memories()
    return instrument


def test_there_is_a_row_a_session_with_what_is_kept(tmp_path):
    first, second = play(Filing(), tmp_path).readings.sessions
    assert (first.session_id, first.items, first.text_bytes, first.disk_bytes) == ("S01", 1, 11, 1000)
    assert (second.session_id, second.items, second.text_bytes, second.disk_bytes) == ("S02", 3, 33, 3000)


def test_inside_of_memarena_it_measures_the_whole_process_and_says_so(tmp_path):
    readings = play(Verbatim(), tmp_path).readings
    assert readings.scope == "whole process"
    assert readings.sessions[0].peak_bytes > 5_000_000
    assert 0 <= readings.sessions[0].cpu_seconds <= readings.sessions[1].cpu_seconds


def test_of_a_hosted_adapter_it_measures_its_own_processes(tmp_path):
    adapter = HostedAdapter("x", "verbatim")
    readings = play(adapter, tmp_path).readings
    adapter.close()
    assert readings.scope == "own processes"
    assert 5_000_000 < readings.sessions[0].peak_bytes < 200_000_000
    assert [row.items for row in readings.sessions] == [1, 3]


def test_readings_are_written_to_the_folder_of_a_cell(tmp_path):
    instrument = play(Verbatim(), tmp_path)
    instrument.write(tmp_path)
    written = json.loads((tmp_path / "resources.json").read_text(encoding="utf-8"))
    assert written["sessions"][1]["items"] == 3


def test_a_second_reset_begins_anew(tmp_path):
    instrument = Resources()
    rig = Rig("x", Verbatim(), (instrument,))
    for _ in range(2):
        rig.reset(RunContext(folder=str(tmp_path), namespace="x"))
        rig.end_session("S01")
    assert len(instrument.readings.sessions) == 1


def test_a_snapshot_that_is_none_is_blamed_on_the_adapter(tmp_path):
    class Silent(Verbatim):
        def snapshot_memories(self):
            return None

    with pytest.raises(AdapterContractError, match="returned None"):
        play(Silent(), tmp_path)


def test_before_anything_happened_there_are_no_readings():
    assert Resources().readings == ResourceUse(scope="whole process")


def test_a_folder_that_is_not_there_has_no_bytes(tmp_path):
    assert disk_bytes(str(tmp_path / "gone")) == 0
