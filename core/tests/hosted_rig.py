"""How tests mount an adapter that runs in a process of its own."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from memarena import processes
from memarena.errors import AdapterFailure
from memarena.hosted import HostedAdapter
from memarena.instruments.boundary import Boundary
from memarena.records import RunContext, Turn
from memarena.rig import Rig

HERE = str(Path(__file__).parent)
NAP = f"3600.{os.getpid()}"
"""Seconds that a daemon sleeps, by which those of these tests are told from others on this machine."""
PLACE = {"PYTHONPATH": HERE, "NAP": NAP}
PATIENT = 120.0
"""Seconds that a busy machine may take for what it does at once when it is idle."""


def start(adapter: HostedAdapter, folder: Path) -> Rig:
    rig = Rig("x", adapter, (Boundary(),))
    rig.reset(RunContext(folder=str(folder), namespace="x"))
    return rig


def turn(text: str, number: int = 0) -> Turn:
    return Turn(turn_id=f"S01:T{number:03}", session_id="S01", index=number, text=text, body=text)


def fails(rig: Rig, deed: str) -> str:
    with pytest.raises(AdapterFailure) as caught:
        rig.ingest_turn(turn(deed))
    return str(caught.value)


def log_of(folder: Path) -> str:
    return (folder / "log").read_text(encoding="utf-8")


def is_gone(marker: str) -> bool:
    until = time.monotonic() + PATIENT
    while processes.marked(marker) and time.monotonic() < until:
        time.sleep(0.01)
    return not processes.marked(marker)
