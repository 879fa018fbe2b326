"""A type that has no question at a checkpoint is made up for at a later one."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from memarena_builder.questions import ask as asking
from memarena_builder.questions import ranked
from memarena_builder.questions.ask import TYPES, WAITING, _Asker, _passes
from memarena_builder.questions.chosen import Chosen
from memarena_builder.questions.known import Draft
from memarena_builder.questions.mix import ANY, SIZES


class Scripted(_Asker):
    """Has questions of some types alone; what they ask does not matter."""

    def __init__(self, has: set[str]) -> None:
        self._has = has
        self._chosen = Chosen()
        self._streams = SimpleNamespace(rng=lambda *name: SimpleNamespace(shuffle=lambda order: None))

    def _pair(self):
        return (made("MB"), made("FR"))

    def _ways(self, kind):
        return [kind]

    def _first(self, ways, name, passes, sizes):
        return made(ways[0]) if ways[0] in self._has else None


def made(kind: str) -> asking.Asked:
    return asking.Asked(
        question_id="", type=kind, text="?", answer="!", query=None, evidence=(), difficulty="", template=""
    )


def types_at(checkpoints: list[set[str]]) -> list[list[str]]:
    owed: list[str] = []
    last = len(checkpoints) - 1
    found = [
        Scripted(has).questions(f"QA{number:02}", owed, last=number == last) for number, has in enumerate(checkpoints)
    ]
    assert owed == []
    for number, questions in enumerate(found):
        ids = [f"QA{number:02}:Q{place:03}" for place in range(1, len(questions) + 1)]
        assert [question.question_id for question in questions] == ids
    return [sorted(question.type for question in questions) for questions in found]


def test_a_type_that_is_missing_is_asked_twice_at_the_next_checkpoint() -> None:
    every = set(TYPES)
    assert types_at([every - {"VU"}, every]) == [sorted(every - {"VU"}), sorted([*every, "VU"])]


@pytest.mark.parametrize("first", [True, False])
def test_at_the_last_checkpoint_another_type_fills_the_place(first: bool) -> None:
    every = set(TYPES)
    before, after = types_at([every - {"KR"} if first else every, every - {"KR"}])
    assert len(before) + len(after) == 2 * len(every)
    assert after.count("KR") == 0
    assert after.count("FR") == 2 + first


def test_what_fills_a_place_is_of_the_type_that_was_asked_least() -> None:
    chosen = Chosen()
    for number, kind in enumerate(("FR", "FR", "TR", "KR", "KR", "KR")):
        chosen.add(Draft(kind, "?", None, "", (number,)), 0.5)
    assert chosen.least(("FR", "TR", "KR", "DU")) == ["DU", "TR", "FR", "KR"]


Off = ranked.Ranked


class Ranked(_Asker):
    """Each way has drafts whose evidence is that far from where it is to stand."""

    def __init__(self) -> None:
        self._streams = SimpleNamespace(rng=lambda *name: SimpleNamespace(shuffle=lambda order: None))

    def _ranked(self, way, rng):
        return sorted(
            (each if isinstance(each, Off) else Off(each, 1, each) for each in way), key=lambda each: each.off
        )

    def _proved(self, draft):
        return draft

    def _keep(self, draft, made):
        pass


def test_what_is_too_far_off_is_not_asked_where_a_later_checkpoint_has_better() -> None:
    assert Ranked()._first([(0.7, 0.4, 0.5)], "DU", _passes("DU", waits=True), ANY) == 0.4
    assert Ranked()._first([(0.7, 0.5)], "DU", _passes("DU", waits=True), ANY) is None


def test_at_the_last_checkpoint_what_is_far_off_comes_after_what_is_near_in_any_way() -> None:
    assert Ranked()._first([(0.6,), (0.3,)], "KR", _passes("KR", waits=False), ANY) == 0.3
    assert Ranked()._first([(0.6,), (0.5,)], "KR", _passes("KR", waits=False), ANY) == 0.6


def test_a_type_of_one_size_that_does_not_wait_takes_the_nearest_of_its_first_way(monkeypatch) -> None:
    monkeypatch.setattr(asking, "WAITING", WAITING - {"VU"})
    assert Ranked()._first([(0.9, 0.6), (0.1,)], "VU", _passes("VU", waits=True), ANY) == 0.6


def test_a_type_of_many_sizes_never_waits_for_a_later_checkpoint_but_takes_what_is_near_first() -> None:
    assert "MC" not in WAITING
    assert Ranked()._first([(0.9, 0.6), (0.1,)], "MC", _passes("MC", waits=True), ANY) == 0.1
    assert Ranked()._first([(0.9, 0.6)], "MC", _passes("MC", waits=True), ANY) == 0.6


def test_a_size_that_is_wanted_more_is_taken_of_a_later_way_before_another_of_the_first() -> None:
    few, some, many = SIZES
    ways = [(Off(0.1, 1, "one"), Off(0.2, 4, "four")), (Off(0.3, 3, "three"), Off(0.7, 5, "five"))]
    for sizes, found in (((some, few), "four"), ((few, some), "one"), ((many, few), "one"), ((many,), "five")):
        assert Ranked()._first(ways, "MC", _passes("MC", waits=True), sizes) == found
