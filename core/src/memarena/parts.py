"""The plugins of a run beside its memory systems: answerer, judge, scorers and instruments, loaded for use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memarena import catalog
from memarena.catalog import Entry
from memarena.config import masked
from memarena.errors import UsageError
from memarena.models import JUDGE, Models
from memarena.scoring import Scorers

STANDARD_INSTRUMENTS = ("trace", "tokens", "timing", "boundary")


def load_part(group: str, name: str, options: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """A judge or an answerer, and the row by which a run folder knows it."""
    row = catalog.find(group, name)
    made = catalog.make(row.load(), options, who=str(row))
    prompts = list(getattr(made, "prompt_hashes", ()))
    return made, {**plugin_row(row, made), "options": masked(options), **({"prompts": prompts} if prompts else {})}


def load_scorers() -> list[tuple[Entry, Any]]:
    """All installed scorers; raises UsageError where there is none, PluginError where one is broken or two clash."""
    rows = catalog.entries("scorers")
    if not rows:
        raise UsageError("no scorer is installed: pip install memarena-arena")
    made = [(row, catalog.make(row.load(), {}, who=str(row))) for row in rows]
    Scorers([scorer for _, scorer in made]).metrics()
    return made


def plugin_row(row: Entry, made: Any) -> dict[str, Any]:
    """How the header of a run knows a plugin."""
    return {
        "name": row.name,
        "distribution": row.distribution,
        "version": row.version,
        "revision": getattr(made, "revision", None),
    }


def load_instruments(names: Sequence[str]) -> tuple[list[str], list[Callable[[], Any]]]:
    """The standard instruments and those of `names`: what they are called, and what makes them."""
    around = list(dict.fromkeys((*STANDARD_INSTRUMENTS, *names)))
    return around, [catalog.load("instruments", name) for name in around]


def needs_model(part: Any) -> bool:
    """Whether an answerer or a judge says that it cannot work without a model."""
    return bool(getattr(part, "needs_model", False))


def judge_identity(judge: Any, row: Mapping[str, Any], models: Models) -> dict[str, object]:
    """Whatever changes a judge's labels: they are kept under it."""
    prompts = getattr(judge, "prompt_hashes", ())
    forced = models.row.get("options", {}).get("force_decoding")
    return {**row, "model": models.names.get(JUDGE), "prompts": prompts, "force_decoding": forced}
