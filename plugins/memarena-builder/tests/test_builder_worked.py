"""The reader of agents' work: what turns state, what questions ask, and what the answerer makes of both."""

from __future__ import annotations

from datetime import date

import pytest

from memarena.records import NOT_MENTIONED, AskedQuestion, Shown, ShownItem
from memarena_builder.agentic.queries import Distinct, Earlier, Fits, HowMany
from memarena_builder.questions.query import Claim, Current, Hop, ShownIn, Through, Unchanged, ValueOn
from memarena_builder.reader.answerer import SimReader, SimReaderOptions
from memarena_builder.reader.asked import read
from memarena_builder.reader.worked import Diary, statements
from memarena_builder.world.facts import Key

BALL = Key("the ball Onyx", "place")


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (
            "Observation: Errand 2: put the ball Onyx next to the box Fen. You are in the attic (column 3, row 4), "
            "facing east. Right before you: a wall. Carried: nothing.",
            [("errand 2", "about", "the ball Onyx")],
        ),
        (
            "Observation: You are in the attic (column 3, row 4), facing east. Right before you: the ball Onyx. "
            "Carried: nothing.",
            [("the ball Onyx", "place", "in the attic")],
        ),
        (
            "Observation: You are in the doorway of the door Iris (column 3, row 4), facing east. Right before you: "
            "the ball Onyx in the attic. Carried: nothing.",
            [("the ball Onyx", "place", "in the attic")],
        ),
        (
            "Observation: You are in the attic (column 3, row 4), facing east. Right before you: the door Iris between "
            "the attic and the cellar, locked. Carried: nothing.",
            [("the door Iris", "joins", "the attic and the cellar"), ("the door Iris", "state", "locked")],
        ),
        ("Feedback: Action succeeded: the ball Onyx is now in hand.", [("the ball Onyx", "place", "in hand")]),
        (
            "Feedback: Action succeeded: the key Fen fits, the door Iris is now open.",
            [("the door Iris", "state", "open"), ("the door Iris", "opens with", "the key Fen")],
        ),
        (
            "Observation: Task 3: set the amount of the row Opal to 4,321. The Sheet application is open on the sheet "
            "Loans. Selected: the row Opal on the sheet Loans.",
            [("task 3", "about", "the row Opal"), ("the row Opal", "place", "on the sheet Loans")],
        ),
        ("Feedback: Amount of the row Opal: 4,321.", [("the row Opal", "value", "4,321")]),
        ("Feedback: The row Opal is now on the sheet Costs.", [("the row Opal", "place", "on the sheet Costs")]),
        (
            "Feedback: Sign again: the row Opal was protected and can be changed now. This was on the sheet Costs.",
            [("on the sheet Costs", "remedy", "Sign again")],
        ),
        (
            "What is protected in the folder Taxes can be changed after Check out.",
            [("in the folder Taxes", "remedy", "Check out")],
        ),
        ("Feedback: Sign again: the row Opal is still protected. This was on the sheet Costs.", []),
        (
            "Observation: Task 4: bring in wood. You are in Dusky Fen (column 1, row 2), facing east. Right before "
            "you: nothing that was built.",
            [("task 4", "about", "wood")],
        ),
        (
            "Feedback: Action succeeded: with the wood pickaxe, stone was to be had in Dusky Fen.",
            [("stone", "source", "in Dusky Fen"), ("stone", "needs", "the wood pickaxe")],
        ),
        (
            "Feedback: Action succeeded: with a table beside you, the wood pickaxe is made.",
            [("the wood pickaxe", "needs", "a table")],
        ),
        ("Feedback: Task 4 is given up.", [("task 4", "outcome", "given up")]),
        ("The colour of the ball Onyx is red.", [("the ball Onyx", "colour", "red")]),
        ("The ball Onyx is in the attic.", [("the ball Onyx", "place", "in the attic")]),
    ],
)
def test_what_a_turn_states_is_read(text, stated):
    assert [tuple(each) for each in statements(text)] == stated


