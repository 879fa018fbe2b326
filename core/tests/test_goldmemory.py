"""Gold in place of what a system hears: which facts are true when."""

from __future__ import annotations

from memarena.goldmemory import live_points
from memarena.records import GoldPoint, Session


def session(name: str, *points: tuple[str, str, tuple[str, ...]]) -> Session:
    gold = tuple(
        GoldPoint(memory_id=f"{name}-{place}", content=content, session_id=name, kind=kind, replaces=replaces)
        for place, (kind, content, replaces) in enumerate(points)
    )
    return Session(session_id=name, points=gold)


HOME = ("new", "Ana lives in Boston.", ())
MOVED = ("update", "Ana lives in Leeds.", ("Ana lives in  boston.",))
BACK = ("update", "Ana lives in Boston.", ("Ana lives in Leeds.",))
JOKE = ("interference", "Ana owns a dragon.", ())


def contents(*sessions: Session, past: frozenset[str] = frozenset()) -> list[list[str]]:
    return [[point.content for point in points] for points in live_points(sessions, past)]


def test_a_fact_is_told_until_a_later_session_replaces_it() -> None:
    first, second = session("S01", HOME, JOKE), session("S02", MOVED)
    assert contents(first) == [["Ana lives in Boston."]]
    assert contents(first, second) == [[], ["Ana lives in Leeds."]]


def test_a_fact_that_comes_true_again_is_told_by_the_session_that_says_so() -> None:
    sessions = (session("S01", HOME), session("S02", MOVED), session("S03", BACK))
    assert contents(*sessions) == [[], [], ["Ana lives in Boston."]]


def test_a_fact_of_the_past_on_which_a_question_rests_stays() -> None:
    sessions = (session("S01", HOME), session("S02", MOVED))
    past = frozenset({"ana lives in boston."})
    assert contents(*sessions, past=past) == [["Ana lives in Boston."], ["Ana lives in Leeds."]]
