"""Draws by key: what is in range, what is apart, and which keys share nothing."""

from __future__ import annotations

import pytest

from memarena_aha.euler.draws import FamilyFault, degenerate, draw
from memarena_aha.euler.register import all_families, family
from memarena_aha.euler.values import Among, Row, Span, apart
from memarena_aha.keyed import Streams


@pytest.mark.parametrize("span", [Span(3, 3), Span(-5, 5), Span(0, 10**9), Span(10**17, 10**18), Span(0, 10**30)])
def test_a_span_is_drawn_within_its_ends(span: Span) -> None:
    streams = Streams("values")
    drawn = [span.pick(streams, "slot", index) for index in range(300)]
    assert all(span.holds(number) for number in drawn)
    if span.high - span.low > 10**6:
        assert len({number % 10 for number in drawn}) == 10
        middle = (span.low + span.high) // 2
        assert 100 < sum(number > middle for number in drawn) < 200


def test_both_ends_of_a_small_span_are_drawn() -> None:
    streams = Streams("values")
    assert {Span(1, 3).pick(streams, "slot", index) for index in range(100)} == {1, 2, 3}


def test_values_are_apart_where_none_can_be_drawn_from_both() -> None:
    assert apart(Span(1, 5), Span(6, 9))
    assert not apart(Span(1, 6), Span(6, 9))
    assert apart(Among((1, 2)), Span(3, 9))
    assert not apart(Span(3, 9), Among((1, 4)))
    assert apart(Row((Span(1, 2), Span(1, 2))), Row((Span(1, 2), Span(3, 4))))
    assert not apart(Row((Span(1, 2), Span(1, 2))), Row((Span(2, 3), Span(2, 4))))
    assert apart(Row((Span(1, 2),)), Row((Span(1, 2), Span(1, 2))))


def test_one_key_always_gives_one_instance() -> None:
    assert draw(family("F01"), 5, 3, "test") == draw(family("F01"), 5, 3, "test")


@pytest.mark.parametrize(
    ("family_id", "skin", "params", "answer"),
    [
        ("F01", 0, {"limit": 187879374461, "modulus": 9, "residue": 8, "bound": 23}, 503076558480198096221),
        ("F06", 0, {"shift": 198, "modulus": 1893931, "start": 93245, "steps": 220844461674472292}, 1472653),
        ("F09", 0, {"base": 1229, "length": 20}, 60752372405804375134735769683800379592850176427287660156250),
    ],
)
def test_draws_are_the_same_on_every_machine(family_id: str, skin: int, params: dict[str, int], answer: int) -> None:
    instance = draw(family(family_id), 0, 0, "test")
    assert (instance.skin, instance.params, instance.answer) == (skin, params, answer)
    assert family(family_id).solve_fast(**params) == answer


@pytest.mark.parametrize("family_id", ["F01", "F06", "F22"])
def test_neighbouring_seeds_share_no_instance(family_id: str) -> None:
    one, other = ({str(draw(family(family_id), seed, index, "test").params) for index in range(100)} for seed in (4, 5))
    assert len(one) == len(other) == 100
    assert not one & other


@pytest.mark.parametrize("answer", [-1, 0, 1, 999, 4321])
def test_answers_that_are_too_plain_are_refused(answer: int) -> None:
    assert degenerate(answer, "from 1 to 4321", 1000)


def test_an_answer_with_the_last_six_digits_of_the_taught_one_is_refused() -> None:
    assert degenerate(7_000_123, "", 1000, 1_000_123)
    assert not degenerate(7_000_124, "", 1000, 1_000_123)


def test_a_family_without_a_usable_instance_is_a_fault() -> None:
    with pytest.raises(FamilyFault, match="F13"):
        draw(family("F13"), 0, 0, "test", "closed")


def test_there_are_thirty_two_families_and_all_areas_and_tiers() -> None:
    families = all_families()
    assert len(families) >= 32
    assert {one.tier for one in families} == {1, 2, 3}
    assert len({one.area for one in families}) >= 6
    assert sum(one.hand_steps is not None for one in families) >= 8
