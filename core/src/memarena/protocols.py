"""What every other kind of plugin is.

All are plain classes with a `name`, a `revision` (an int that rises when results may change) and, where they take
options, an `Options` (a frozen Struct with a docstring a field: `memarena describe` shows it, `-o LABEL.key=value`
sets it). Each is made with `cls()` or, with `Options`, `cls(options)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from memarena.records import (
    Answer,
    AskedQuestion,
    Endpoint,
    Finding,
    JudgementRequest,
    Label,
    Metric,
    Sample,
    Shown,
    Stat,
)

if TYPE_CHECKING:
    from memarena.cells import CellSpec
    from memarena.config import Settings
    from memarena.meter import Usage
    from memarena.store import RunStore
    from memarena.suites import Layout, Seat


class LoadReport:
    """What was odd in a data set: findings by code, counted in full, each code's first `keep` rows kept."""

    def __init__(self, keep: int = 1000) -> None:
        self.counts: dict[str, int] = {}
        self.findings: list[Finding] = []
        self.licence = ""
        self._keep = keep

    def add(self, finding: Finding) -> None:
        """Count `finding`, and keep it unless its code has filled its share."""
        seen = self.counts.get(finding.code, 0)
        self.counts[finding.code] = seen + 1
        if seen < self._keep:
            self.findings.append(finding)

    @property
    def refused(self) -> tuple[Finding, ...]:
        """The findings for which a run would not start."""
        return tuple(finding for finding in self.findings if finding.level == "refused")


class Opened(Protocol):
    """An opened data set: iterate for samples, one at a time; `report` fills while they are read."""

    report: LoadReport

    def __iter__(self) -> Iterator[Sample]: ...


class Dataset(Protocol):
    """Reads samples (group `memarena.datasets`).

    Its `Options` may have the fields `split: str`, `samples: tuple[str, ...]` and `overlay: str`, which the flags
    `--split`, `--sample` and `--overlay` set; a flag whose field is not there is refused. Optional methods:
    `fetch(target, **flags)` and `size(source)`.
    """

    name: str
    revision: int

    def open(self, source: str, options: Any) -> Opened:
        """Open `source` ("" for the built-in or default place).

        A finding of level `refused` does not raise: the broken sample is left out and the caller refuses the run.
        Raises DataError only where nothing at all can be read.
        """
        ...


class Judge(Protocol):
    """Decides labels (group `memarena.judges`).

    Optional: `needs_model` (True: a run without a model for the role `judge` is refused), `prompt_hashes` (labels are
    kept under them, and runs with other prompts are not compared), `requests_at_once` (how many requests one call gets
    at most), `keep_failures(folder)`, called before the first request with a folder for raw replies, and a static
    `calibration()`, which gives what `memarena judge calibrate --json` printed of it: a report says how far it agrees.
    """

    name: str
    revision: int

    def label(self, requests: Sequence[JudgementRequest]) -> Sequence[Label | None]:
        """One label a request, in order; None means that the judgement failed. Called from several threads."""
        ...


class Answerer(Protocol):
    """Turns a question and what is shown of the retrieved items into an answer (group `memarena.answerers`).

    Optional: `needs_model` (True: a run without a model for the role `answer` is refused), `prompt_hashes` (the header
    of a run holds them, and runs with other prompts are not compared).
    """

    name: str
    revision: int

    def answer(self, asked: AskedQuestion, shown: Shown) -> Answer:
        """Answer from `shown` alone. Called from several threads."""
        ...


class Agent(Protocol):
    """Acts in suites that are played (group `memarena.agents`)."""

    name: str
    revision: int

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Choose the next action: the name of a tool and its arguments, or a text."""
        ...


class Executor(Protocol):
    """Runs cells somewhere (group `memarena.executors`)."""

    name: str
    revision: int

    def map(self, work: Any, cells: Iterable[Any]) -> Iterator[Any]:
        """Yield `work(cell)` for each cell as it finishes, in any order. Takes cells lazily."""
        ...


class Suite(Protocol):
    """An evaluation protocol (group `memarena.suites`).

    One instance plans a run and runs its cells; another, made with no options, may score the folder later. Optional:
    `free`, the names of its options in which two runs may differ and still be compared, pair by pair.
    """

    name: str
    revision: int
    defaults: Mapping[str, Any]
    """The settings of a run (`top_k`, `agent`, ...) that mean something here, beside those that every suite has, and
    their values where nobody sets them. A flag of any other is refused."""
    labels: Sequence[str]
    """What options can be set for with `-o LABEL.key=value`, beside the suite itself and the adapters."""
    metrics: Mapping[str, Metric]

    def layout(self, settings: Settings, options: Mapping[str, Mapping[str, Any]]) -> Layout:
        """What is to be run; raises UsageError for what is wrong. `options`: by label, those of `labels` alone."""
        ...

    def plan(self, run: RunStore) -> Iterable[CellSpec]:
        """The cells of a run, in a fixed order."""
        ...

    def run_cell(self, seat: Seat) -> None:
        """Run one cell and record everything that happens; a failure of the system becomes the end of its journal."""
        ...

    def score(self, run: RunStore) -> Iterable[tuple[CellSpec, Sequence[Stat]]]:
        """The rows of every cell that is done, sorted by label, sample and repeat; from the folder alone."""
        ...


class Wait(Protocol):
    """Calls that wait."""

    @property
    def upstream(self) -> str:
        """The name of the server that they wait for."""
        ...

    @property
    def why(self) -> str:
        """E.g. `the rate limit`."""
        ...

    @property
    def calls(self) -> int:
        """How many wait."""
        ...

    @property
    def until(self) -> float | None:
        """Seconds since 1970; None where nobody can say."""
        ...


class Gateway(Protocol):
    """The way to models (group `memarena.gateways`): every model call of a run goes through it and has an owner."""

    name: str
    revision: int

    def start(self, folder: Path | None, models: Mapping[str, str]) -> None:
        """Open the doors. `models`: role (`inner`, `answer`, `judge`, `embed`; "" for all others) -> model name.

        `folder` is the run folder; None: nothing is kept. Raises ModelError where a model cannot be used at all (no
        upstream, no key).
        """
        ...

    def endpoint(self, cell_id: str, role: str) -> Endpoint:
        """Where the model of `role` is reached for a cell: with a key that is worthless outside this run."""
        ...

    def stage(self, cell_id: str, stage: str) -> None:
        """From now on, calls with the cell's key are booked to `stage`."""
        ...

    def usage(self, cell_id: str) -> Mapping[str, Usage]:
        """What a cell has used, by stage."""
        ...

    def waiting(self) -> Sequence[Wait]:
        """What calls wait for just now: a limit, a Retry-After, the next try."""
        ...

    def stop(self) -> None:
        """Close the doors; everything recorded is on disk."""
        ...


class Reporter(Protocol):
    """Writes something to look at from a run folder (group `memarena.reporters`).

    Optional: `suites`, the names of the suites whose runs it reads (none given: `arena`); `print_summary(store,
    console)` at the end of a run, and `print_grid(stores, console)` at the end of a sweep, with the run folder of each
    point by its name.
    """

    name: str
    revision: int

    def write(self, store: RunStore) -> Path:
        """Write the report into the run folder and return its path."""
        ...


class Progress(Protocol):
    """Shows how far a run is."""

    def phase(self, name: str, total: int) -> None:
        """A phase of `total` steps begins."""

    def step(self, what: str, *, wait: bool = False) -> None:
        """One step is done (or, with `wait`, begins) on `what`."""

    def note(self, text: str) -> None:
        """Something that a person should know."""
