"""Whether one statement takes the place of another, by rules over their words; for rules that keep a memory.

A statement takes the place of another where it names the old value (`3 instead of 2`), fills the same slot of the same
thing (`Ana's car is a Smart`, `the car of Ana is a Fiat`), gives another value of the same kind for the same (a date,
`1,900 euros`, `line 6`, another `.xlsx`), or tells a change of what both speak of (`now`, `no longer`, `moved`).
"""

from __future__ import annotations

import re
from calendar import month_name
from functools import lru_cache

from memarena_arena.language.statements import Statement, statement
from memarena_arena.language.values import ID
from memarena_arena.language.words import stem

__all__ = ["common", "supersedes", "tells_change"]

_CHANGE = re.compile(
    r"\b(?:now|no longer|instead|any ?more|gone|chang\w+|mov(?:e[ds]?|ing)|switch(?:ed|ing)|updat\w+|replac\w+|"
    r"correct\w+|delet\w+|destroy\w+|cancel\w+|stopped)\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(r"\bif\b", re.IGNORECASE)
_FORMER = re.compile(r"\b(?:instead of|rather than|no longer)\s+(?:an? |the )?([\w.,:-]*\w)", re.IGNORECASE)
_CLOCK = re.compile(r"\b\d{1,2}:\d\d\b")
_LABEL = re.compile(r"\w\W+(?:\w+\W+)*?([a-z]{3,}) (?=\d+(?![\w.,]*\d|:))")
_FILE = re.compile(r"\w\.([A-Za-z]{2,4})\b")
_NAME = r"([A-Z][\w-]*(?: [A-Z][\w-]*)*)"
_THING = r"([a-z][a-z-]{2,})"
_SLOTS = (
    (re.compile(rf"\b{_NAME}['’]s {_THING}"), False),
    (re.compile(rf"\b{_THING} (?:of|for) {_NAME}"), True),
    (re.compile(rf"\b[Ff]or {_NAME},? (?:the|its|his|her) {_THING}"), False),
    (re.compile(rf"\b{_NAME} [^.;]*? as (?:its|his|her|their|the|an?) {_THING}"), False),
    (re.compile(rf"\b(?:[Aa]s|[Ff]or) an? {_THING} {_NAME}"), True),
)
"""`X's car`, `the car of X`, `for X the car`, `X has a Fiat as its car`, `as a car X has`; True: the thing first."""
_MONTHS = frozenset(stem(month) for month in month_name[1:])


def supersedes(new: str, old: str) -> bool:
    """Whether `new`, told later, takes the place of `old`."""
    said, held = statement(new), statement(old)
    if (said.keys, said.periods) == (held.keys, held.periods) or _SUPPOSED.search(new):
        return False
    kinds = _kinds(new) & _kinds(old)
    shared = common(new, old)
    told = (shared - {stem(kind) for kind in kinds} - _MONTHS) | (_words_of_ids(said) & _words_of_ids(held))
    if any(statement(word).keys & held.keys for word in _FORMER.findall(new)) and told:
        return True
    if _slots(new) & _slots(old) and said.keys - held.keys and held.keys - said.keys:
        return True
    words = min(len(said.keys - said.values), len(held.keys - held.values))
    if kinds and _differ(said, held) and (len(told) >= 2 or (told and 2 * len(shared) >= words)):
        return True
    return len(shared) >= 2 and 3 * len(shared) >= words and tells_change(new)


def tells_change(text: str) -> bool:
    """Whether a text has a word by which changes are told."""
    return _CHANGE.search(text) is not None


def common(new: str, old: str) -> frozenset[str]:
    """The keys of words, values aside, that both have."""
    said, held = statement(new), statement(old)
    return (said.keys & held.keys) - said.values - held.values


def _words_of_ids(said: Statement) -> frozenset[str]:
    """The words that names of files and other ids are made of: `q3`, `orders` of `q3_orders.xlsx`."""
    ids = [value[1:] for value in said.values if value[0] == ID and "." in value]
    return frozenset(word for each in ids for word in re.split(r"[_\W]", each.rpartition(".")[0]) if word)


def _differ(said: Statement, held: Statement) -> bool:
    return bool(said.values - held.values and held.values - said.values) or said.periods != held.periods


@lru_cache(maxsize=1 << 12)
def _kinds(text: str) -> frozenset[str]:
    """What the values of a text are: what its numbers count or label, a date, a time, a kind of file."""
    said = statement(text)
    found = {unit for _, unit in said.counts}
    if len(said.values) == 1:  # of several, the number of a door or a line tells which one is meant
        found |= {stem(label.lower()) for label in _LABEL.findall(text)}
    found |= {f"a .{ending.lower()}" for ending in _FILE.findall(text)}
    found |= {"a date"} if said.periods else set()
    found |= {"a time"} if _CLOCK.search(text) else set()
    return frozenset(found)


@lru_cache(maxsize=1 << 12)
def _slots(text: str) -> frozenset[tuple[str, str]]:
    """Whose and what: each last word of a name with the thing that is said to be its own."""
    found = set()
    for pattern, reverse in _SLOTS:
        for match in pattern.finditer(text):
            name, thing = (match[2], match[1]) if reverse else (match[1], match[2])
            found |= {(word, stem(thing)) for word in name.split()}
    return frozenset(found)
