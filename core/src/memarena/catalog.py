"""Which plugins are installed, from metadata alone; and how one of them is loaded and made.

Listing imports no plugin and no library, so that `memarena --help` and `list-adapters` are instant.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from memarena.errors import PluginError, PluginLoadError, UsageError, first_line
from memarena.metadata import distributions, normal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

GROUPS: Mapping[str, str] = {
    "memarena.adapters": "adapter",
    "memarena.datasets": "data set",
    "memarena.suites": "suite",
    "memarena.scorers": "scorer",
    "memarena.judges": "judge",
    "memarena.answerers": "answerer",
    "memarena.agents": "agent",
    "memarena.gateways": "gateway",
    "memarena.offline_rules": "rule of the model offline",
    "memarena.executors": "executor",
    "memarena.reporters": "reporter",
    "memarena.instruments": "instrument",
    "memarena.plugins": "plugin",
    "memarena.commands": "command",
    "memarena.data_commands": "command of data",
    "memarena.data_checks": "check of data",
    "memarena.programs": "program",
}
"""The entry-point groups and what one plugin of each is called."""

FIRST_PARTY: Mapping[str, Mapping[str, str]] = {
    "memarena.adapters": {
        "amem": "memarena-amem",
        "amem-mcp": "memarena-amem",
        "bm25": "memarena-rag",
        "codex": "memarena-harness",
        "command": "memarena-harness",
        "dense": "memarena-rag",
        "graphiti": "memarena-graphiti",
        "graph": "memarena-graph",
        "hybrid": "memarena-rag",
        "mem0-classic": "memarena-mem0",
        "mgmemory": "memarena-memgpt",
        "letta": "memarena-memgpt",
        "longcontext": "memarena-longcontext",
        "mem0": "memarena-mem0",
        "memgpt": "memarena-memgpt",
        "openclaw": "memarena-harness",
        "qwen3-vl": "memarena-qwen3vl",
        "universalrag": "memarena-universalrag",
    },
    "memarena.datasets": {
        **dict.fromkeys(
            (
                "amabench",
                "convomem",
                "halumem",
                "locomo",
                "longmemeval",
                "memgallery",
                "memoryagentbench",
                "mini",
                "worldmemarena",
            ),
            "memarena-arena",
        ),
        "sim": "memarena-builder",
    },
    "memarena.scorers": {
        **dict.fromkeys(("answers", "diagnosis", "life", "memory", "retrieval", "selectivity"), "memarena-arena"),
        "twins": "memarena-builder",
    },
    "memarena.judges": {"lexical": "memarena-arena", "llm": "memarena-models", "panel": "memarena-models"},
    "memarena.answerers": {
        "extractive": "memarena-arena",
        "llm": "memarena-models",
        "sim-reader": "memarena-builder",
    },
    "memarena.suites": {"aha": "memarena-aha"},
    "memarena.agents": dict.fromkeys(
        ("careful", "codex", "command", "idle", "lesson-reader", "llm", "naive", "openclaw", "oracle"), "memarena-aha"
    ),
    "memarena.gateways": {"local": "memarena-models"},
    "memarena.reporters": {"aha": "memarena-aha", "html": "memarena-report"},
    "memarena.commands": {
        "aha": "memarena-aha",
        "compare": "memarena-report",
        "explain": "memarena-report",
        "gateway": "memarena-models",
        "judge": "memarena-models",
        "report": "memarena-report",
        "selftest": "memarena-arena",
    },
    "memarena.data_commands": dict.fromkeys(
        ("annotate", "build", "contact", "import", "packs", "probe", "record", "review", "rewrite", "schema", "verify"),
        "memarena-builder",
    ),
}
"""The distribution to install for a name of the project's own that is not there, by group."""


class Entry(NamedTuple):
    """One installed plugin, as its distribution's metadata names it."""

    name: str
    target: str
    """`module:attribute`."""
    distribution: str
    version: str
    summary: str
    """The distribution's own one-line summary."""
    group: str
    """E.g. `memarena.adapters`."""

    def __str__(self) -> str:
        return f"{self.name!r} from {self.distribution} {self.version} ({self.target})"

    @property
    def selector(self) -> str:
        """`name@distribution`: the name that is never ambiguous."""
        return f"{self.name}@{self.distribution}"

    def load(self) -> Any:
        """Import the target. Whatever goes wrong, SystemExit included, is a PluginLoadError with the cause chained."""
        module, _, attribute = self.target.partition(":")
        try:
            value: Any = import_module(module)
            for part in attribute.split(".") if attribute else ():
                value = getattr(value, part)
        except KeyboardInterrupt:
            raise
        except BaseException as cause:
            raise PluginLoadError(f"{self}: {first_line(cause)}") from cause
        return value