@pytest.mark.parametrize(
    "text",
    [
        "An old slip of paper on the floor says: the ball Onyx is in the attic.",
        "By the way, the ball Onyx may well be in the attic by now, but I have not looked.",
        "Action: move_forward()",
        "",
    ],
)
def test_notes_guesses_and_actions_state_nothing(text):
    assert statements(text) == ()


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Where is the ball Onyx, by what was seen last?", Current(key=BALL)),
        ("Is the place of the ball Onyx still as it was known to be at the end of May 2, 2026?",
         Unchanged(key=BALL, day=date(2026, 5, 2), yes="Yes", no="No, it is {V}")),
        ("By all that was known at the end of May 2, 2026, what was the place of the ball Onyx?",
         ValueOn(key=BALL, day=date(2026, 5, 2))),
        ("As far as is known, does it still hold that the ball Onyx is in the attic?",
         Claim(key=BALL, value="in the attic", yes="Yes", no="No, it is {V}")),
        ("How many things that were met by name are in the attic, by what was seen last?",
         HowMany(attribute="place", value="in the attic")),
        ("Where is the thing that the second errand asked for, by what was seen last?",
         Hop(relation=Key("errand 2", "about"), attribute="place")),
        ("Which colour has the only thing known by name to be in the attic, by the last look at it?",
         Through(known="place", value="in the attic", attribute="colour")),
        ("What became known earlier: the place of the ball Onyx, or the state of the door Iris?",
         Earlier(one=BALL, other=Key("the door Iris", "state"),
                 names=("the place of the ball Onyx", "the state of the door Iris"))),
        ("As far as is known, how many different values has the place of the ball Onyx had?", Distinct(key=BALL)),
        ("Which picture documents the colour of the ball Onyx in its last known state?",
         ShownIn(key=Key("the ball Onyx", "colour"))),
        ("Something on the sheet Costs refuses to be edited. Which button helps?",
         Current(key=Key("on the sheet Costs", "remedy"))),
        ("A file Opal has turned up in the folder Taxes today, and it refuses to be edited. What has to be pressed "
         "first?",
         Current(key=Key("in the folder Taxes", "remedy"))),
        ("A new event Opal cannot be edited on Monday: which button is worth a try before all others?",
         Current(key=Key("on Monday", "remedy"))),
        ("Behind a guest called Larch, the door Iris fell shut and is locked again. What gets the guest out?",
         Current(key=Key("the door Iris", "opens with"))),
        ("Somebody called Larch is new in the valley and asks how to come by iron: what has to be at hand?",
         Current(key=Key("iron", "needs"))),
        ("Which thing that was met would serve for the door Iris, which never came open?",
         Fits(subject="the door Iris", attribute="colour", rule="opens with")),
    ],
)  # fmt: skip
def test_what_a_question_asks_for_is_read(text, query):
    assert query in list(read(text))


def test_a_question_of_no_family_asks_for_nothing():
    assert list(read("What is the capital of France?")) == []


def test_the_state_of_a_door_is_known_from_the_first_look():
    diary = Diary()
    door = "Right before you: the door Iris between the attic and the cellar, "
    for state in ("closed", "closed", "open", "closed"):
        diary.hear(f"Observation: {door}{state}.", date(2026, 5, 1))
    assert [fact.value for fact in diary.facts if fact.key.attribute == "state"] == ["closed", "open", "closed"]


def ask(text: str, *shown: str, reads="words") -> str:
    items = tuple(ShownItem(rank=n, memory_id=f"m{n}", text=each) for n, each in enumerate(shown, 1))
    return (
        SimReader(SimReaderOptions(reads=reads))
        .answer(AskedQuestion(question_id="Q", text=text), Shown(items=items))
        .text
    )


SEEN = (
    "[May 03, 2026, 09:00:00] user: Feedback: Action succeeded: the ball Onyx is now in the cellar.",
    "[May 01, 2026, 09:00:00] user: Feedback: Action succeeded: the ball Onyx is now in the attic.",
)


def test_the_answerer_takes_the_newest_of_what_is_shown():
    assert ask("Where is the ball Onyx, by what was seen last?", *SEEN) == "in the cellar"
    question = "By all that was known at the end of May 2, 2026, what was the place of the ball Onyx?"
    assert ask(question, *SEEN) == "in the attic"


def test_the_picture_that_is_shown_alone_with_its_fact_is_the_one_that_is_asked_for():
    question = "Which picture documents the colour of the ball Onyx in its last known state?"
    assert ask(question, "The colour of the ball Onyx is red.", "image_id: S02_img_1") == "S02_img_1"
    assert ask(question, "image_id: S02_img_1") == NOT_MENTIONED


def test_who_reads_captions_alone_learns_nothing_from_words():
    assert ask("Where is the ball Onyx, by what was seen last?", *SEEN, reads="captions") == NOT_MENTIONED


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    pytest.importorskip("minigrid")
    from memarena_builder.agentic.recipes import HouseRecipe
    from memarena_builder.makers import make
    from memarena_builder.order import HouseOrder
    from memarena_builder.probes.finished import finished

    root = tmp_path_factory.mktemp("worked")
    make(
        HouseOrder(
            sample_id="house_01", place="agent/embodied/x", seed=3, sessions=16, questions=45,
            recipe=HouseRecipe(errands=("goto", "fetch", "put")),
        ),
        root,
    )  # fmt: skip
    return finished(root)[0]


def test_all_that_words_tell_is_answered_and_nothing_that_only_pictures_show(played):
    diary, turns = Diary(), list(played.turns)
    kinds = set()
    for question in played.questions:
        while turns and turns[0].session <= question.session:
            said = turns.pop(0)
            diary.hear(said.text, said.day)
        answer = diary.answer(question.text) or NOT_MENTIONED
        if not question.template.startswith("fits/"):
            kinds.add(question.type)
            assert (answer == question.answer) is (question.type not in ("VFR", "VS", "VU", "CMR")), question
    assert len(kinds) >= 8
