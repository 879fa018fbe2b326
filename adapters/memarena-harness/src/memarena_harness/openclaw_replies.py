"""What OpenClaw says at the end of a call, read: its reply and its usage, or what went wrong.

Its own words for a failure are no guide: a refused connection is a "timeout" to it, and a gateway tells most failures
as an "internal error". So what went through the door of the jail counts first, and its words fill in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from memarena_harness.failures import OVER, HarnessFailure, Kind
from memarena_harness.harness import Said
from memarena_harness.openclaw_gateway import Reply
from memarena_harness.running import Broken, Ended

SHOWN = 300
"""Characters of OpenClaw's own words that a failure repeats."""
_CUT_SHORT = re.compile(r"Reply truncated at the model's output token limit")
_WORDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("context too long", re.compile(r"context_overflow|context overflow|maximum context length", re.IGNORECASE)),
    ("over budget", re.compile(r"billing|insufficient_quota", re.IGNORECASE)),
    ("bad key", re.compile(r"authentication|HTTP 40[13]|permission_error")),
    ("model missing", re.compile(r"model was not found|model_not_found", re.IGNORECASE)),
    ("rate limit", re.compile(r"rate.?limit", re.IGNORECASE)),
    ("server error", re.compile(r"HTTP 5\d\d|overloaded", re.IGNORECASE)),
    ("refused connection", re.compile(r"ECONNREFUSED|connection refused", re.IGNORECASE)),
    ("junk answer", re.compile(r"couldn't generate a response|fallback_exhausted")),
    ("wrong configuration", re.compile(r"invalid config|config (?:is )?invalid|unrecognized key", re.IGNORECASE)),
    ("cut stream", re.compile(r"incomplete_turn|stream|terminated|aborted", re.IGNORECASE)),
)
"""What its words stand for where nobody counted what went to the model."""
_LOG = re.compile(r"rawError=(.{1,300}?)(?: \S+=|$)", re.MULTILINE)
"""The model's server, quoted in the log."""


def of_envelope(ended: Ended, seconds: float) -> Said:
    """The reply of an `agent exec`, which had `seconds` for its turn; raises HarnessFailure."""
    if ended.broke:
        raise broken(ended.broke, ended)
    told = _object(ended.output)
    if told is None:
        raise broken("", ended)
    if not told.get("ok"):
        problem = told.get("error") or {}
        words = f"{problem.get('kind', '')}: {problem.get('message', '')}"
        late = problem.get("kind") in ("timeout", "error_payload") and ended.seconds >= seconds
        raise HarnessFailure(_refusal(words, ended.said, ended.refused, late), _problem(words, ended.said))
    texts = [str(each.get("text") or "") for each in told.get("payloads") or ()]
    if len(texts) > 1 and _CUT_SHORT.search(texts[-1]):
        raise HarnessFailure("reply too long", "the model's reply was cut at its limit (-o LABEL.reply_tokens=N)")
    usage, tools = told.get("usage") or {}, told.get("toolSummary") or {}
    counts = {
        "input_tokens": usage.get("input", 0) + usage.get("cacheRead", 0),
        "output_tokens": usage.get("output", 0),
        "tool_calls": tools.get("calls", 0),
        "failed_tool_calls": tools.get("failures", 0),
    }
    return Said(text="\n".join(texts), usage=counts, ended=replace(ended, output=b"", said=""))


def of_reply(reply: Reply, session: str) -> Said:
    """The reply of a gateway, whose conversation is `session`. Raises Refused."""
    body = reply.body if isinstance(reply.body, Mapping) else {}
    if reply.status != 200:
        problem = body.get("error") or {}
        raise Refused(f"{problem.get('type', reply.status)}: {problem.get('message', reply.body)}", reply)
    choice = (body.get("choices") or [{}])[0]
    text = str((choice.get("message") or {}).get("content") or "")
    if choice.get("finish_reason") == "length" or _CUT_SHORT.search(text):
        raise HarnessFailure("reply too long", "the model's reply was cut at its limit (-o LABEL.reply_tokens=N)")
    usage, traffic = body.get("usage") or {}, reply.traffic
    counts = {"input_tokens": usage.get("prompt_tokens", 0), "output_tokens": usage.get("completion_tokens", 0)}
    seen = None if traffic is None else Ended(requests=traffic.requests, pictures=traffic.pictures)
    return Said(text=text, thread=session, usage=counts, ended=seen)


class Refused(Exception):
    """A gateway replied with an error; its log, which has the reason, is to be had when it has ended."""

    def __init__(self, words: str, reply: Reply) -> None:
        super().__init__(words)
        self._words = words
        self._reply = reply

    def explained(self, ended: Ended, *, late: bool) -> HarnessFailure:
        """The failure, with what its log says. `late`: it had used up its time."""
        traffic = self._reply.traffic
        kind = _refusal(self._words, ended.said, traffic.failure() if traffic else None, late)
        return HarnessFailure(kind, _problem(self._words, ended.said))


def broken(limit: Broken, ended: Ended) -> HarnessFailure:
    """The failure that it was ended for, or that it ended with."""
    over = limit or ended.broke
    if over:
        # Where it was still trying again, the reason is what it tried again for.
        kind = ended.refused if over == "time" and ended.refused else OVER[over]
        return HarnessFailure(kind, _killed(ended))
    words = " ".join(ended.said.split()) or "it said nothing"
    how = f"signal {ended.signal}" if ended.signal else f"exit code {ended.exit}"
    return HarnessFailure(_kind(words, None), f"openclaw ended with {how}: {words[-SHOWN:]}")


def _refusal(words: str, log: str, refused: Kind | None, late: bool) -> Kind:
    """The kind of a failure that OpenClaw itself told."""
    said = _kind(words, refused)
    if said == "context too long" or (refused is None and said in ("junk answer", "wrong configuration")):
        return said
    if refused not in (None, "failed"):
        return refused
    if late:
        return "hang"
    if said == "failed":
        said = _kind(log, None)
    return "cut stream" if said == "failed" and refused is None else said


def _kind(words: str, refused: Kind | None) -> Kind:
    return next((kind for kind, pattern in _WORDS if pattern.search(words)), refused or "failed")


def _problem(words: str, log: str) -> str:
    quoted = _LOG.findall(log)
    told = " ".join(words.split())[:SHOWN]
    return f"{told} ({' '.join(quoted[-1].split())})" if quoted else told


def _killed(ended: Ended) -> str:
    log = " ".join(ended.said.split())
    return f"openclaw was killed after {ended.seconds:.0f} s" + (f": {log[-SHOWN:]}" if log else "")


def _object(output: bytes) -> Mapping[str, Any] | None:
    """The JSON object that is the whole output; None where it is none."""
    try:
        found = json.loads(output)
    except ValueError:
        return None
    return found if isinstance(found, Mapping) else None
