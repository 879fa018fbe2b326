"""What Codex tells of a call: its events on standard output, and the rollout file that it keeps of a thread."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memarena.records import Record
from memarena_harness.failures import Kind, of_status

_INFO: Mapping[str, Kind] = {
    "context_window_exceeded": "context too long",
    "usage_limit_exceeded": "over budget",
    "session_budget_exceeded": "over budget",
    "model_not_found": "model missing",
    "unauthorized": "bad key",
    "internal_server_error": "server error",
    "server_overloaded": "server error",
    "response_too_many_failed_attempts": "rate limit",
}
_WORDS: tuple[tuple[str, Kind], ...] = (
    ("missing environment variable", "bad key"),
    ("unauthorized", "bad key"),
    ("quota exceeded", "over budget"),
    ("error sending request", "refused connection"),
    ("connection refused", "refused connection"),
    ("dns error", "refused connection"),
    ("stream closed before", "cut stream"),
    ("decoding response body", "cut stream"),
    ("idle timeout", "hang"),
    ("incomplete response", "reply too long"),
    ("ran out of room", "context too long"),
    ("high demand", "server error"),
    ("input_too_large", "context too long"),
    ("stream disconnected", "server error"),
)


class Events(Record, frozen=True, kw_only=True):
    """The events of one call."""

    thread: str = ""
    reply: str = ""
    """The last message of the agent."""
    commands: int = 0
    failed_commands: int = 0
    failure: str = ""
    """The message of the failure that ended the turn; "" where none did."""
    usage: Mapping[str, int] = {}
    done: bool = False
    """The turn came to its end."""


def read_events(output: bytes) -> Events:
    """The events of a call; lines that are none are passed over, as a killed process cuts its last one."""
    found: dict[str, Any] = {"commands": 0, "failed_commands": 0}
    for event in _objects(output):
        kind, item = event.get("type"), event.get("item") or {}
        if kind == "thread.started":
            found["thread"] = str(event.get("thread_id", ""))
        elif kind == "item.completed" and item.get("type") == "agent_message":
            found["reply"] = str(item.get("text", ""))
        elif kind == "item.completed" and item.get("type") == "command_execution":
            found["commands"] += 1
            found["failed_commands"] += item.get("exit_code") != 0
        elif kind == "turn.completed":
            found["done"] = True
            found["usage"] = {name: value for name, value in (event.get("usage") or {}).items() if value}
        elif kind == "turn.failed":
            found["failure"] = str((event.get("error") or {}).get("message", "")) or "no reason given"
        elif kind == "error" and not found.get("failure"):
            found["error"] = str(event.get("message", ""))
    error = found.pop("error", "")
    if not found.get("done") and not found.get("failure"):
        found["failure"] = error
    return Events(**found)


class Rollout(Record, frozen=True, kw_only=True):
    """What the rollout file of a thread tells of its last turn."""

    usage: Mapping[str, int] = {}
    """Tokens of each response added up, failed turns included; `responses`: how many there were."""
    info: Any = None
    """`codex_error_info` of the last turn: a word, or an object with a word and a status; None: it did not fail."""


def read_rollout(state: Path, thread: str) -> Rollout:
    """The rollout of `thread` below the state of Codex; empty where it kept none."""
    files = sorted((state / "sessions").rglob(f"rollout-*{thread}.jsonl")) if thread else []
    usage: dict[str, int] = {}
    info: Any = None
    for line in _objects(files[-1].read_bytes()) if files else ():
        payload = line.get("payload") or {}
        kind = payload.get("type") if line.get("type") == "event_msg" else line.get("type")
        if kind == "task_started":
            usage, info = {}, None
        elif kind == "token_usage_record":
            usage["responses"] = usage.get("responses", 0) + 1
            for name, value in (payload.get("usage") or {}).items():
                if isinstance(value, int):
                    usage[name] = usage.get(name, 0) + value
        elif kind in ("task_complete", "error"):
            info = (payload.get("error") or payload).get("codex_error_info", info)
    return Rollout(usage=usage, info=info)


def kind_of(message: str, info: Any) -> Kind:
    """The kind of a failure, by its code where there is a telling one, else by its words."""
    name, status = _coded(info)
    text = message.casefold()
    if status == 429 or "429" in text:
        return "over budget" if "quota" in text else "rate limit"
    if status:
        return of_status(status)
    if name in _INFO and name != "internal_server_error":
        return _INFO[name]
    by_words = next((kind for words, kind in _WORDS if words in text), None)
    return by_words or _INFO.get(name, "failed")


def _coded(info: Any) -> tuple[str, int]:
    """Name and HTTP status of a `codex_error_info`; "" and 0 where it has none."""
    if isinstance(info, str):
        return info, 0
    if isinstance(info, Mapping):
        for name, details in info.items():
            status = details.get("http_status_code") if isinstance(details, Mapping) else details
            return str(name), status if isinstance(status, int) else 0
    return "", 0


def _objects(text: bytes) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value
