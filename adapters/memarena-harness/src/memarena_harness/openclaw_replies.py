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
from memarena_harness.limits import Broken, Ended
from memarena_harness.openclaw_gateway import Reply

SHOWN = 300
"""Characters of OpenClaw's own words that a failure repeats."""
_CUT_SHORT = "Reply truncated at the model's output token limit"
_WORDS: tuple[tuple[Kind, str], ...] = (
    ("context too long", r"context.overflow|maximum context length"),
    ("failed", r"exec cleanup failed"),
    ("junk answer", r"couldn't generate a response|empty response retries exhausted"),
    ("wrong configuration", r"invalid config|config invalid|unrecognized key"),
    ("over budget", r"billing error|insufficient_quota"),
    ("bad key", r"authentication (?:failed|_error)|permission_error"),
    ("model missing", r"model was not found|model_not_found"),
    ("rate limit", r"rate.?limit"),
    ("server error", r"HTTP 5\d\d|overloaded"),
    ("refused connection", r"ECONNREFUSED|connection refused"),
    ("hang", r"embedded run timeout"),
    ("cut stream", r"finish_reason|event JSON|connection error|timed out|incomplete_turn"),
)
"""What its words stand for; the first that is found counts."""
_ITS_OWN: frozenset[Kind] = frozenset({"context too long", "failed", "junk answer", "wrong configuration"})
"""What it knows better than the door."""
_AGENT = "[agent/"
"""What marks a line of the log that is about a turn of the agent."""
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
        raise HarnessFailure(_refusal(words, ended.said, ended.refused, late=late), _problem(words, ended.said))
    texts = [str(each["text"]) for each in told.get("payloads") or () if each.get("text")]
    if len(texts) > 1 and _CUT_SHORT in texts[-1]:
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
    if choice.get("finish_reason") == "length" or _CUT_SHORT in text:
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
        kind = _refusal(self._words, ended.said, traffic.failure() if traffic else None, late=late)
        return HarnessFailure(kind, _problem(self._words, ended.said))


def broken(limit: Broken, ended: Ended) -> HarnessFailure:
    """The failure that it was ended for, or that it ended with."""
    over = limit or ended.broke
    if over:
        return HarnessFailure(_reason(over, ended), _killed(ended))
    words = " ".join(ended.said.split()) or "it said nothing"
    # The jail ends with 128 and the signal that its child died of.
    number = ended.signal or max(0, (ended.exit or 0) - 128)
    how = f"signal {number}" if number else f"exit code {ended.exit}"
    kind = None if number else _kind(words)  # what a killed program said last is not what it died of
    return HarnessFailure(kind or "failed", f"openclaw ended with {how}: {words[-SHOWN:]}")


def _reason(over: Broken, ended: Ended) -> Kind:
    """Where it was trying again when it was ended, that for which it did."""
    if over not in ("time", "refusals"):
        return OVER[over]
    quoted = _LOG.findall(ended.said)
    return ended.refused or (quoted and _kind(quoted[-1])) or OVER[over]


def _refusal(words: str, log: str, refused: Kind | None, *, late: bool) -> Kind:
    """The kind of a failure that OpenClaw itself told."""
    of_agent = "\n".join(line for line in log.splitlines() if _AGENT in line)
    told = _kind(words) or _kind(of_agent)
    if told in _ITS_OWN:
        return told
    if refused not in (None, "failed"):
        return refused
    return "hang" if late else told or "failed"


def _kind(words: str) -> Kind | None:
    return next((kind for kind, pattern in _WORDS if re.search(pattern, words, re.IGNORECASE)), None)


def _problem(words: str, log: str) -> str:
    quoted = _LOG.findall(log)
    told = " ".join(words.split())[:SHOWN]
    return f"{told} ({' '.join(quoted[-1].split())})" if quoted else told


def _killed(ended: Ended) -> str:
    log = " ".join(ended.said.split())
    quoted = _LOG.findall(ended.said)
    reason = quoted[-1].strip() if quoted else log[-SHOWN:]
    return f"openclaw was killed after {ended.seconds:.0f} s" + (f": {reason}" if reason else "")


def _object(output: bytes) -> Mapping[str, Any] | None:
    """The JSON object that is the whole output; None where it is none."""
    try:
        found = json.loads(output)
    except ValueError:
        return None
    return found if isinstance(found, Mapping) else None
