"""`serve`: an instance of a part over standard input and output; what was played is written to a file."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from memarena.errors import DataError, UsageError
from memarena_aha.mcp.desk import EpisodeDesk, Log, replay
from memarena_aha.parts import EpisodeScore, Pair, Part

__all__ = ["PARTS", "score_file", "serve"]

PARTS: Mapping[str, str] = {"puzzle": "memarena_aha.puzzle:PART", "vending": "memarena_aha.vending:PART"}
"""What can be served: a part that is played by tools."""


def serve(part: str, *, seed: int = 0, number: int = 0, options: Mapping[str, Any] | None = None, log: Path) -> None:
    """Serve the evaluation of pair `number` of a seed until the client hangs up.

    The log holds the instance and each action; `score_file` scores it. The client is told no score, and no file that
    holds one is written. Raises UsageError for a part that has no tools, PluginError without the package `mcp`.
    """
    import anyio

    from memarena_aha.mcp.server import run

    pair = _pair(part, seed, number, options or {})
    kept = {"part": part, "seed": seed, "number": number, "options": dict(options or {}), "pair_id": pair.pair_id}
    desk = EpisodeDesk(pair.evaluate(""), Log(log, kept))
    anyio.run(run, desk)


def score_file(log: Path) -> EpisodeScore:
    """The score of what a log of `serve` holds, played again. Raises DataError for a file that is none."""
    import json

    try:
        first = log.read_text(encoding="utf-8").partition("\n")[0]
        kept = json.loads(first)["instance"]
        pair = _pair(kept["part"], kept["seed"], kept["number"], kept["options"])
    except OSError as error:
        raise DataError(str(error.strerror), file=str(log)) from error
    except (ValueError, KeyError, TypeError) as error:
        raise DataError("this is not a log of what was served", file=str(log)) from error
    if pair.pair_id != kept["pair_id"]:
        raise DataError(f"the rules have changed since: this was {kept['pair_id']}", file=str(log))
    return replay(log, pair.evaluate(""))


def _pair(part: str, seed: int, number: int, options: Mapping[str, Any]) -> Pair:
    if part not in PARTS:
        raise UsageError(f"{part} cannot be served; there are {' and '.join(PARTS)}")
    module, _, name = PARTS[part].partition(":")
    found: Part = getattr(import_module(module), name)
    return found.pairs(seed, number + 1, options)[number]
