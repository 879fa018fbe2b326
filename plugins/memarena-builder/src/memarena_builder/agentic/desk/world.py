"""What lies on a desk: applications, their groups and items, drawn from a seed."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from memarena_builder.agentic.attributes import OUTCOME, about, outcome, place
from memarena_builder.agentic.names import NAMES
from memarena_builder.agentic.trajectory import Attribute

COLOURS = (
    "crimson", "turquoise", "mustard", "lavender", "olive", "coral", "indigo", "maroon", "teal", "magenta", "bronze",
    "emerald",
)  # fmt: skip
OWNERS = ("Ida Novak", "Ben Okafor", "Lea Brandt", "Omar Haddad", "Mei Tanaka", "Paul Rossi", "Ana Silva")
"""Who stands beside items; nothing depends on them."""
REMEDIES = ("Check out", "Sign again", "Request access", "Unfreeze", "Take over")
"""What may make protected things editable; each group of an application has one that does."""
PROTECTED = 0.75
"""Share of the items that are protected."""


class App(NamedTuple):
    """One application, and its words."""

    title: str
    item: str
    """What an item is called: `row` in `the row Juniper`."""
    where: str
    """What leads to a group: `on the sheet`."""
    groups: tuple[str, ...]
    field: str
    """What an item has a value of."""


APPS = {
    "sheet": App(
        "Sheet",
        "row",
        "on the sheet",
        ("Costs", "Income", "Loans", "Reserve", "Travel"),
        "Amount",
    ),
    "files": App(
        "Files",
        "file",
        "in the folder",
        ("Drafts", "Taxes", "Photos", "Manuals", "Attic"),
        "Version",
    ),
    "mail": App(
        "Mail",
        "mail",
        "in the mailbox",
        ("Inbox", "Projects", "Clients", "Family", "Receipts"),
        "Ticket",
    ),
    "calendar": App(
        "Calendar",
        "event",
        "on",
        ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"),
        "Time",
    ),
    "document": App(
        "Document",
        "section",
        "in the chapter",
        ("Opening", "Methods", "Results", "Outlook", "Annex"),
        "Limit",
    ),
    "image": App(
        "Image",
        "layer",
        "in the picture",
        ("Harbour", "Market", "Orchard", "Bridge", "Tower"),
        "Opacity",
    ),
    "style": App(
        "Style",
        "box",
        "on the page",
        ("Pricing", "Shop", "Gallery", "Support", "Journal"),
        "Width",
    ),
}
"""By name."""


def value(app: str, rng: random.Random) -> str:
    """A new value of an item."""
    if app == "sheet":
        return f"{rng.randint(1100, 9900):,}"
    if app == "files":
        return f"v{rng.randint(1, 9)}.{rng.randint(10, 99)}"
    if app == "mail":
        return f"T-{rng.randint(1000, 9999)}"
    if app == "image":
        return f"{rng.randint(31, 99)}%"
    if app == "style":
        return f"{rng.randint(220, 640)}px"
    return f"{rng.randint(7, 20)}:{rng.randint(0, 59):02}" if app == "calendar" else str(rng.randint(110, 990))


def world(apps: tuple[str, ...], items: int, rng: random.Random, *, small: bool) -> dict[str, Any]:
    """The first state: `items` items in each of the applications."""
    names = rng.sample(NAMES, len(NAMES))
    made: dict[str, Any] = {}
    for app in apps:
        words = APPS[app]
        own = [names.pop() for _ in range(items)]
        made[app] = {
            "title": words.title,
            "where": words.where,
            "field": words.field,
            "groups": list(words.groups),
            "open": words.groups[0],
            "remedies": {group: rng.choice(REMEDIES) for group in words.groups},
            "items": [
                {
                    "name": name,
                    "group": rng.choice(words.groups),
                    "value": value(app, rng),
                    "label": rng.choice(COLOURS),
                    "locked": rng.random() < PROTECTED,
                    "by": rng.choice(OWNERS),
                }
                for name in own
            ],
        }
    view = {"app": apps[0], "item": "", "message": ""}
    return {
        "apps": made,
        "order": list(apps),
        "view": view,
        "remedies": list(REMEDIES),
        "small": small,
        "spare": names[:8],
    }


ATTRIBUTES = (
    place(
        "the only thing handled so far that is {V}",
        (
            "How many of the things handled so far are {V}, by what was seen last?",
            "As far as is known, how many of the things handled so far are {V}?",
        ),
    ),
    Attribute(
        name="value",
        point="The entry of {S} is {V}.",
        what="the entry of {S}",
        asked=("What was the entry of {S} when it was last looked at?", "Which entry does {S} have, as last known?"),
    ),
    Attribute(
        name="label",
        point="The label of {S} is {V}.",
        what="the label of {S}",
        asked=("Which colour marks {S}, by the last look at it?", "In what colour was {S} marked when last met?"),
    ),
    Attribute(
        name="items",
        point="The number of entries {S} is {V}.",
        what="the number of entries {S}",
        asked=(
            "How many entries were there {S} at the last look?",
            "Looking there the last time, how many entries were {S}?",
        ),
    ),
    Attribute(
        name="remedy",
        point="What is protected {S} can be changed after {V}.",
        what="what makes protected things {S} editable",
        asked=(
            "Something {S} refuses to be edited. Which button helps?",
            "Which button makes what is frozen {S} editable?",
        ),
        cases=(
            "A {C} has turned up {S} today, and it refuses to be edited. What has to be pressed first?",
            "A new {C} cannot be edited {S}: which button is worth a try before all others?",
        ),
        lesson=True,
        fixed=True,
        point_type=OUTCOME,
    ),
    about(
        "what {S} is about", ("What was to be handled in {S}?", "Which thing did {S} ask for?"), "what {S} asked for"
    ),
    outcome("task"),
)
