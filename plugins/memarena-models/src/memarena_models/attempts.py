"""Asks an upstream until it answers: paced by its limits, and again where that may help."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from itertools import count

from memarena.records import Record
from memarena_models.calls import Call, Refusal, Reply
from memarena_models.limits import Concurrency, Rate
from memarena_models.settings import Retries, Upstream
from memarena_models.upstreams import Passing

MAY_HELP = frozenset({408, 429})
"""Statuses, beside all from 500 on, after which the same request may go well."""
Attempt = Callable[[Call, str], Awaitable[Reply]]


class Waiting(Record, frozen=True, kw_only=True):
    """Who waits for what."""

    upstream: str
    why: str
    calls: int = 1
    cell_id: str = ""
    """"" where several cells wait for the same."""
    until: float | None = None
    """Seconds since 1970; None where nobody can say."""


class Gate:
    """The limits of one upstream."""

    def __init__(self, upstream: Upstream) -> None:
        self.requests = Rate(upstream.rpm)
        self.tokens = Rate(upstream.tpm)
        self.concurrency = Concurrency(upstream.concurrency)


class Attempts:
    """Sends calls through the gates of their upstreams, and sends again what may go well the next time."""

    def __init__(self, upstreams: Mapping[str, Upstream], retries: Retries, attempt: Attempt) -> None:
        self._gates = {name: Gate(upstream) for name, upstream in upstreams.items()}
        self._retries = retries
        self._attempt = attempt
        self._waits: dict[int, Waiting] = {}
        self._numbers = count()

    async def ask(self, call: Call, upstream: str) -> Reply:
        """The reply, good or final; counts in `call.retries`. The place at the gate is held until `done`.

        Raises Refusal where no attempt brought an answer.
        """
        gate, most = self._gates[upstream], self._retries.attempts
        problem, asked = "", None
        for number in range(most):
            if number:
                call.retries = number
                await self._wait(call, upstream, self._pause(number, asked), f"{problem}; try {number + 1} of {most}")
            try:
                reply = await self._once(call, upstream, gate)
            except Passing as error:
                problem, asked = str(error), None
                continue
            if number + 1 == most or not _may_help(reply):
                return reply
            gate.concurrency.leave()
            problem, asked = f"status {reply.status}", reply.retry_after
        late = problem.endswith("in time")
        code = "upstream_timeout" if late else "upstream_unreachable"
        raise Refusal(504 if late else 502, code, f"upstream {upstream!r}: {problem}, after {most} attempts")

    async def _once(self, call: Call, upstream: str, gate: Gate) -> Reply:
        """One attempt in its turn; where it raises, its place is given back."""
        await self._pace(call, upstream, gate)
        began = await gate.concurrency.enter()
        try:
            reply = await self._attempt(call, upstream)
        except BaseException:
            gate.concurrency.leave()
            raise
        if reply.status < 400:
            gate.concurrency.faster()
        elif reply.status == 429:
            gate.concurrency.slower(began, min(reply.retry_after or 0.0, self._retries.longest_asked))
        return reply

    def done(self, call: Call, upstream: str, tokens: int) -> None:
        """A call is over: give its place back, and book the tokens that it really took."""
        gate = self._gates[upstream]
        gate.concurrency.leave()
        gate.tokens.correct(tokens - call.guess)

    def waiting(self) -> Iterator[Waiting]:
        """Who waits for what at this moment."""
        yield from self._waits.values()
        for name, gate in self._gates.items():
            if gate.concurrency.waiting:
                why = f"{int(gate.concurrency.limit)} calls at once"
                yield Waiting(upstream=name, why=why, calls=gate.concurrency.waiting)

    async def _pace(self, call: Call, upstream: str, gate: Gate) -> None:
        seconds = max(gate.requests.take(1), gate.tokens.take(call.guess))
        if seconds > 0:
            await self._wait(call, upstream, seconds, "the rate limit")
        paused = gate.concurrency.paused_for()
        if paused > 0:
            await self._wait(call, upstream, paused, "status 429 of another call")

    async def _wait(self, call: Call, upstream: str, seconds: float, why: str) -> None:
        number, until = next(self._numbers), time.time() + seconds
        self._waits[number] = Waiting(upstream=upstream, why=why, cell_id=call.cell_id, until=until)
        try:
            await asyncio.sleep(seconds)
        finally:
            del self._waits[number]

    def _pause(self, retry: int, asked: float | None) -> float:
        """Seconds before a retry: what the server asks for, and a random part that spreads those who wait."""
        settings = self._retries
        spread = random.uniform(0, min(settings.longest, settings.base * 2**retry))
        if asked is None:
            return spread
        return min(asked, settings.longest_asked) + min(spread, settings.base)


def _may_help(reply: Reply) -> bool:
    # A quota that is used up is no matter of haste: it stays used up.
    return (reply.status in MAY_HELP or reply.status >= 500) and b"insufficient_quota" not in reply.body
