"""A trajectory written by hand, and what it has to become."""

from __future__ import annotations

from datetime import datetime

import pytest

from memarena_builder.agentic.checks import MOST_LEARNT, check_learnt
from memarena_builder.agentic.knowledge import learn
from memarena_builder.agentic.queries import Distinct, Earlier, Fits, HowMany
from memarena_builder.agentic.recipes import KINDS, QUESTIONS, SESSIONS, published, shares
from memarena_builder.agentic.segment import LONGEST, names, segments
from memarena_builder.agentic.trajectory import Attribute, Learnt, Refused, Step, Trajectory
from memarena_builder.agentic.turns import pictures, scenes
from memarena_builder.questions.query import Unchanged, minimal, proved
from memarena_builder.world.facts import Key

START = datetime(2026, 3, 1)
PLACE = Attribute(name="place", point="{S} is {V}.", what="the place of {S}", asked=("Where is {S}?",))
COLOUR = Attribute(
    name="colour", point="The colour of {S} is {V}.", what="the colour of {S}", asked=("Which colour has {S}?",)
)


CUPS = [f"the cup {number}" for number in range(MOST_LEARNT + 1)]


def at(value: str, **more) -> Learnt:
    return Learnt(subject="the cup", attribute="place", value=value, **more)


def step(**more) -> Step:
    return Step(**{"observation": "You see the room.", "action": "look()", **more})


def made(*steps: Step):
    trajectory = Trajectory(environment="by hand", attributes=(PLACE, COLOUR), steps=steps)
    found = scenes(steps, START)
    return trajectory, found, learn(trajectory, found, START)


def test_a_session_ends_with_its_task_and_is_named_after_its_last_step():
    cut = segments([step(), step(ends=True), step(), step(), step(ends=True)])
    assert [len(each) for each in cut] == [2, 3] and names(cut) == ["S02", "S05"]


def test_a_failure_ends_a_session_unless_it_has_only_begun():
    assert [len(each) for each in segments([step(failed=True), step(failed=True), step()])] == [2, 1]


def test_no_session_is_longer_than_the_longest():
    assert [len(each) for each in segments([step()] * (LONGEST + 1))] == [LONGEST, 1]


def test_a_step_is_an_observation_then_a_thought_with_its_action_then_feedback():
    scene = scenes([step(reasoning="I look.", feedback="Action failed: it is dark.")], START)[0]
    assert [(line.role, line.text) for line in scene.lines] == [
        ("user", "Observation: You see the room."),
        ("assistant", "I look.\nAction: look()"),
        ("user", "Feedback: Action failed: it is dark."),
    ]


def test_a_step_of_which_there_is_nothing_to_say_has_no_feedback():
    assert len(scenes([step(), step()], START)[0].lines) == 4


def test_what_is_seen_again_is_no_new_point_but_more_evidence():
    text = "The cup is on the table."
    _, _, knowledge = made(*(step(observation=text, seen=(at("on the table"),)) for _ in range(2)))
    (point,) = knowledge.points["S02"]
    assert point.content == "The cup is on the table." and point.turns == (0, 2)


def test_another_value_supersedes_the_one_before():
    first = step(observation="The cup is on the table.", seen=(at("on the table"),), ends=True)
    second = step(observation="The cup is in the sink.", seen=(at("in the sink"),), day=2)
    _, _, knowledge = made(first, second)
    (update,) = knowledge.points["S02"]
    assert (update.kind, update.replaces, update.importance) == ("update", ("The cup is on the table.",), 0.8)


def test_what_changed_behind_the_agents_back_changes_nothing_until_it_is_seen():
    _, _, knowledge = made(step(observation="The cup is on the table.", seen=(at("on the table"),)), step())
    assert [fact.value for fact in knowledge.facts] == ["on the table"]


def test_an_old_note_is_refused_and_one_that_is_right_is_not():
    old = Refused(subject="the cup", attribute="place", value="on the table", kind="old note")
    new = Refused(subject="the cup", attribute="place", value="in the sink", kind="old note")
    notes = "A note: the cup is on the table. Another: the cup is in the sink."
    _, _, knowledge = made(
        step(observation="The cup is on the table.", seen=(at("on the table"),)),
        step(observation="The cup is in the sink.", seen=(at("in the sink"),)),
        step(observation=notes, refused=(old, new), told_by="observation"),
    )
    assert [each.content for each in knowledge.points["S03"] if each.kind == "interference"] == [
        "The cup is on the table."
    ]


def test_a_guess_that_comes_true_is_not_refused():
    guess = Refused(subject="the cup", attribute="place", value="in the sink", kind="guess")
    _, _, knowledge = made(
        step(reasoning="I suppose the cup is in the sink.", refused=(guess,)),
        step(observation="The cup is in the sink.", seen=(at("in the sink"),)),
    )
    assert [each.kind for each in knowledge.points["S02"]] == ["new"]