def full_group(group: str) -> str:
    """`memarena.adapters` for `adapters` and for `memarena.adapters`."""
    return group if group.startswith("memarena.") else f"memarena.{group}"


# -- listing ----------------------------------------------------------------------------------


def scan() -> list[Entry]:
    """The rows of all groups, sorted by group, name and distribution, without those that `MEMARENA_DISABLE` hides."""
    hidden = _disabled()
    rows: dict[tuple[str, str, str], Entry] = {}
    for owner in distributions("memarena."):
        for group, name, target in owner.points:
            row = Entry(name, target, owner.name, owner.version, owner.summary, group)
            if group in GROUPS and not {name, row.selector} & hidden:
                rows.setdefault((group, name, owner.name), row)
    return [rows[key] for key in sorted(rows)]


def entries(group: str) -> list[Entry]:
    """The rows of one group (`adapters` is short for `memarena.adapters`), sorted by name and distribution."""
    wanted = full_group(group)
    return [row for row in scan() if row.group == wanted]


def clashes(rows: Iterable[Entry]) -> list[tuple[Entry, ...]]:
    """The rows that claim one name in one group, together."""
    claims: dict[tuple[str, str], list[Entry]] = {}
    for row in rows:
        claims.setdefault((row.group, row.name), []).append(row)
    return [tuple(rivals) for rivals in claims.values() if len(rivals) > 1]


def _disabled() -> set[str]:
    return {name.strip() for name in os.environ.get("MEMARENA_DISABLE", "").split(",")} - {""}


# -- one plugin -------------------------------------------------------------------------------


def find(group: str, name: str) -> Entry:
    """The row that `name` (or `name@distribution`) means.

    Raises PluginError where it is not installed (with close matches, or with what to install) and where two
    distributions claim the bare name.
    """
    group = full_group(group)
    bare, _, distribution = name.partition("@")
    rows = entries(group)
    found = [row for row in rows if row.name == bare]
    if distribution:
        found = [row for row in found if normal(row.distribution) == normal(distribution)]
    if len(found) == 1:
        return found[0]
    kind = GROUPS.get(group, "plugin")
    if not found:
        raise PluginError(_unknown(group, kind, name, rows))
    owners = " and ".join(f"{row.distribution} {row.version}" for row in found)
    picks = " or ".join(row.selector for row in found)
    raise PluginError(f"the {kind} {bare!r} is claimed by {owners}: say {picks}")


def load(group: str, name: str) -> Any:
    """What `name` (or `name@distribution`) stands for, imported; raises PluginError and PluginLoadError."""
    return find(group, name).load()


def _unknown(group: str, kind: str, name: str, rows: list[Entry]) -> str:
    bare, at, _ = name.partition("@")
    others = [row.selector for row in rows if row.name == bare]
    if at and others:
        return f"no {kind} {name!r}; there is {' and '.join(others)}"
    if {name, bare} & _disabled():
        return f"the {kind} {name!r} is switched off by MEMARENA_DISABLE"
    package = FIRST_PARTY.get(group, {}).get(bare)
    if package:
        return f"the {kind} {bare!r} is not installed: pip install {package}"
    return f"unknown {kind} {name!r}{did_you_mean(bare, (row.name for row in rows))}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'bm25'?`, or all that is known where nothing comes close."""
    from difflib import get_close_matches

    names = sorted(set(known))
    close = get_close_matches(word, names, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there is: {', '.join(names)}" if names else "; there is none"


def make(cls: Callable[..., Any], options: Mapping[str, Any], *, who: str = "") -> Any:
    """An instance of a plugin class: `cls(options)` where it has `Options`, else `cls()`.

    Texts are converted to the types of `Options`. An adapter without `Options` finds them in `RunContext.options`.
    `who` names the plugin in errors. Raises UsageError for an option that is unknown or has the wrong type,
    PluginLoadError (cause chained) where the constructor raises.
    """
    who = who or getattr(cls, "__name__", repr(cls))
    kind = getattr(cls, "Options", None)
    if kind is None and options and not hasattr(cls, "reset"):
        raise UsageError(f"{who} takes no options, yet was given {', '.join(sorted(options))}")
    arguments: tuple[Any, ...] = ()
    if kind is not None:
        from memarena.option_values import read_options

        arguments = (read_options(kind, options, who=who),)
    try:
        return cls(*arguments)
    except KeyboardInterrupt:
        raise
    except BaseException as cause:
        raise PluginLoadError(f"{who}: its constructor raised {first_line(cause)}") from cause
