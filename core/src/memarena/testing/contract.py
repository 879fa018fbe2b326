"""The contracts as pytest classes: subclass one, name what makes your plugin, done.

    from memarena.testing import AdapterContract

    class TestWindow(AdapterContract):
        make = WindowMemory

Each check becomes a method `test_<name>`. A check may be overridden only with `@pytest.mark.xfail(reason=...)`, and
`test_no_check_is_overridden` sees to it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from memarena.records import Endpoint
from memarena.testing.checks import Check, CheckFailed, Skipped, Stage, checks_of


def _test_of(check: Check) -> Callable[[Contract, Path], None]:
    def test(self: Contract, tmp_path: Path) -> None:
        __tracebackhide__ = True
        try:
            check.run(self.stage(tmp_path))
        except Skipped as reason:
            import pytest

            pytest.skip(str(reason))
        except CheckFailed as found:
            raise CheckFailed(f"{found}\nIf this fails: {check.repair}") from None

    test.__doc__ = f"{check.about}\n\nIf this fails: {check.repair}"
    test.__name__ = f"test_{check.name}"
    test.__qualname__ = f"Contract.test_{check.name}"
    test.check = check  # type: ignore[attr-defined]
    return test


def _excused(method: object) -> bool:
    marks = getattr(method, "pytestmark", ())
    return any(mark.name == "xfail" and mark.kwargs.get("reason") for mark in marks)


class Contract:
    """What the contracts of all kinds share."""

    kind: ClassVar[str]
    make: Any = None
    """What makes the plugin: its class, a function without arguments, or a method of the test class."""

    def __init_subclass__(cls, *, kind: str = "") -> None:
        if kind:
            cls.kind = kind
            for check in checks_of(kind):
                setattr(cls, f"test_{check.name}", _test_of(check))

    def stage(self, folder: Path) -> Stage:
        """What each check works with; override it to hand over more."""
        return Stage(make=self._maker(), folder=folder)

    def test_no_check_is_overridden(self) -> None:
        """Each check is the contract's own, or an expected failure with a reason."""
        for check in checks_of(self.kind):
            name = f"test_{check.name}"
            method = inspect.getattr_static(type(self), name, None)
            if getattr(method, "check", None) != check and not _excused(method):
                raise CheckFailed(
                    f"{type(self).__name__}.{name} does not run the check of the contract\n"
                    "If this fails: leave it as it is, or mark it with @pytest.mark.xfail(reason=...)."
                )

    def _maker(self) -> Callable[[], Any]:
        make = inspect.getattr_static(type(self), "make")
        if isinstance(make, staticmethod):
            make = make.__func__
        if make is None:
            raise CheckFailed(f"{type(self).__name__}.make is not set: name the class of your plugin")
        if inspect.isfunction(make) and inspect.signature(make).parameters:
            bound: Callable[[], Any] = make.__get__(self)
            return bound
        made: Callable[[], Any] = make
        return made


class AdapterContract(Contract, kind="adapter"):
    """The contract of an adapter."""

    model: Endpoint | None = None
    """Endpoint for a system that needs a language model."""
    embedding: Endpoint | None = None
    """Endpoint for a system that needs an embedding model."""
    options: Mapping[str, Any] = {}
    """`RunContext.options`, for an adapter without `Options`."""

    def stage(self, folder: Path) -> Stage:
        """What each check works with: the adapter, an empty folder, endpoints and options."""
        return Stage(
            make=self._maker(),
            folder=folder,
            model=self.model,
            embedding=self.embedding,
            options=self.options,
        )


class InstrumentContract(Contract, kind="instrument"):
    """The contract of an instrument."""


class ScorerContract(Contract, kind="scorer"):
    """The contract of a scorer."""


class DatasetContract(Contract, kind="dataset"):
    """The contract of a data set."""

    source: str = ""
    """What the data set is opened with."""

    def stage(self, folder: Path) -> Stage:
        """What each check works with: the data set and its source."""
        return Stage(make=self._maker(), folder=folder, source=self.source)


class JudgeContract(Contract, kind="judge"):
    """The contract of a judge."""


class AnswererContract(Contract, kind="answerer"):
    """The contract of an answerer."""


class ExecutorContract(Contract, kind="executor"):
    """The contract of an executor."""
