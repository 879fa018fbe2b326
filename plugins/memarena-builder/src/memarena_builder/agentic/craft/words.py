"""The words of the valley: what is observed, thought, done. No word tells a number or what stands beside something."""

from __future__ import annotations

from memarena_builder.agentic.attributes import LOCATION, OUTCOME, about, beside, outcome, place
from memarena_builder.agentic.trajectory import Attribute

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
"""What is counted, in words that stand in no observation."""
ACTIONS = (
    "wait()", "move_west()", "move_east()", "move_north()", "move_south()", "use()", "sleep()", "place_cairn()",
    "place_table()", "place_furnace()", "place_plant()", "make_wood_pickaxe()", "make_stone_pickaxe()",
    "make_iron_pickaxe()", "make_wood_sword()", "make_stone_sword()", "make_iron_sword()",
)  # fmt: skip
"""By number of the action of Crafter."""
GROUND = {
    "tree": "a leafy tree", "water": "open water", "stone": "bare rock", "grass": "a meadow", "sand": "a beach",
    "path": "a trodden path", "coal": "a black seam", "iron": "a rusty vein", "diamond": "a glittering vein",
    "lava": "glowing lava",
}  # fmt: skip
"""What a picture shows, by the material of Crafter; in words of their own, so that no task gives it away."""
PLAIN = "a meadow"
"""What is nearly everywhere: worth knowing only where something else was."""
LEVELS = ("food", "drink", "energy")
STOCKS = ("wood", "stone", "coal", "iron")
ENTERED = "on entering"
IN_HAND = "in the pack"
TOOLS = {
    name: f"the {name.replace('_', ' ')}"
    for name in ("wood_pickaxe", "stone_pickaxe", "iron_pickaxe", "wood_sword", "stone_sword", "iron_sword")
}

ATTRIBUTES = (
    place(
        "the only thing built that is known to be {V}",
        (
            "How many things that were built are {V}, by what was seen last?",
            "Of what was built, how many things stand {V}, as far as is known?",
        ),
    ),
    Attribute(
        name="source",
        point="The last spot where {S} was to be had is {V}.",
        what="the last spot where {S} was to be had",
        asked=("Where was {S} to be had the last time?", "At which spot was {S} found last?"),
        many=(
            "How many kinds of things were last to be had {V}?",
            "Of how many kinds of things is the last known spot {V}?",
        ),
        point_type=LOCATION,
    ),
    Attribute(
        name="stock",
        point="The amount of {S} in the pack is {V}.",
        what="the amount of {S} in the pack",
        asked=(
            "How much of {S} did the pack hold at the last look into it?",
            "Looking into the pack the last time, how much of {S} was there?",
        ),
    ),
    Attribute(
        name="level",
        point="The level of {S} is {V}.",
        what="the level of {S}",
        asked=(
            "How high was the level of {S} when it was last shown?",
            "At what number did {S} stand at the last look?",
        ),
    ),
    *beside("What"),
    Attribute(
        name=ENTERED,
        point="On entering {S}, the number of trees in view is {V}.",
        what="the number of trees in view on entering {S}",
        asked=(
            "How many trees were in view when the agent last came into {S}?",
            "Coming into {S} the last time, how many trees were to be seen?",
        ),
    ),
    Attribute(
        name="needs",
        point="It takes {V} to get {S}.",
        what="what it takes to get {S}",
        asked=(
            "Somebody wants {S} and fails for lack of something: of what?",
            "What has to be at hand before {S} can be had?",
        ),
        one="what it takes to get {S}",
        cases=(
            "A newcomer called {C}, who has nothing yet, wants {S}. What has to be seen to first?",
            "Somebody called {C} is new in the valley and asks how to come by {S}: what has to be at hand?",
        ),
        lesson=True,
        fixed=True,
        point_type=OUTCOME,
    ),
    about(
        "what {S} is about", ("What did {S} ask for?", "What was to be had or reached in {S}?"), "what {S} asked for"
    ),
    outcome("task"),
)

TASKS = {
    "gather": ("bring in {A}", "see to it that there is {A} in the pack"),
    "drink": ("get {A}", "find {A} and take as much as is needed"),
    "eat": ("get {A}", "catch {A}"),
    "rest": ("get {A}", "take {A} until you are fit again"),
    "build": ("set up {A}", "find a spot for {A} and build it"),
    "make": ("make {A}", "see to it that you have {A}"),
    "visit": ("go to {A}", "walk up to {A} and stop before it"),
}
THOUGHTS = {
    "walk": ("I go on towards {A}.", "{A} is what I am after, I keep walking.", "This way, for {A}."),
    "gather": ("Here is {A}. I take it.", "I take what I can of {A}."),
    "build": ("This is a good spot for {A}.", "I build {A} right here."),
    "make": ("All is at hand: I make {A}.", "Now for {A}."),
    "rest": ("I am tired. I lie down.", "I sleep on."),
    "seek": ("{A} is not in sight. I look around further.", "I walk on until I come upon {A}."),
    "gone": ("{A} is not where it was. I look for it.", "{A} has been moved. I search on."),
    "stop": ("That was it. I stop here.", "The task is done, I wait for what comes next."),
    "lost": ("I do not get any further. I give it up.",),
}
TRIALS = ("Perhaps {A} can be had just like that. I try.", "I try to get {A} with what I have.")
ATTEMPTS = ("I pull at {S}: it should be {V} now.", "I lift {S}, so it is {V} from now on.")
"""Of what has no effect."""
GUESSES = ("By the way, {S} may well be {V} by now, but I have not looked.", "I suppose that {S} is {V} these days.")
NOTES = ("A weathered note says: {S} is {V}.", "Somebody has carved into a post, long ago: {S} is {V}.")
CAPTIONS = (
    "view of the agent from where it stands in {R}, with its pack",
    "what the agent has around it in {R}, and its pack below",
    "the agent's surroundings in {R} and what it carries",
)
VIEWS = (
    "view of the agent from where it stands in {R}",
    "what the agent has around it in {R}",
    "the agent's surroundings in {R}",
)
"""Of a picture without the pack."""
