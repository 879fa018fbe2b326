"""What a check is, and how the checks of one kind of plugin are run without pytest.

A check is a plain function with one argument, the stage of its kind. Its name is the check's name; the first line of
its docstring says what holds; the paragraph that begins with `If this fails:` says how to repair.
"""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from memarena import catalog
from memarena.errors import UsageError
from memarena.records import Endpoint

_KINDS: Mapping[str, tuple[str, ...]] = {
    "adapter": ("adapter_shape", "adapter_state", "adapter_isolation", "adapter_input"),
    "instrument": ("instrument",),
    "scorer": ("scorer",),
    "dataset": ("dataset",),
    "judge": ("judge",),
    "answerer": ("answerer",),
    "executor": ("executor",),
}
_REPAIR = "If this fails:"

Outcome = Literal["passed", "failed", "skipped"]


class CheckFailed(AssertionError):
    """What a check found."""


class Skipped(Exception):
    """The plugin does not claim to do what the check is about."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a contract."""

    name: str
    about: str
    """What holds where it passes, in one sentence."""
    repair: str
    """What to do where it fails."""
    run: Callable[[Stage], None]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found."""

    name: str
    outcome: Outcome
    message: str
    """Why it failed or was skipped; "" where it passed."""
    repair: str


@dataclass(frozen=True)
class Stage:
    """What a check works with: a plugin that can be made again and again, and an empty folder."""

    make: Callable[[], Any]
    folder: Path
    source: str = ""
    """What a data set is opened with."""
    model: Endpoint | None = None
    embedding: Endpoint | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    """`RunContext.options` of an adapter that has no `Options`."""

    def plugin(self) -> Any:
        """A new instance: `make()`, or for a class with `Options` one with their defaults."""
        return catalog.make(self.make, {}) if isinstance(self.make, type) else self.make()


def expect(condition: object, message: str) -> None:
    """Raise CheckFailed with `message` unless `condition` holds."""
    if not condition:
        raise CheckFailed(message)


def checks_of(kind: str) -> tuple[Check, ...]:
    """The checks of one kind of plugin, in order; raises UsageError for a kind that has none."""
    if kind not in _KINDS:
        raise UsageError(f"no contract for the kind {kind!r}; there is one for: {', '.join(_KINDS)}")
    modules = [import_module(f"memarena.testing.contracts.{name}") for name in _KINDS[kind]]
    return tuple(check for module in modules for check in _checks_in(module))


def run_checks(make: Callable[[], Any], kind: str = "adapter", **settings: Any) -> Iterator[CheckResult]:
    """Run the contract of `kind` on what `make` makes, one result a check, as they end.

    `settings` are fields of `Stage`, e.g. `source="path/to/data"` or `model=endpoint`.
    """
    for check in checks_of(kind):
        with tempfile.TemporaryDirectory(prefix="memarena-check-", ignore_cleanup_errors=True) as folder:
            stage = Stage(make=make, folder=Path(folder), **settings)
            outcome, message = _outcome(check, stage)
            yield CheckResult(name=check.name, outcome=outcome, message=message, repair=check.repair)


def _outcome(check: Check, stage: Stage) -> tuple[Outcome, str]:
    try:
        check.run(stage)
    except Skipped as reason:
        return "skipped", str(reason)
    except CheckFailed as found:
        return "failed", str(found)
    except Exception as error:
        return "failed", f"{type(error).__name__}: {error}"
    return "passed", ""


def _checks_in(module: ModuleType) -> Iterator[Check]:
    for name, value in vars(module).items():
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_"):
            about, _, repair = inspect.cleandoc(value.__doc__ or "").partition(_REPAIR)
            yield Check(name=name, about=_flat(about), repair=_flat(repair), run=value)


def _flat(text: str) -> str:
    return " ".join(text.split())
