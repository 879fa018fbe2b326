"""The words of the desk: no word tells an entry, a label or a count that only the screen shows."""

from __future__ import annotations

from typing import Any

TASKS = {
    "check": ("look up {S}", "find {S} and select it"),
    "edit": ("set the {F} of {S} to {V}", "enter {V} as the {F} of {S}"),
    "move": ("put {S} {V}", "see to it that {S} is {V} from now on"),
}
OPEN = ("I open {A}.", "For this I need {A}.")
SEARCH = ("I look {V} for {S}.", "Perhaps {S} is {V}. I go and see.")
SELECT = ("Here is {S}. I select it.", "I have found {S}.")
ACT = ("Now I make the change.", "Now I carry it out.")
TRY = ("It is protected. Perhaps {V} helps {A}.", "It cannot be changed yet. I try {V}, as this is {A}.")
STOP = ("That was it. I stop here.", "The task is done, I wait for what comes next.")
GUESSES = ("By the way, {S} may well be {V} by now, but I have not looked.", "I suppose that {S} is {V} these days.")
NOTES = ("A note from last month says: {S} is {V}.", "Stuck to the screen is an old reminder: {S} is {V}.")
CAPTIONS = ("screenshot of the {A} application at this step", "the screen with the {A} application as it was then")


def action(move: list[Any]) -> str:
    """A move as the agent writes it."""
    kind, selector, *text = move
    target = selector.strip("#[]").replace('"', "").partition("=")[2] or selector.strip("#")
    return f"{kind}({', '.join([target, *text])})"
