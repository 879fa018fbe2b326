"""Every error that memarena raises on purpose.

    MemarenaError                 a person can mend it: one line, exit code 2
      UsageError                  a flag, a selector or a setting
      DataError                   a data set: names the file and the JSON path
      PluginError                 a plugin that is unknown, doubled or broken
        PluginLoadError           its import or its constructor failed
        AdapterContractError      it does not keep the contract of its kind
      StoreError                  the run folder: full disk, read-only, other settings
      ModelError                  a model endpoint that cannot be used at all
    AdapterFailure                the system under test failed: a row of the run, never an abort
      InjectedFault               the same, planted by an instrument

A message says what is wrong, where, and what to do.
"""

from __future__ import annotations

import threading

__all__ = [
    "AdapterContractError",
    "AdapterFailure",
    "DataError",
    "InjectedFault",
    "MemarenaError",
    "ModelError",
    "PluginError",
    "PluginLoadError",
    "StoreError",
    "UsageError",
]


class MemarenaError(Exception):
    """A mistake that a person can mend; the command line prints its message and exits with 2."""

    exit_code = 2


class UsageError(MemarenaError):
    """A flag, a selector, an environment variable or a key of memarena.toml is wrong."""


class DataError(MemarenaError):
    """A data set cannot be used: the file and, where there is one, the JSON path are named."""

    def __init__(self, problem: str, *, file: str = "", path: str = "") -> None:
        where = ": ".join(part for part in (file, path) if part)
        super().__init__(f"{where}: {problem}" if where else problem)
        self.problem = problem
        self.file = file
        self.path = path


class PluginError(MemarenaError):
    """A plugin is not installed, or its name is claimed by two distributions."""


class PluginLoadError(PluginError):
    """A plugin is installed but its import or its constructor failed."""


class AdapterContractError(PluginError):
    """A plugin does not keep the contract of its kind, e.g. a default in one of the seven methods."""


class StoreError(MemarenaError):
    """The run folder cannot be written, read, or resumed with these settings."""


class ModelError(MemarenaError):
    """A model endpoint is not usable at all: no key, a wrong address, a refused key."""


class AdapterFailure(Exception):
    """The system under test raised; `method` says in which of the seven, `__cause__` holds the original."""

    def __init__(self, label: str, method: str, problem: str) -> None:
        super().__init__(f"{label}.{method}: {problem}")
        self.label = label
        self.method = method
        self.problem = problem


class InjectedFault(AdapterFailure):
    """A failure that an instrument planted on purpose."""


def is_ctrl_c(error: BaseException) -> bool:
    """Whether a person pressed Ctrl-C, which only the main thread hears; elsewhere it is what a plugin raised."""
    return isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread()


def message(error: BaseException) -> str:
    """The message of `error`, also of one whose message cannot be made."""
    try:
        return str(error).strip()
    except Exception:
        return "its message cannot be made"


def first_line(error: BaseException) -> str:
    """The kind of an error and the first line of its message."""
    lines = message(error).splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def one_line(error: BaseException) -> str:
    """The message of `error` on one line, at most 500 characters."""
    return " ".join(message(error).split())[:500] or type(error).__name__
