"""Rates and the number of calls at once, on a clock that the test turns."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stand_in_upstream import Play

from memarena_models.limits import PAUSE, Concurrency, Rate


class Clock:
    """A clock that stands still until it is turned."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_rate_lets_ten_seconds_worth_go_at_once_and_then_spreads():
    rate = Rate(60, Clock())
    assert [rate.take(1) for _ in range(12)] == [0] * 10 + [1, 2]


def test_a_rate_fills_again_with_time():
    clock = Clock()
    rate = Rate(60, clock)
    rate.take(10)
    clock.now += 4
    assert [rate.take(1) for _ in range(5)] == [0, 0, 0, 0, 1]


def test_a_guess_that_was_too_low_is_paid_later():
    rate = Rate(600, Clock())
    assert rate.take(50) == 0
    rate.correct(70)
    assert rate.take(0) == 2, "20 too many at 10 a second"


def test_no_rate_means_no_wait():
    rate = Rate(None, Clock())
    assert rate.take(1e9) == 0


@given(st.lists(st.tuples(st.floats(0, 20), st.integers(1, 30)), max_size=60))
def test_a_rate_is_never_exceeded_by_more_than_its_burst(steps):
    clock = Clock()
    rate = Rate(120, clock)
    allowed = []
    for pause, amount in steps:
        clock.now += pause
        allowed.append((clock.now + rate.take(amount), amount))
    for until, _ in allowed:
        used = sum(amount for at, amount in allowed if at <= until)
        assert used <= 20 + 2 * (until - 100) + 1e-6


def limits(most: int) -> tuple[Concurrency, Clock]:
    clock = Clock()
    return Concurrency(most, clock), clock


def test_a_refusal_halves_the_number_of_calls_at_once_and_successes_raise_it_again():
    gate, clock = limits(16)
    gate.slower(clock.now, 0)
    assert gate.limit == 8
    for _ in range(8):
        gate.faster()
    assert 8.9 < gate.limit < 9.1, "one more for a round of successes"


def test_refusals_of_calls_that_began_before_the_cut_cut_only_once():
    gate, clock = limits(16)
    began = clock.now
    clock.now += 1
    for _ in range(10):
        gate.slower(began, 0)
    assert gate.limit == 8
    clock.now += 1
    gate.slower(clock.now, 0)
    assert gate.limit == 4


def test_the_number_never_falls_below_one_and_never_rises_above_the_most():
    gate, clock = limits(3)
    for _ in range(10):
        clock.now += 1
        gate.slower(clock.now, 0)
    assert gate.limit == 1
    for _ in range(100):
        gate.faster()
    assert gate.limit == 3


def test_a_long_retry_after_on_every_reply_leaves_the_number_adapting():
    gate, clock = limits(8)
    for _ in range(5):
        gate.slower(clock.now, 89)
        assert gate.paused_for() == PAUSE
        clock.now += PAUSE
        assert gate.paused_for() == 0
        for _ in range(20):
            gate.faster()
    assert gate.limit > 4


async def _entered(gate: Concurrency, count: int) -> list[asyncio.Task[float]]:
    tasks = [asyncio.create_task(gate.enter()) for _ in range(count)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return tasks


def test_calls_wait_in_order_for_a_place():
    async def play() -> None:
        gate, _ = limits(2)
        tasks = await _entered(gate, 4)
        assert ([task.done() for task in tasks], gate.waiting) == ([True, True, False, False], 2)
        gate.leave()
        await asyncio.sleep(0.001)
        assert [task.done() for task in tasks] == [True, True, True, False]
        gate.leave()
        await asyncio.sleep(0.001)
        assert (gate.running, gate.waiting) == (2, 0)

    asyncio.run(play())


@pytest.mark.parametrize("given", [False, True])
def test_a_call_that_gives_up_while_it_waits_takes_no_place(given):
    async def play() -> None:
        gate, _ = limits(1)
        tasks = await _entered(gate, 2)
        if given:
            gate.leave()
        tasks[1].cancel()
        await asyncio.sleep(0.001)
        if not given:
            gate.leave()
        assert (gate.running, gate.waiting) == (0, 0)

    asyncio.run(play())


def test_no_more_calls_than_allowed_reach_the_upstream_at_once(serve, upstream):
    upstream.default = Play(pause=0.1)
    host = serve(concurrency=2)
    with ThreadPoolExecutor(6) as pool:
        calls = [pool.submit(host.post) for _ in range(6)]
        assert {call.result().status_code for call in calls} == {200}
    assert upstream.times[-1] - upstream.times[0] > 0.19, "three rounds of two"
