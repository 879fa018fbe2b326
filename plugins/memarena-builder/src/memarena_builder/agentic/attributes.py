"""Attributes that several environments have, in the same words."""

from __future__ import annotations

from collections.abc import Iterator

from memarena_builder.agentic.trajectory import Attribute

LOCATION, STATE, OUTCOME = "Location Memory", "State Memory", "Action Memory"
HEADINGS = ("east", "south", "west", "north")
"""By direction, as MiniGrid counts them."""


def place(who: str, many: tuple[str, str]) -> Attribute:
    """Where something is; `who`: what leads back to it, `many`: how to ask how many things are there."""
    return Attribute(
        name="place",
        point="{S} is {V}.",
        what="the place of {S}",
        asked=("Where is {S}, by what was seen last?", "As far as is known, where is {S}?"),
        who=who,
        many=many,
        point_type=LOCATION,
    )


def beside(which: str) -> Iterator[Attribute]:
    """What is on each side of something; `which`: how to ask for it, e.g. `Which animal`."""
    for heading in HEADINGS:
        yield Attribute(
            name=heading,
            point=f"Directly {heading} of {{S}} is {{V}}.",
            what=f"what is directly {heading} of {{S}}",
            asked=(
                f"What was to be seen directly {heading} of {{S}} at the last look?",
                f"{which} was last seen directly {heading} of {{S}}?",
            ),
            point_type=LOCATION,
        )


def about(what: str, asked: tuple[str, str], one: str) -> Attribute:
    """What a task is about; `one`: the noun phrase that leads from a task to that."""
    return Attribute(
        name="about",
        point="{S} is about {V}.",
        what=what,
        asked=asked,
        one=one,
        numbered=True,
        point_type=OUTCOME,
    )


def outcome(noun: str) -> Attribute:
    """What came of a task; `noun`: what it is called."""
    return Attribute(
        name="outcome",
        point="{S} is {V}.",
        what="the outcome of {S}",
        asked=(),
        many=(f"How many {noun}s were {{V}} so far?", f"So far, how many of the {noun}s were {{V}}?"),
        numbered=True,
        point_type=OUTCOME,
    )
