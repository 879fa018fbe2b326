"""What happens inside graphiti while it works: what it swallows, and what it leaves out."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

_IGNORED = re.compile(r"LLM|Error parsing|Invalid duplicate_candidate_id")
"""Warnings of graphiti that it does not do what the model said."""


class Outage(BaseException):
    """Carries an error of a server past the `except Exception` with which graphiti takes it for nothing."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class Unreadable(Exception):
    """A reply of the model has not the shape that was asked for."""


@dataclass
class Tally:
    """What became of everything that was handed over since `reset`."""

    episodes: int = 0
    """Calls of `Graphiti.add_episode`."""
    unreadable: int = 0
    """Those of which a reply of the model could not be read: what they said is lost."""
    lost: int = 0
    """Single facts and entities that the model named without a text or a name."""
    undated: int = 0
    """Facts whose times could not be read: they can neither close another nor be closed."""
    ignored: int = 0
    """Other decisions of the model that graphiti did not follow, as they were about nothing that exists."""

    @property
    def failures(self) -> int:
        """What was lost without an error."""
        return self.unreadable + self.lost + self.undated + self.ignored

    def row(self) -> dict[str, int]:
        """For the trace of a retrieval."""
        return {**asdict(self), "failures": self.failures}


@dataclass
class Watch:
    """What is seen of one instance of graphiti."""

    tally: Tally = field(default_factory=Tally)
    swallowed: list[BaseException] = field(default_factory=list)
    """Errors of the store that graphiti took for nothing, since the list was emptied."""

    def reply(self, kind: str, value: Mapping[str, Any]) -> None:
        """The model gave `value`, which has the shape of `kind`."""
        if kind == "ExtractedEntities":
            self.tally.lost += sum(not entity["name"].strip() for entity in value["extracted_entities"])
        elif kind == "ExtractedEdges":
            named = ("source_entity_name", "target_entity_name", "fact")
            self.tally.lost += sum(not all(edge[name].strip() for name in named) for edge in value["edges"])
        elif kind == "EdgeTimestamps":
            self.tally.undated += not all(map(_is_time, (value.get("valid_at"), value.get("invalid_at"))))

    def warning(self, record: logging.LogRecord) -> None:
        """Graphiti warns of something."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, Unreadable):
            self.tally.undated += 1
        elif error is not None:
            self.swallowed.append(error)
        elif _IGNORED.search(str(record.msg)):
            self.tally.ignored += 1


WATCH: ContextVar[Watch | None] = ContextVar("memarena_graphiti_watch", default=None)
"""Whose graphiti is at work: the log of the library is one for all."""


class Listener(logging.Handler):
    """Takes the warnings of graphiti to the watch of the instance that is at work."""

    def emit(self, record: logging.LogRecord) -> None:
        watch = WATCH.get()
        if watch is not None and record.levelno == logging.WARNING:
            watch.warning(record)


def listen() -> None:
    """Have the warnings of graphiti listened to; a second call does nothing."""
    log = logging.getLogger("graphiti_core")
    if not any(isinstance(handler, Listener) for handler in log.handlers):
        log.addHandler(Listener())


def _is_time(text: str | None) -> bool:
    try:
        return not text or bool(datetime.fromisoformat(text))
    except ValueError:
        return False
