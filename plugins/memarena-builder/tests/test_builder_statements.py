"""What rules read in the turns of people and of environments; and above all what they leave alone."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena_builder.agentic.knowledge import tells
from memarena_builder.traces.relations import ATTRIBUTES, ONCE, attribute, family, on_day, undated
from memarena_builder.traces.statements import by_session
from memarena_builder.traces.values import cut_value, fits


def read(*texts, role="user"):
    """Subject, relation and value of all that these turns state."""
    return [one[:3] for stated in by_session([(role, text) for text in texts]) for one in stated]


@pytest.mark.parametrize(
    ("text", "relation", "value"),
    [
        ("I live in Porto.", "residence", "Porto"),
        ("We just moved to Lyon last month!", "residence", "Lyon"),
        ("I'm originally from Sweden.", "origin", "Sweden"),
        ("I'm working for Acme Labs now.", "employer", "Acme Labs"),
        ("I'm a freelance designer.", "job", "a freelance designer"),
        ("I turned 31 last week.", "age", "31"),
        ("I am allergic to the peanut.", "allergy", None),
        ("I'm allergic to some kinds of nuts.", "allergy", "some kinds of nuts"),
        ("I prefer the morning train.", "preference", "the morning train"),
        ("My favourite colour is teal.", "favourite colour", "teal"),
        ("Yesterday I bought a new tent for our trip.", "purchase", "a new tent"),
        ("Hey Mel, I went to a pride parade last Fri and it was great.", "visit", "a pride parade"),
        ("Last week we went hiking with the kids.", "outing", "hiking"),
        ("Just signed up for a pottery class.", "sign-up", "a pottery class"),
        ("I've been looking into adoption agencies.", "pursuit", None),
        ("I've been looking into the adoption agencies nearby.", "pursuit", "the adoption agencies nearby"),
        ("I took my kids to a park yesterday.", "trip", "my kids to a park"),
        ("I started playing acoustic guitar about five years ago.", "beginning", "playing acoustic guitar"),
        ("I'm planning to build some shelves.", "plan", "build some shelves"),
        ("I'd love to visit the castle.", "plan", "visit the castle"),
        ("We're thinking about going camping next month.", "idea", "going camping"),
        ("I have two kids.", "possession", "two kids"),
        ("I went to an LGBTQ conference two days ago.", "visit", "an LGBTQ conference"),
        ("The red folder is in the attic.", "location", "the attic"),
        ("The budget is now 650 euros.", "state", "650 euros"),
        ("My passport is expired.", "state", "expired"),
        ("The ticket costs 40 euros.", "price", "40 euros"),
    ],
)
def test_facts_are_read_as_people_tell_them(text, relation, value):
    found = [(name, told) for _, name, told in read(text)]
    assert found == ([(relation, value)] if value else [])


@pytest.mark.parametrize(
    "text",
    [
        "The view from the top was amazing.",
        "Your future family is gonna be so lucky to have you.",
        "Being a mom is awesome.",
        "I'm so happy and thankful for all the support.",
        "The event was really thought-provoking.",
        "We're so lucky he was okay.",
        "I had a great time.",
        "I want to do that too.",
        "I love it.",
        "I made this for you.",
        "Sounds like your event was amazing.",
        "It is in the attic.",
        "They live in Porto.",
        "I never lived in Porto.",
        "I don't live in Porto.",
        "I wish I lived in Porto.",
        "I'm a big fan of pottery.",
        "I'm a mother.",
        "I heard the name.",
        "The other is a dress.",
        "Do you live in Porto?",
        "Why is the budget 400 euros?",
        "The winners are: chambray and silk.",
        "Volunteering is a great way to meet people.",
        "I'm going to try.",
        "We agree.",
        "",
        ":",
        "I bought",
    ],
)
def test_opinions_feelings_and_what_points_elsewhere_are_no_facts(text):
    assert read(text) == []


def test_braces_and_other_signs_of_programs_stay_what_they_are():
    assert read('The {budget} is {V} 400. The code is \\g<1> 7%d 9. I bought a "{S}" tent.') == [
        ("the code", "state", "\\g<1> 7%d 9")
    ]
    assert read("I bought a \0 tent.") == []
    assert read("预算是400欧元。I moved to Lyon.") == [("the user", "residence", "Lyon")]


def test_an_assistant_states_nothing_of_its_own():
    assert read("I live in Porto. The budget is 400 euros. I bought a car.", role="assistant") == []


def test_who_begins_their_turns_with_a_name_is_meant_by_i_and_my():
    turns = ["Ana: I moved to Lyon.", "Bo: My dog Luna is ill.", "Ana: We bought a new tent.", "Bo: Oh!"]
    assert read(*turns) == [
        ("Ana", "residence", "Lyon"),
        ("Bo's dog", "name", "Luna"),
        ("Ana", "purchase", "a new tent"),
    ]


def test_one_turn_with_a_colon_makes_nobody_a_speaker():
    assert read("Hello.", "Note: I live in Porto.", "Bye.") == []


def test_other_people_are_known_by_names_that_stand_within_sentences():
    assert read("I talked with Mara.", "Mara works for Acme Labs.") == [("Mara", "employer", "Acme Labs")]
    assert read("Veggies works for Acme Labs.") == []


def test_only_what_lasts_may_be_supposed():
    ((one,),) = by_session([("user", "Maybe the key is in the car.")])
    assert one.supposed
    assert read("Maybe I bought a car.") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Observation: You are holding a red key. The door is locked.",
         [("you", "held thing", "a red key"), ("the door", "state", "locked")]),
        ("Feedback to shell(ls): a.py", [("shell(ls)", "outcome", "a.py")]),
        ('Feedback to order(7): {"status": "shipped", "tracking_number": 12, "ok": true, "items": []}',
         [("order(7)", "status", "shipped"), ("order(7)", "tracking number", "12")]),
        ('Feedback to order(7): {"status": ', []),
        ("Feedback to pytest(x):\n....\n=== 3 passed in 1 s ===", [("pytest(x)", "outcome", "3 passed in 1 s")]),
        ("Feedback (failed) to cat(b): no such file", [("cat(b)", "failure", "no such file")]),
        ("Feedback (failed) to run(x):\nTrace\nError: denied\nexit 1", [("run(x)", "failure", "Error: denied")]),
        ("Feedback to run(x):\nVersion: 2.4.1\nDone.", [("run(x)", "Version", "2.4.1")]),
        ("Feedback to Read(a.py): nothing", []),
        ("Feedback to find a Mug: Last action executed successfully.", []),
        ("Feedback (failed) to open a box: It is locked.", [("open a box", "failure", "It is locked.")]),
        ("Feedback: The door is now open.", [("the door", "state", "open")]),
        ("Port: 8123\nNote: x", [("Port", "entry", "8123")]),
    ],
)  # fmt: skip
def test_environments_tell_states_entries_and_what_came_of_a_call(text, found):
    assert read(text, role="environment") == found


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("a new phone for my mom", "thing", "a new phone"),
        ("Rome, which was hot", "place", "Rome"),
        ("the beach this past weekend", "place", "the beach"),
        ("a tent and a stove", "thing", "a tent and a stove"),
        ("a tent and had fun", "thing", "a tent"),
        ("the idea of", "thing", "the idea"),
    ],
)
def test_a_value_ends_where_something_else_begins(text, kind, value):
    assert cut_value(text, kind) == value


@given(
    st.text(max_size=60), st.sampled_from(["thing", "place", "name", "job", "act", "doing", "fact", "number", "any"])
)
def test_a_value_is_a_part_of_its_text_and_can_be_judged(text, kind):
    value = cut_value(text, kind)
    assert value in text and fits(value, kind) in (True, False)


@given(st.lists(st.text(max_size=80), max_size=4))
def test_whatever_is_read_stands_in_its_turn(texts):
    for text, stated in zip(texts, by_session([("user", text) for text in texts]), strict=True):
        assert all(each.value in text for each in stated)


def test_what_happens_once_has_its_day_in_its_name_and_cannot_change():
    name = on_day("visit", date(2026, 3, 4))
    found = attribute(name)
    assert found.point == "{S} told of having gone to {V}."
    assert found.asked[0].format(S="Ana") == "What did Ana tell of having gone to, on March 4, 2026?"
    assert found.fixed and found.numbered and family(name) == family("residence") == family("visit") == "person"
    assert undated(name) == "visit" and undated("visit") == undated("residence") == ""
    assert on_day("residence", date(2026, 3, 4)) == "residence"
    alone = attribute("visit")
    assert alone.point == found.point and not alone.numbered and not any("2026" in text for text in alone.asked)


def test_every_relation_has_two_questions_and_a_sentence():
    dated = [on_day(name, date(2026, 1, 1)) for name in ONCE]
    for each in map(attribute, (*ATTRIBUTES, *ONCE, *dated)):
        assert len(each.asked) == 2 and "{S}" in each.point and "{V}" in each.point


@pytest.mark.parametrize(
    ("text", "subject", "told"),
    [
        ("My dog is Luna.", "the user's dog", True),
        ("Bo: my dog is Luna.", "Bo's dog", True),
        ("My dog is Luna.", "Bo's dog", False),
        ("Bo's dog is Luna.", "Bo's dog", True),
        ("Your dog is Luna.", "the user's dog", False),
        ("My cat met Luna.", "the user's dog", False),
        ("We met Luna.", "the user", True),
        ("They met Luna.", "the user", False),
    ],
)
def test_a_turn_names_somebody_s_own_by_my(text, subject, told):
    assert tells(text, subject, "Luna") is told