@pytest.mark.parametrize(
    ("wrong", "validator"),
    [
        ({"observation": "Nothing here.", "seen": (at("on the table"),)}, "V1"),
        ({"seen": (at("on the table", visual=True),), "picture": b"x", "caption": "a cup on the table, plainly"}, "V2"),
        (
            {"refused": (Refused(subject="the cup", attribute="place", value="up", kind="guess"),), "reasoning": "Hm."},
            "V3",
        ),
        (
            {
                "refused": (Refused(subject="the cup Iris", attribute="place", value="in hand", kind="guess"),),
                "reasoning": "Action succeeded: the cup Iris is now in hand.",
            },
            "V3",
        ),
        (
            {
                "observation": f"On the table are {', '.join(CUPS)}.",
                "seen": tuple(Learnt(subject=cup, attribute="place", value="on the table") for cup in CUPS),
            },
            "V9",
        ),
    ],
)
def test_a_validator_sees_what_is_wrong(wrong, validator):
    _, found, knowledge = made(step(**wrong))
    assert {each.validator for each in check_learnt(knowledge, found, pictures(found))} == {validator}


def facts_of(*learnt: Learnt):
    steps = [step(observation="", seen=(each,), day=day) for day, each in enumerate(learnt)]
    other = Attribute(name="opens with", point="{S} opens with {V}.", what="", asked=(), lesson=True)
    trajectory = Trajectory(environment="", attributes=(PLACE, COLOUR, other), steps=tuple(steps))
    return learn(trajectory, scenes(steps, START), START).facts


def test_which_came_first_is_told_by_the_first_looks_and_not_by_later_ones():
    cup, jug = Key("the cup", "place"), Key("the jug", "place")
    jug_up = Learnt(subject="the jug", attribute="place", value="up")
    facts = facts_of(at("on the table"), jug_up, at("in the sink"))
    query = Earlier(one=jug, other=cup, names=("the jug", "the cup"))
    evidence = minimal(query, facts)
    assert query.evaluate(facts).answer == "the cup" and evidence == facts[:2]
    assert proved(query, facts, evidence) == ""


def test_values_are_counted_once_each():
    facts = facts_of(at("up"), at("down"), at("up"))
    query = Distinct(key=Key("the cup", "place"))
    assert query.evaluate(facts).answer == "two" and len(minimal(query, facts)) == 2


def test_subjects_are_counted_by_the_last_value_known():
    jug = Learnt(subject="the jug", attribute="place", value="up")
    facts = facts_of(at("up"), jug, at("down"))
    assert HowMany(attribute="place", value="up").evaluate(facts).answer == "one"


def test_a_rule_that_was_learnt_tells_what_fits_a_case_that_never_was():
    def colour(name, value):
        return Learnt(subject=name, attribute="colour", value=value, visual=True)

    lesson = Learnt(subject="the door A", attribute="opens with", value="the key X")
    case = (colour("the door B", "red"), colour("the key Y", "red"), colour("the box Z", "red"))
    facts = facts_of(*case, colour("the door A", "blue"), colour("the key X", "blue"), lesson)
    query = Fits(subject="the door B", attribute="colour", rule="opens with")
    evidence = minimal(query, facts)
    assert query.evaluate(facts).answer == "the key Y" and len(evidence) == 5
    assert query.evaluate(facts[:5]) is None and proved(query, facts, evidence) == ""


def test_a_lesson_teaches_no_rule_where_nothing_in_it_is_known_to_be_the_same():
    lesson = Learnt(subject="the door A", attribute="opens with", value="the key X")
    colours = {"the door A": "blue", "the key X": "red", "the door B": "red", "the key Y": "red"}
    seen = [Learnt(subject=name, attribute="colour", value=value) for name, value in colours.items()]
    query = Fits(subject="the door B", attribute="colour", rule="opens with")
    assert query.evaluate(facts_of(lesson, *seen)) is None and query.evaluate(facts_of(lesson, *seen[2:])) is None


def test_that_something_is_so_again_takes_the_look_at_which_it_was():
    facts = facts_of(at("up"), at("down"), at("up"))
    query = Unchanged(key=Key("the cup", "place"), day=START.date(), yes="Yes", no="No, it is {V}")
    assert query.evaluate(facts).answer == "Yes" and minimal(query, facts) == (facts[0], facts[2])
    assert minimal(query, facts[:1]) == facts[:1]


def test_shares_add_up_and_keep_proportion():
    assert shares(10, [1, 1, 1]) == [4, 3, 3] and shares(7, [2.0, 1.0]) == [5, 2]


def test_the_published_set_has_its_totals():
    sizes = [pair for each in published().values() for pair in each]
    assert len(sizes) == sum(kind.samples for kind in KINDS) == 423
    assert (sum(each for each, _ in sizes), sum(each for _, each in sizes)) == (SESSIONS, QUESTIONS)
