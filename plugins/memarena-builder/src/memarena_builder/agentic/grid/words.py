"""The words of the house: what is observed, thought, done. No word tells a colour, a count or what stands beside."""

from __future__ import annotations

from memarena_builder.agentic.attributes import LOCATION, OUTCOME, about, beside, outcome, place
from memarena_builder.agentic.trajectory import Attribute

ACTIONS = ("turn_left()", "turn_right()", "move_forward()", "pick_up()", "put_down()", "toggle()")
"""By number of the action."""
IN_HAND, HANDS = "in hand", "bare hands"
NOTHING = "nothing"
"""Beside most things: worth knowing only where something else was."""
COUNT = "on entering"

ATTRIBUTES = (
    place(
        "the only thing known by name to be {V}",
        (
            "How many things that were met by name are {V}, by what was seen last?",
            "As far as is known, how many things with a name are {V}?",
        ),
    ),
    Attribute(
        name="colour",
        point="The colour of {S} is {V}.",
        what="the colour of {S}",
        asked=("Which colour has {S}, by the last look at it?", "What colour did {S} have when it was last met?"),
    ),
    *beside("Which thing of which colour"),
    Attribute(
        name=COUNT,
        point="On entering {S}, the number of loose things in view is {V}.",
        what="the number of loose things in view on entering {S}",
        asked=(
            "How many loose things were in view when the agent last came into {S}?",
            "Coming into {S} the last time, how many balls, boxes and keys were in view together?",
        ),
    ),
    Attribute(
        name="state",
        point="{S} is {V}.",
        what="the state of {S}",
        many=("How many doors are {V}, as far as is known?", "By what was seen last, how many of the doors are {V}?"),
        asked=("In what state is {S}, by what was seen last?", "Is {S} open, closed or locked, as last known?"),
    ),
    Attribute(
        name="joins",
        point="{S} joins {V}.",
        what="the pair of rooms on both sides of {S}",
        asked=("Between which two rooms is {S}?", "Passing through {S}, from where to where does one get?"),
        fixed=True,
        point_type=LOCATION,
    ),
    Attribute(
        name="opens with",
        point="{S} opens with {V}.",
        what="what opens {S}",
        asked=("Somebody has to get through {S}: what must be taken along?", "What does one need to unlock {S}?"),
        one="what it takes to unlock {S}",
        cases=(
            "A guest called {C} stands before {S}, which has locked itself again. What do you hand over?",
            "Behind a guest called {C}, {S} fell shut and is locked again. What gets the guest out?",
        ),
        lesson=True,
        fixed=True,
        applies=("state", "locked"),
        point_type=OUTCOME,
    ),
    about(
        "the thing that {S} is about",
        ("Which thing did {S} ask for?", "What had to be found in {S}?"),
        "the thing that {S} asked for",
    ),
    outcome("errand"),
)

THOUGHTS: dict[str, tuple[str, ...]] = {
    "explore": (
        "{A} is not in sight. I look around further.",
        "I have not found {A} yet, so I look elsewhere.",
        "Nothing here that helps. I go on searching.",
    ),
    "reach": ("I see where to go: {A}.", "I walk up to {A}.", "{A} is my next goal, I keep going."),
    "walk": ("I need a free spot and go there.", "I make room first.", "I go to a better place for this."),
    "take": ("{A} is before me. I take it.", "Now I pick up {A}."),
    "act": ("I am where I want to be.", "Now I do it.", "This is the place to act."),
    "free": ("I put {A} down, so that my hands are free.", "My hands should be free: I lay {A} down here."),
    "stop": ("The errand is done, I wait for what comes next.", "That was it. I stop here."),
    "lost": ("I do not get any further. I give it up.",),
}
UNSEEN = {"explore": "the right {K}", "reach": "a {K} further on"}
"""What the agent calls something whose name it has not met, by what it is about; {K}: what sort of thing it is."""
GUESSES = ("By the way, {S} may well be {V} by now, but I have not looked.", "I suppose that {S} is {V} these days.")
NOTES = (
    "An old slip of paper on the floor says: {S} is {V}.",
    "Somebody left a note, weeks old: {S} is {V}.",
)
"""Of what was so once."""
TRIALS = ("Let me see whether {S} opens with {V}.", "I try {S} with {V}: it may open.")
ATTEMPTS = ("I try to have {S} {V} too.", "Let me see whether I get {S} {V} that way.")
"""Of what has no effect."""
CAPTIONS = (
    "view of the agent from where it stands in {R}",
    "what the agent has before its eyes in {R}",
    "the agent's own view, taken in {R}",
)
ERRANDS = {
    "goto": ("go to {A}", "find {A} and stop in front of it"),
    "fetch": ("pick up {A}", "get hold of {A}"),
    "put": ("put {A} next to {B}", "bring {A} to {B} and leave it beside"),
    "open": ("open {A}", "see to it that {A} is open"),
}
