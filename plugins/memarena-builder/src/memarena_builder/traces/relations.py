"""The relations that rules read: the words between subject and value, what a value may be, and the words to ask for it.

A relation that lasts has one value at a time, and another one is an update. Of others there may be several, and they
have the day on which they were told in their name: another purchase makes no earlier one untrue.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Literal, NamedTuple

from memarena_builder.agentic.record import named_attribute
from memarena_builder.agentic.trajectory import Attribute
from memarena_builder.world.values import write_day

Kind = Literal["thing", "place", "name", "job", "number", "doing", "act", "fact", "whole", "any"]
"""What a value may be: a noun phrase, one as short as `the beach`, one with a name in it, an occupation, a number of
years, what somebody means to do, an activity or a thing, something with a number, a name or a state in it, a thing with
all that belongs to it, anything."""


class Relation(NamedTuple):
    """One relation."""

    name: str
    verbs: str
    """A pattern for what stands between subject and value."""
    kind: Kind
    attribute: Attribute | None
    """The words of a relation that lasts."""
    event: tuple[str, str] | None = None
    """Of what happens once, as part of a sentence: with `{V}`, the value, and without: `having bought {V}`."""
    of: Literal["person", "thing", "any"] = "person"
    """Whose it may be."""


IS = r"(?:is|are|was|were|has been|have been)"
BE = r"(?:am|is|are|was|were|has been|have been|['’](?:m|s|re))"
HAVE = r"(?:have |has |had |['’](?:ve|s|d) )?"


def _lasting(name: str, point: str, *asked: str, one: str = "", point_type: str = "Persona Memory") -> Attribute:
    return Attribute(
        name=name, point=point, what=f"the {name} of {{S}}", asked=asked, one=one, point_type=point_type
    )  # fmt: skip


RELATIONS = (
    Relation(
        "residence", rf"(?:live|lives|{BE} living|{BE} based|reside|resides) in|{HAVE}(?:moved|relocated) (?:back )?to",
        "name",
        _lasting("residence", "{S} lives in {V}.",
                 "Where does {S} live, by the last that was said?", "At what place is {S} at home by now?"),
    ),
    Relation(
        "origin", rf"(?:come|comes|{BE}(?: originally)?) from|(?:was|were) born in|grew up in", "name",
        Attribute(name="origin", point="{S} comes from {V}.", what="the origin of {S}", fixed=True,
                  asked=("Where does {S} come from?", "Which place is {S} originally from?"),
                  point_type="Persona Memory"),
    ),
    Relation(
        "employer", rf"(?:work|works|worked|{BE} working) (?:at|for)", "thing",
        _lasting("employer", "{S} works for {V}.",
                 "Who employs {S}, by the last that was said?", "Where does {S} earn a salary by now?"),
    ),
    Relation(
        "job", rf"(?:work|works|{BE} working) as|{HAVE}got a job as|{BE}(?: now)?", "job",
        _lasting("job", "{S} is {V} by occupation.",
                 "What does {S} do for a living, by the last that was said?", "Which occupation has {S} by now?"),
    ),
    Relation(
        "age", rf"{BE}|{HAVE}turned|turns", "number",
        _lasting("age", "{S} is {V} of age.",
                 "How old is {S}, by the last that was said?", "Which age has {S} reached by now?"),
    ),
    Relation(
        "allergy", rf"{BE} allergic to", "thing",
        _lasting("allergy", "{S} is allergic to {V}.",
                 "What is {S} allergic to, by the last that was said?", "What must {S} not come near by now?"),
    ),
    Relation(
        "preference", r"prefers?|likes? best", "thing",
        _lasting("preference", "{S} prefers {V}.",
                 "What does {S} like best, by the last that was said?", "Which choice would {S} make by now?"),
    ),
    Relation(
        "held thing", rf"{BE}(?: now)? (?:holding|carrying)", "thing",
        _lasting("held thing", "In the hands of {S}: {V}.", "What is in the hands of {S}, as far as is known?",
                 "Which thing did {S} take up last, as far as is known?", point_type="State Memory"),
        of="any",
    ),
    Relation(
        "price", r"costs?", "fact",
        Attribute(name="price", point="{S} costs {V}.", what="the price of {S}",
                  asked=("How much is to be paid for {S}, as last known?", "What is the price of {S} by now?")),
        of="thing",
    ),
    Relation(
        "location",
        rf"{IS}(?: now| still| currently)? (?:located |stored |kept |parked )?(?:in|at|on|under|behind|next to|inside)",
        "place",
        Attribute(name="location", point="{S} is at: {V}.", what="the place of {S}",
                  asked=("Where is {S}, by the last that was said?",
                         "At what place would one look for {S} by now?"), point_type="Location Memory"),
        of="thing",
    ),
    Relation(
        "state", rf"{IS}(?: now| still| currently| already| set to| changed to)?|(?:became|turned)", "fact",
        Attribute(name="state", point="{S} is {V}.", what="the state of {S}",
                  asked=("What is known of {S}, by the last that was said?",
                         "How do things stand with {S} by now?")),
        of="thing",
    ),
)  # fmt: skip
"""What lasts; the first that fits is taken."""


def _event(name: str, verbs: str, done: str, kind: Kind = "thing") -> Relation:
    """What somebody tells of having done once."""
    return _told(name, verbs, f"having {done} {{V}}", f"having {done}", kind)


def _told(name: str, verbs: str, point: str, asked: str, kind: Kind) -> Relation:
    return Relation(name, verbs, kind, None, (point, asked))


EVENTS = (
    _event("purchase", r"(?:bought|purchased|ordered|picked up)(?: myself| me)?", "bought"),
    _event("visit", r"(?:went to|visited|been to|travel+ed to|flew to|drove to|went on)", "gone to", "place"),
    _event("outing", r"went(?= \w+ing\b)", "gone out for", "act"),
    _told(
        "trip", r"took(?= (?:my|our|the) .{2,30} to )", "having taken {V}", "having taken somebody somewhere", "whole"
    ),
    _event("event", r"(?:attended|took part in|participated in|performed (?:at|in))", "taken part in", "place"),
    _event("deed", r"(?:ran|hosted|organi[sz]ed|held|led|gave|threw)", "run, held or given"),
    _event("occasion", r"had(?= an? )", "had"),
    _event("celebration", r"celebrated", "celebrated"),
    _event("sign-up", r"(?:signed up for|enrol+ed in|registered for|applied (?:for|to)|joined)", "signed up for"),
    _event("beginning", r"(?:started|begun|began|took up)", "begun", "act"),
    _event("end", r"(?:finished|completed|graduated from|passed|gave up|quit)", "finished", "act"),
    _event(
        "work", r"(?:made|painted|built|baked|cooked|wrote|written|created|designed|drew|carved|sewed|planted)", "made"
    ),
    _event("loss", r"(?:lost|broke|sold|donated|gave away)", "parted from"),
    _event("gain", r"(?:won|received|adopted|inherited|was given|were given|got)", "come by"),
    _event("meeting", r"(?:met|met up with|ran into|hung out with)", "met"),
    _event("booking", r"(?:booked|reserved|scheduled)", "booked"),
    _event("reading", r"(?:read|finished reading|been reading)", "read"),
    _event("sight", r"(?:saw|watched|seen|heard|listened to)", "seen or heard"),
    _event("trial", r"(?:tried|tried out|tasted|tested)", "tried", "act"),
    _event("study", r"(?:learned|learnt|studied|researched|looked into)", "studied"),
)
"""What happens once, in the past."""
MORE = (
    _told(
        "pursuit",
        rf"(?:{BE}|{HAVE}been)(?: now| also| still| currently)? "
        r"(?:looking into|researching|working on|learning|studying|training for|saving up for|preparing for)",
        "being at work on {V}",
        "being at work on",
        "act",
    ),
    _told(
        "plan",
        rf"{BE} (?:now |also |still |currently )?(?:planning|going|hoping|about|aiming|preparing) to|"
        r"(?:plan|plans|want|wants|intend|intends|hope|hopes|['’]d (?:love|like)|would (?:love|like)) to",
        "the wish to {V}",
        "the wish to do",
        "doing",
    ),
    _told(
        "idea",
        rf"{BE} (?:also |still )?(?:thinking (?:about|of)|planning(?: on)?|considering)",
        "thinking of {V}",
        "thinking of",
        "act",
    ),
    _told("destination", rf"{BE} (?:also )?(?:going|heading|flying|driving) to", "going to {V}", "going to", "place"),
    _told(
        "possession",
        r"(?:have|has|own|owns|['’]ve got|has got|have got)(?= (?:a|an|two|three|four|five|six|\d{1,2}) )",
        "having {V}",
        "having",
        "thing",
    ),
    _told("habit of before", r"used to", "a habit of before: to {V}", "a habit of before", "doing"),
    _told("liking", r"(?:love|loves|enjoy|enjoys|adore|adores|like|likes)", "liking {V}", "liking", "act"),
)
"""What holds for a while, and of which there may be several at a time."""
NAME = Attribute(
    name="name", point="{S} is called {V}.", what="the name of {S}", point_type="Persona Memory", fixed=True,
    asked=("What is {S} called?", "Which name does {S} go by?"),
)  # fmt: skip
ENTRY = Attribute(
    name="entry", point="{S}: {V}.", what="the entry of {S}",
    asked=("Which entry was last given for {S}?", "What stands beside {S} by now?"),
)  # fmt: skip
OUTCOME = Attribute(
    name="outcome", point="What came of {S}: {V}.", what="the outcome of {S}",
    asked=("What came of {S} the last time?", "Which result did {S} have, as far as is known?"),
    point_type="Experience Memory",
)  # fmt: skip
FAILURE = Attribute(
    name="failure", point="{S} failed: {V}.", what="the failure of {S}", lesson=True,
    asked=("Why did {S} fail the last time?", "What went wrong with {S}, as far as is known?"),
    point_type="Experience Memory",
)  # fmt: skip
ATTRIBUTES: Mapping[str, Attribute] = {
    each.name: each for each in (*(one.attribute for one in RELATIONS if one.attribute), NAME, ENTRY, OUTCOME, FAILURE)
}
"""The words of all relations that last, by name."""
ONCE: Mapping[str, Relation] = {each.name: each for each in (*EVENTS, *MORE)}
"""The relations that have a day in their name, by the rest of it."""
_OF = {each.name: each.of for each in RELATIONS}
_DATED = re.compile(r"(?P<name>.+) told on (?P<day>\d{4}-\d{2}-\d{2})")


def on_day(name: str, day: date) -> str:
    """The name of a relation as it was told on a day, where that makes a difference."""
    return f"{name} told on {day}" if name in ONCE else name


def undated(name: str) -> str:
    """The relation that has a day in its name, without it; "" for any other."""
    found = _DATED.fullmatch(name)
    return found["name"] if found and found["name"] in ONCE else ""


def day_of(name: str) -> str:
    """The day in the name of a relation, as `2026-03-04`; "" where there is none."""
    found = _DATED.fullmatch(name)
    return found["day"] if found else ""


def family(name: str) -> str:
    """What has one relation of a family may have any of them: only those are asked for what was never told."""
    return "person" if undated(name) or name in ONCE else _OF.get(name, name)


@cache
def attribute(name: str) -> Attribute:
    """The words for a relation, be it one of a model's own."""
    if name in ATTRIBUTES:
        return ATTRIBUTES[name]
    event = ONCE[undated(name) or name].event if undated(name) or name in ONCE else None
    if event is None:
        return named_attribute(name)
    dated = _DATED.fullmatch(name)
    day = write_day(date.fromisoformat(dated["day"])) if dated else ""
    point, told = event
    return Attribute(
        name=name,
        point=f"{{S}} told of {point}.",
        what=f"what {{S}} told of {told}" + (f", on {day}" if day else ""),
        asked=(
            (f"What did {{S}} tell of {told}, on {day}?", f"On {day}, what did {{S}} mention, speaking of {told}?")
            if day
            else (f"What did {{S}} tell of {told}, as far as is known?", f"What did {{S}} mention, speaking of {told}?")
        ),
        numbered=bool(day),
        fixed=True,
        point_type="Event Memory",
    )
