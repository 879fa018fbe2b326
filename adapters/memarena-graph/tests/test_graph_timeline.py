from __future__ import annotations

from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from memarena.records import MemoryChange
from memarena_graph.journal import Journal
from memarena_graph.timeline import Changes, Fact, Statement, decide


def say(slot: str, value: str, *, single: bool = True, replaces: tuple[str, ...] = (), at: str = "") -> Statement:
    subject, relation = slot.split("|")
    return Statement(
        subject=subject,
        relation=relation,
        object=value,
        text=f"{subject} {relation} {value}.",
        single=single,
        replaces=replaces,
        valid_from=at or None,
        turn_ids=("T1",),
    )


def fact(fact_id: str, slot: str, value: str) -> Fact:
    return Fact(fact_id=fact_id, slot=slot, object=value, text=f"{slot} {value}")


def decided(*statements: Statement, current: tuple[Fact, ...] = ()) -> Changes:
    return decide(statements, current, (f"new{number}" for number in count(1)))


OSLO = fact("f1", "ana|live_in", "oslo")


def test_a_single_valued_fact_closes_the_other_value_from_its_own_time_on() -> None:
    changes = decided(say("ana|live_in", "bergen", at="May"), current=(OSLO,))
    assert [each.fact_id for each, _ in changes.added] == ["new1"]
    ((closing),) = changes.closed
    assert (closing.fact, closing.by, closing.since) == (OSLO, "new1", "May")


def test_a_value_of_many_closes_nothing() -> None:
    assert decided(say("ana|has", "cat", single=False), current=(fact("f1", "ana|has", "dog"),)).closed == ()


def test_other_subjects_and_relations_stay() -> None:
    assert decided(say("ben|live_in", "bergen"), say("ana|work_in", "bergen"), current=(OSLO,)).closed == ()


def test_what_is_said_again_is_no_new_fact() -> None:
    changes = decided(say("ana|live_in", "oslo"), current=(OSLO,))
    assert changes.added == changes.closed == ()
    assert [each.fact_id for each, _ in changes.repeated] == ["f1"]


def test_the_model_may_close_any_fact_that_is_true() -> None:
    lessons = fact("f2", "ana|take", "lessons")
    changes = decided(say("ana|stop", "lessons", single=False, replaces=("f2",)), current=(OSLO, lessons))
    assert [each.fact.fact_id for each in changes.closed] == ["f2"]


def test_a_fact_that_is_not_there_cannot_be_closed_and_is_counted() -> None:
    changes = decided(say("ana|live_in", "oslo", replaces=("f9", "f1")), current=(OSLO,))
    assert (changes.closed, changes.unknown) == ((), 1)


def test_of_two_values_in_one_round_the_later_one_stays() -> None:
    changes = decided(say("ana|live_in", "bergen"), say("ana|live_in", "turku"), current=(OSLO,))
    assert [(each.fact.fact_id, each.by) for each in changes.closed] == [("f1", "new1"), ("new1", "new2")]


def test_going_back_to_an_earlier_value_is_a_fact_of_its_own() -> None:
    changes = decided(say("ana|live_in", "bergen"), say("ana|live_in", "oslo"), current=(OSLO,))
    assert [each.fact_id for each, _ in changes.added] == ["new1", "new2"]


def test_turns_of_what_is_said_twice_in_a_round_are_joined() -> None:
    again = Statement(subject="ana", relation="live_in", object="oslo", text="Again.", turn_ids=("T1", "T2"))
    ((_, said),) = decided(say("ana|live_in", "oslo"), again).added
    assert said.turn_ids == ("T1", "T2")


def test_the_journal_tells_what_replaced_what() -> None:
    journal = Journal()
    journal.write("S1", decided(say("ana|live_in", "bergen"), say("ana|has", "cat"), current=(OSLO,)))
    assert journal.of("S1") == (
        MemoryChange(
            op="update",
            memory_id="new1",
            text="ana live_in bergen.",
            previous=("ana|live_in oslo",),
            replaces=("f1",),
        ),
        MemoryChange(op="add", memory_id="new2", text="ana has cat."),
        MemoryChange(op="archive", memory_id="f1", text="ana|live_in oslo"),
    )
    assert journal.of("S2") == ()


def test_the_journal_tells_of_a_repetition_once_and_not_in_the_session_of_the_fact() -> None:
    journal = Journal()
    again = decided(say("ana|live_in", "oslo"), current=(OSLO,))
    for _ in range(2):
        journal.write("S2", again)
    assert [change.op for change in journal.of("S2")] == ["merge"]


SLOTS = st.sampled_from(["ana|live_in", "ana|has", "ben|live_in"])
SAID = st.tuples(SLOTS, st.sampled_from("xyz"), st.booleans(), st.lists(st.integers(1, 12), max_size=2))


@given(st.lists(st.lists(SAID, max_size=4), max_size=8))
def test_whatever_is_said_the_timeline_stays_sound(rounds: list[list[tuple[str, str, bool, list[int]]]]) -> None:
    """Over many rounds: a fact is closed once and by a fact that was there; no slot has one value twice; what was said
    last is true; and after a single-valued statement its slot has that value alone.
    """
    ids = (f"f{number}" for number in count(1))
    true: dict[str, Fact] = {}
    closed: set[str] = set()
    for spoken in rounds:
        said = [say(slot, value, single=one, replaces=tuple(f"f{n}" for n in old)) for slot, value, one, old in spoken]
        changes = decide(said, tuple(true.values()), ids)
        true |= {each.fact_id: each for each, _ in changes.added}
        for each in changes.closed:
            assert each.fact.fact_id not in closed
            assert each.by != each.fact.fact_id
            assert each.by in true or each.by in closed
            closed.add(each.fact.fact_id)
            del true[each.fact.fact_id]
        held = [(each.slot, each.object) for each in true.values()]
        assert len(set(held)) == len(held)
        if said:
            last = said[-1]
            assert (last.slot, last.object) in held
            if last.single:
                assert [slot for slot, _ in held].count(last.slot) == 1
