"""What is asked of an agent's work: drafts of a trajectory written by hand."""

from __future__ import annotations

import random
from datetime import date, datetime

from memarena_builder.agentic.drafts import MAKERS, memory_boundary, memory_conflict
from memarena_builder.agentic.knowledge import learn
from memarena_builder.agentic.known import Learned
from memarena_builder.agentic.queries import ShownOn
from memarena_builder.agentic.trajectory import Attribute, Learnt, Step, Trajectory
from memarena_builder.agentic.turns import scenes, shown
from memarena_builder.questions.query import minimal, proved
from memarena_builder.world.facts import Key

START = datetime(2026, 3, 1)
ATTRIBUTES = (
    Attribute(name="place", point="{S} is {V}.", what="the place of {S}", asked=("Where is {S}?",),
              many=("How many things are {V}?",)),
    Attribute(name="colour", point="The colour of {S} is {V}.", what="the colour of {S}", asked=("Colour of {S}?",)),
    Attribute(name="joins", point="{S} joins {V}.", what="what {S} joins", asked=("What does {S} join?",), fixed=True),
    Attribute(name="state", point="{S} is {V}.", what="the state of {S}", asked=("How is {S}?",)),
    Attribute(name="opens with", point="{S} opens with {V}.", what="what opens {S}", asked=("What opens {S}?",),
              lesson=True, fixed=True, applies=("state", "locked"), cases=("What opens a {C} beside {S}?",)),
)  # fmt: skip


def of(subject: str, attribute: str, value: str, *, visual: bool = False) -> Learnt:
    return Learnt(subject=subject, attribute=attribute, value=value, visual=visual)


def look(*seen: Learnt, shows: tuple[Learnt, ...] = (), **more) -> Step:
    text = " ".join(f"{each.subject} {each.value}" for each in seen if not each.visual)
    picture = {"picture": b"x", "caption": "what there is to be seen"} if shows or any(e.visual for e in seen) else {}
    return Step(
        **{"observation": text, "action": "look()", "seen": seen, "shows": shows, "ends": True}, **picture, **more
    )


def known(*steps: Step, until: int | None = None, **more) -> Learned:
    days = tuple(Step(**{name: getattr(step, name) for name in step.__struct_fields__} | {"day": 2 * day})
                 for day, step in enumerate(steps))  # fmt: skip
    trajectory = Trajectory(environment="by hand", attributes=ATTRIBUTES, steps=days, **more)
    found = scenes(days, START)
    facts = learn(trajectory, found, START).facts
    last = len(steps) - 1 if until is None else until
    return Learned(trajectory, facts, last, date(2026, 3, 2 + 2 * last), "test", shown(found))


def made(make, *steps: Step, **more):
    return list(make(known(*steps, **more), random.Random(1)))


RED = of("the cup", "colour", "red", visual=True)
BLUE = of("the cup", "colour", "blue", visual=True)


def test_a_picture_is_asked_for_where_it_alone_shows_a_value():
    assert [each.query.evaluate(known(look(RED)).facts).answer for each in made(MAKERS["VS"], look(RED))] == [
        "S01_img_1"
    ]
    again = look(of("the jug", "colour", "green", visual=True), shows=(RED,))
    assert {each.keys[0].subject for each in made(MAKERS["VS"], look(RED), again)} == {"the jug"}


def test_the_picture_of_a_state_before_the_last_is_asked_for_by_a_day():
    steps = (look(RED), look(BLUE))
    facts = known(*steps).facts
    (before,) = [each for each in made(MAKERS["VS"], *steps) if isinstance(each.query, ShownOn)]
    assert before.query.evaluate(facts).answer == "S01_img_1" and minimal(before.query, facts) == facts[:1]
    assert proved(before.query, facts, facts[:1]) == "" and before.stale == ("S02_img_1",)


def test_what_a_picture_shows_is_not_beyond_memory_though_nobody_took_notice():
    subjects = (("the jug", "colour"), ("the pot", "colour"))
    seen = look(RED, shows=(RED, of("the jug", "colour", "green", visual=True)))
    assert [each.keys[0].subject for each in made(memory_boundary, seen, subjects=subjects)] == ["the pot"]


def test_which_came_first_is_one_question_whichever_is_named_first():
    first, second = look(of("the cup", "place", "up")), look(of("the jug", "place", "down"))
    drafts = [each for each in made(MAKERS["TR"], first, second) if each.template.startswith("order/")]
    assert len({each.text for each in drafts}) == 2 and len({each.keys for each in drafts}) == 1


def test_how_many_there_are_is_asked_again_when_there_are_more():
    steps = [look(of(name, "place", "up")) for name in ("the cup", "the jug", "the pot")]
    steps.insert(2, look(of("the door", "state", "open")))
    keys = [made(MAKERS["KR"], *steps, until=until)[0].keys for until in (1, 2, 3)]
    assert keys[0] == keys[1] != keys[2]


def test_a_claim_is_one_sentence_with_the_question():
    seen = known(look(RED), look(BLUE))
    assert seen.claim(Key("the cup", "colour"), "red") == "the colour of the cup is red"
    assert seen.claim(Key("the cup", "place"), "up") == "the cup is up"


def test_a_value_that_changed_again_is_another_question_of_updates():
    steps = [look(of("the cup", "place", value)) for value in ("up", "down", "out")]
    assert made(MAKERS["DU"], *steps[:2])[0].keys != made(MAKERS["DU"], *steps)[0].keys


def test_nobody_asks_whether_something_changed_that_cannot():
    steps = (look(of("the door", "joins", "here and there"), of("the door", "state", "open")),)
    asked = [
        each for agrees in (True, False) for each in memory_conflict(known(*steps), random.Random(2), agrees=agrees)
    ]
    assert {each.keys[0].attribute for each in asked} == {"state"}


def lesson(state: str, *more: Learnt):
    door, key = (of(name, "colour", "red", visual=True) for name in ("the door A", "the key X"))
    other, its = (of(name, "colour", "blue", visual=True) for name in ("the door B", "the key Y"))
    taught = of("the door A", "opens with", "the key X")
    return (look(door, key, other, its, of("the door B", "state", state), *more), look(taught))


def test_a_rule_is_asked_for_only_where_it_may_be_needed():
    def fits(*steps):
        return [each.keys[0].subject for each in made(MAKERS["TTL"], *steps) if each.template.startswith("fits/")]

    assert fits(*lesson("locked")) == ["the door B"] and fits(*lesson("closed")) == []
    assert fits(*lesson("locked"), look(of("the door B", "state", "open"))) == []


def test_a_lesson_is_applied_to_a_case_that_never_was_by_the_lesson_alone():
    steps = lesson("closed")
    (case,) = [each for each in made(MAKERS["TTL"], *steps, cases={"the door A": "chest"}) if "chest" in each.text]
    facts = known(*steps).facts
    assert case.query.evaluate(facts).answer == "the key X"
    assert [fact.key for fact in minimal(case.query, facts)] == [Key("the door A", "opens with")]
    assert [each for each in made(MAKERS["TTL"], *steps) if "beside" in each.text] == []
