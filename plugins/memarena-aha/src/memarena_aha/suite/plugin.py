"""The suite `aha`: pairs of experience and evaluation, for every memory system and the arms beside them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from typing import Any, ClassVar

from memarena import catalog, codec, meter
from memarena.cell import Cancelled
from memarena.cells import CellSpec
from memarena.config import Settings, masked
from memarena.errors import (
    AdapterContractError,
    AdapterFailure,
    MemarenaError,
    ModelError,
    UsageError,
    first_line,
    one_line,
)
from memarena.journal import CellEnded, CellStarted
from memarena.mounting import PlannedAdapter
from memarena.records import Capabilities, Metric, Stat
from memarena.store import RunStore
from memarena.suites import Layout, Seat
from memarena_aha.parts import Lesson, Pair, Part
from memarena_aha.suite.conditions import Conditions
from memarena_aha.suite.controls import CONTROLS, NULL, UNBOUNDED, baseline_row, control
from memarena_aha.suite.lines import Recorder, canonical
from memarena_aha.suite.metrics import METRICS
from memarena_aha.suite.options import PART_OPTIONS, PARTS, PROFILE, SuiteOptions
from memarena_aha.suite.players import Agents
from memarena_aha.suite.rows import rows_of_run
from memarena_aha.suite.rules import Limits

__all__ = ["AhaSuite", "load_part"]

AGENT = "agent"
"""Options of the agent: `-o agent.key=value`."""


class AhaSuite:
    """Does a fixed agent act better after experience, and which memory carries it? (suite `aha`)"""

    name = "aha"
    revision = 1
    Options = SuiteOptions
    defaults: ClassVar[Mapping[str, Any]] = {"agent": "lesson-reader", "top_k": 8, "budget_tokens": 1_500}
    labels = (*PARTS, AGENT)
    free = ("controls", "extras", "pairs", "parts")
    """Options that say how much is run, not how."""
    metrics: ClassVar[Mapping[str, Metric]] = METRICS

    def __init__(self, options: SuiteOptions | None = None) -> None:
        self.options = options or SuiteOptions()
        self._pairs: dict[str, Pair] = {}
        self._agents: Agents | None = None
        self._keeping = threading.Lock()

    def layout(self, settings: Settings, options: Mapping[str, Mapping[str, Any]]) -> Layout:
        """The pairs of all parts and the arms of the suite; raises UsageError for what is wrong."""
        own = self.options
        if own.restart and settings["isolate"] is None:
            raise UsageError("aha.restart stops and starts processes: give each system one with --isolate process")
        for label in own.controls:
            if label not in CONTROLS:
                raise UsageError(f"aha.controls: no arm {label!r}{catalog.did_you_mean(label, CONTROLS)}")
        if not own.parts:
            raise UsageError("aha.parts: name a part, e.g. -o 'aha.parts=[\"puzzle\"]'")
        entry = catalog.find("agents", settings["agent"])
        limits = Limits(step=own.step_seconds, episode=own.episode_seconds)
        apart = {"auto": None, "on": True, "off": False}[own.agent_process]
        self._agents = Agents(entry, options.get(AGENT, {}), limits, apart=apart)
        plays = getattr(self._agents.cls, "players", None)
        for name in own.parts:
            if plays is not None and name not in plays:
                raise UsageError(f"--agent {entry.name}: it does not play {name}, only {', '.join(plays)}")
        parts = {name: load_part(name) for name in dict.fromkeys(own.parts)}
        made = {
            name: part.pairs(
                settings["seed"], own.pairs or PROFILE[name], {**PART_OPTIONS.get(name, {}), **options.get(name, {})}
            )
            for name, part in parts.items()
        }
        self._pairs = {pair.pair_id: pair for pairs in made.values() for pair in pairs}
        return Layout(
            samples=[_row(pair) for pair in self._pairs.values()],
            rows=[baseline_row(), *(control(label) for label in own.controls)],
            data={"parts": {name: part.version for name, part in parts.items()}},
            plugins={
                "agent": {
                    "name": entry.name,
                    "distribution": entry.distribution,
                    "version": entry.version,
                    "revision": getattr(self._agents.cls, "revision", None),
                    "options": masked(options.get(AGENT, {})),
                    "prompts": self._agents.prompts,
                    "held_by": self._agents.held_by,
                }
            },
            needs={"answer": entry.name} if getattr(self._agents.cls, "needs_model", False) else {},
            about=[f"{name}: {len(pairs)} pairs, {_conditions(pairs)}" for name, pairs in made.items()],
        )

    def plan(self, run: RunStore) -> Iterator[CellSpec]:
        """Pair by pair, the row without a memory first."""
        by_pair: dict[str, list[CellSpec]] = {}
        for spec in run.specs():
            by_pair.setdefault(spec.sample_id, []).append(spec)
        for specs in by_pair.values():
            yield from specs

    def run_cell(self, seat: Seat) -> None:
        """Run all conditions of one pair in one arm."""
        pair = self._pairs[seat.spec.sample_id]
        with self._keeping:  # the cells of a pair run side by side
            _keep(seat.store, pair)
        journal, attempt = seat.store.begin(seat.spec)
        recorder = Recorder(seat.store, seat.spec.cell_id)
        started = CellStarted(
            cell_id=seat.spec.cell_id,
            label=seat.spec.label,
            sample_id=pair.pair_id,
            repeat=seat.spec.repeat,
            attempt=attempt,
            namespace=seat.spec.namespace,
            capabilities=seat.planned.capabilities if seat.planned is not None else Capabilities(modalities=()),
        )
        journal.write(started)
        status, error = "done", ""
        ledger: Mapping[str, Any] = {}
        try:
            assert self._agents is not None, "a cell is run by the suite that laid it out"
            conditions = Conditions(seat, pair, self._agents, recorder)
            if seat.planned is None:
                conditions.baseline()
            else:
                ledger = self._with_memory(seat, seat.planned, conditions, journal)
        except (AdapterFailure, AdapterContractError) as failure:
            status, error = "failed", one_line(failure)
        except ModelError as failure:
            status, error = "failed", f"the agent's model cannot be used: {one_line(failure)}"
        except MemarenaError:
            raise
        except Cancelled:
            status = "cancelled"
        except Exception as failure:
            status, error = "failed", f"not the system, but an instrument or memarena itself: {first_line(failure)}"
        finally:
            recorder.close()
            journal.write(
                CellEnded(
                    status=status,  # type: ignore[arg-type]
                    error=error,
                    usage=meter.usage(seat.spec.cell_id),
                    **ledger,
                )
            )
            journal.close()
        if status == "done":
            seat.clear_workspace()

    def _with_memory(
        self, seat: Seat, planned: PlannedAdapter, conditions: Conditions, journal: Any
    ) -> Mapping[str, Any]:
        settings = seat.store.header["settings"]
        memory = conditions.with_memory(
            journal,
            top_k=settings["top_k"],
            budget=None if planned.label in UNBOUNDED else settings["budget_tokens"],
            restart=self.options.restart,
            extras=() if planned.label == NULL else self.options.extras,
        )
        return {"seconds": memory.seconds, "calls": memory.called}

    def score(self, run: RunStore) -> Iterable[tuple[CellSpec, Sequence[Stat]]]:
        """The rows of every cell that is done."""
        return rows_of_run(run, self)


def load_part(name: str) -> Part:
    """The part `name`."""
    part: Part = import_module(PARTS[name]).PART
    return part


def _row(pair: Pair) -> dict[str, Any]:
    """How the header knows a pair."""
    told = {
        "instance": pair.instance,
        "plans": {name: [unit.unit_id for unit in units] for name, units in pair.plans.items()},
        "texts": [pair.gold, pair.poison, [lesson.text for lesson in pair.lessons]],
    }
    return {
        "sample_id": pair.pair_id,
        "fingerprint": sha256(canonical(told)).hexdigest(),
        "part": pair.part,
        "block": pair.block or pair.pair_id,
        "plans": list(pair.plans),
        "facets": dict(pair.facets),
    }


def _conditions(pairs: Sequence[Pair]) -> str:
    names = list(dict.fromkeys(name for pair in pairs for name in pair.plans))
    return f"plans {', '.join(names)}" if names else "nothing to play"


def _keep(store: RunStore, pair: Pair) -> None:
    """What a reader of the folder needs to know of a pair: `samples/<pair>.json`."""
    file = store.path / "samples" / f"{pair.pair_id}.json"
    if not file.exists():
        lessons: tuple[Lesson, ...] = pair.lessons
        kept = {
            "pair_id": pair.pair_id,
            "part": pair.part,
            "instance": pair.instance,
            "lessons": lessons,
            "gold": pair.gold,
            "poison": pair.poison,
        }
        codec.write_whole(file, codec.encode(kept))
