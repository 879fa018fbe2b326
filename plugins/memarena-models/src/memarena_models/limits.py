"""How fast an upstream may be asked: requests and tokens a minute, and a number of calls at once that adapts."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from time import monotonic

BURST = 10.0
"""Seconds' worth of a rate that may be used at once."""
PAUSE = 1.0
"""Longest time that one Retry-After keeps everybody waiting; the call that got it waits in full."""


class Rate:
    """A bucket that fills with `per_minute` and may be overdrawn by those who then wait; None: no limit."""

    def __init__(self, per_minute: int | None, clock: Callable[[], float] = monotonic) -> None:
        self._per_second = (per_minute or 0) / 60
        self._most = max(1.0, self._per_second * BURST)
        self._level = self._most
        self._clock = clock
        self._seen = clock()

    def take(self, amount: float) -> float:
        """Take `amount`, and return the seconds to wait before it may be used."""
        if not self._per_second:
            return 0.0
        now = self._clock()
        self._level = min(self._most, self._level + (now - self._seen) * self._per_second) - amount
        self._seen = now
        return max(0.0, -self._level / self._per_second)

    def correct(self, difference: float) -> None:
        """Take `difference` more (where negative, give it back): what was taken had been a guess."""
        if self._per_second:
            self._level = min(self._most, self._level - difference)


class Concurrency:
    """How many calls may be under way at once: one more for each round of successes, half after a refusal.

    Refusals of calls that began before the last cut do not cut again, and no refusal stops the others for longer than
    `PAUSE`: however long an upstream asks to wait, the number goes on adapting.
    """

    def __init__(self, most: int, clock: Callable[[], float] = monotonic) -> None:
        self.most = most
        self.limit = float(most)
        self.running = 0
        self._paused_until = 0.0
        self._clock = clock
        self._cut_at = -1.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def waiting(self) -> int:
        """Calls that wait for one to end."""
        return len(self._waiting)

    def paused_for(self) -> float:
        """Seconds until new calls may begin."""
        return max(0.0, self._paused_until - self._clock())

    async def enter(self) -> float:
        """Wait for a place; returns when it was given, which `slower` wants to know."""
        if self.running >= int(self.limit) or self._waiting:
            place = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self.leave()
                else:
                    self._waiting.remove(place)
                raise
        else:
            self.running += 1
        return self._clock()

    def leave(self) -> None:
        """Give the place back."""
        self.running -= 1
        while self._waiting and self.running < int(self.limit):
            place = self._waiting.popleft()
            if not place.cancelled():
                self.running += 1
                place.set_result(None)

    def faster(self) -> None:
        """A call went well."""
        self.limit = min(self.most, self.limit + 1 / self.limit)

    def slower(self, began: float, retry_after: float) -> None:
        """A call that began at `began` was refused for haste."""
        now = self._clock()
        self._paused_until = max(self._paused_until, now + min(retry_after, PAUSE))
        if began >= self._cut_at:
            self.limit = max(1.0, self.limit / 2)
            self._cut_at = now
