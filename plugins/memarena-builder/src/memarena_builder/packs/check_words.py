"""What no shape can say of the words that all domains of a language share."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import get_type_hints

from memarena.catalog import did_you_mean
from memarena_builder.packs.blanks import fits
from memarena_builder.packs.facts import KINDS
from memarena_builder.packs.places import Place
from memarena_builder.packs.register import Register
from memarena_builder.packs.words import Asking, Wording, Writing

EVENTS = tuple(f"E{number}" for number in range(1, 20))
"""Kinds of events."""
TWISTS = ("hypothetical", "joke", "cancelled", "guess", "hearsay", "story", "stranger", "namesake", "stale")
"""Kinds of distractors; each needs frames."""
NUMBERS = ("ordinals", "counts")
"""The fields of `Asking` with numbers in words."""
MONTHS, WEEKDAYS, HIGHEST = 12, 7, 8
"""Months of a year, days of a week, and the number up to which there are words at least."""

_Blanks = tuple[tuple[str, ...], tuple[str, ...]]
"""Those that a text needs, and those that it may have besides."""
_PICTURE: _Blanks = (("picture",), ("kind", "S"))
_MAY_SAY_PICTURE: _Blanks = ((), ("picture", "kind", "S"))
_WORDING: Mapping[str, _Blanks] = {
    "greetings": (("reason",), ()), "introductions": (("self", "setting"), ()), "dated": (("D",), ()),
    "late": (("D", "E", "clause"), ()), "met": (("S",), ()), "unowned": ((), ("one",)), "owners": ((), ("one",)),
    "replies": ((), ("S",)), "follow_ups": ((), ("S",)), "repeats": (("point",), ()), "pictured": (("S",), ()),
    "picture_mentions": _PICTURE, "picture_beside": _MAY_SAY_PICTURE, "picture_renewed": _PICTURE,
    "picture_against": _PICTURE, "picture_replies": _MAY_SAY_PICTURE, "announced": _PICTURE, "wondering": (("S",), ()),
}  # fmt: skip
"""Of the fields of `Wording`; all others have none, but for `reactions` and `distractors`."""
FRAMES = tuple(name for name, kind in get_type_hints(Asking).items() if kind == tuple[str, ...] and name not in NUMBERS)
"""The fields of `Asking` that hold families of questions."""
_TWO = ("what_a", "what_b")
_ASKING: Mapping[str, tuple[str, ...]] = {
    "claim": ("what", "V"), "unchanged": ("what", "D"), "value_at": ("what", "D"), "order": _TWO, "days": _TWO,
    "count": ("what",), "total": _TWO, "which_picture": ("what",), "changed": ("list", "D"),
}  # fmt: skip
"""By frame of questions the blanks that it needs; all others are on more than two, and need `{list}`."""
_WRITING: Mapping[str, _Blanks] = {
    "clock": (("weekday", "time"), ()), "name": (("first", "last"), ()), "span": (("D", "E", "clause"), ()),
    "hearsay": (("clause",), ()), "since": (("clause", "D"), ()), "caption": (("kind", "S"), ()),
}  # fmt: skip
_MAY_BE_NOTHING = frozenset({"changes", "found", "openers", "further", "pictured", "joint", "apart", "given", "family"})
"""Fields whose texts, or some of them, may be empty."""
_OPTIONAL = frozenset(
    {"greetings", "greeted", "partings", "parted", "further", "found", "follow_ups", "picture_beside"}
)
"""Lists that a language can do without."""
_GO_TOGETHER = (("greetings", "greeted"), ("partings", "parted"))


def check_wording(wording: Wording, place: Place, kinds: Collection[str], domains: Collection[str]) -> None:
    """Raise DataError for a field that nothing could be made of. `kinds`: of entities of all domains, `domains`: those
    of the language."""
    for name in wording.__struct_fields__:
        value, here = getattr(wording, name), place.at(name)
        if name == "distractors":
            _check_distractors(value, here)
        elif name == "reactions":
            _check_reactions(value, here)
        elif value == () and name not in _OPTIONAL:
            raise here.wrong("is empty: write a text at least")
        else:
            _check_field(value, here, _WORDING.get(name, ((), ())), nothing=name in _MAY_BE_NOTHING)
    for name in ("met", "unowned", "owners", "ones", "topics"):
        _known(getattr(wording, name), ("", *KINDS, *kinds), place.at(name), "kind of entity")
    _known(wording.reasons, domains, place.at("reasons"), "domain")
    _known(wording.pictured, wording.kinds, place.at("pictured"), "kind of picture")
    _check_answers(wording, place)


def _check_answers(wording: Wording, place: Place) -> None:
    """What is said on both sides has to be there on both."""
    for one, other in _GO_TOGETHER:
        if getattr(wording, one) and not getattr(wording, other):
            raise place.at(other).wrong(f"is missing: it answers `{one}`")
    for name in ("unowned", "owners"):
        if "" not in getattr(wording, name):
            raise place.at(name).wrong('needs an entry "" for every kind of entity that has none of its own')
    if not wording.found:
        raise place.at("found").wrong("is missing: it leads in the owner of a fact in two turns")
    if all("{S}" in text for text in wording.replies):
        raise place.at("replies").wrong("needs one without {S}, for when nobody was named")


def _check_reactions(value: Mapping[str, Sequence[str]], place: Place) -> None:
    _known(value, (*EVENTS, *TWISTS, "announced"), place, "kind of event")
    for kind, texts in value.items():
        of_picture = kind in ("E11", "E12", "E13", "stale")
        _check_texts(texts, place.at(kind), _MAY_SAY_PICTURE if of_picture else ((), ("S",)), nothing=False)


def _check_distractors(value: Mapping[str, Sequence[str]], place: Place) -> None:
    _known(value, TWISTS, place, "kind of distractor")
    for kind in TWISTS:
        if kind not in value:
            raise place.wrong(f"has no {kind!r}: each kind of distractor needs frames")
        needed: _Blanks = (("picture",), ()) if kind == "stale" else (("clause",), ())
        needed = (("clause", "other"), ()) if kind == "joke" else needed
        _check_texts(value[kind], place.at(kind), needed, nothing=False)


def _known(found: Iterable[str], known: Collection[str], place: Place, what: str) -> None:
    for name in found:
        if name not in known:
            raise place.at(name).wrong(f"there is no {what} {name!r}{did_you_mean(name, filter(None, known))}")


def _check_field(value: object, place: Place, wanted: _Blanks, *, nothing: bool) -> None:
    """Texts on whatever level of lists and tables."""
    if isinstance(value, Mapping):
        for name, each in value.items():
            _check_field(each, place.at(name), wanted, nothing=nothing)
    elif isinstance(value, tuple):
        if value:
            _check_texts(value, place, wanted, nothing=nothing)
    elif isinstance(value, str) and (value or not nothing):
        fits(value, place, *wanted)


def _check_texts(texts: Sequence[str], place: Place, wanted: _Blanks, *, nothing: bool) -> None:
    if not texts:
        raise place.wrong("is empty: write a text at least")
    for number, text in enumerate(texts):
        if text.strip() or not nothing:
            fits(text, place.at(number), *wanted)


def check_asking(asking: Asking, place: Place, least: int) -> None:
    """Raise DataError for a frame of questions that cannot be filled; families need `least` texts."""
    for name in asking.__struct_fields__:
        value = getattr(asking, name)
        needed: tuple[str, ...] = ("V",) if name == "no" else ()
        if name in FRAMES:
            needed = _ASKING.get(name, ("list",))
            if len(set(value)) < least:
                raise place.at(name).wrong(f"needs {least} different texts, but has {len(set(value))}")
        _check_field(value, place.at(name), (needed, ()), nothing=name in _MAY_BE_NOTHING)
    for name, most in zip(NUMBERS, (HIGHEST, HIGHEST + 1), strict=True):
        numbers = getattr(asking, name)
        if (numbers or name == "ordinals") and len(numbers) < most:
            raise place.at(name).wrong(f"needs {most} numbers in words, but has {len(numbers)}")


def check_writing(writing: Writing, pools: Mapping[str, Sequence[str]], place: Place) -> None:
    """Raise DataError where a language could not be written so, or not be read."""
    for name, wanted in _WRITING.items():
        fits(getattr(writing, name), place.at(name), *wanted)
    fits(writing.day, place.at("day"), ("year", "day", "month" if writing.months else "number"))
    for name, count in (("months", MONTHS), ("weekdays", WEEKDAYS)):
        texts = getattr(writing, name)
        if (texts or name != "months") and not len(texts) == len(set(texts)) == count:
            raise place.at(name).wrong(f"needs {count} different names, but has {len(set(texts))}")
    if len(writing.counts) <= HIGHEST or len(set(writing.counts)) < len(writing.counts):
        raise place.at("counts").wrong(f"needs the numbers from 0 to {HIGHEST} in words, each once")
    if writing.amount not in ("{number:,} {unit}", "{number}{unit}"):
        raise place.at("amount").wrong("has to be '{number:,} {unit}' or '{number}{unit}'")
    if not 0 <= writing.by_given <= 1:
        raise place.at("by_given").wrong(f"is {writing.by_given}, but has to be from 0 to 1")
    for kind, text in writing.articles.items():
        fits(text, place.at("articles", kind), ("name",))
    for name in ("given", "family", "own"):
        try:
            re.compile(getattr(writing, name))
        except re.error as error:
            raise place.at(name).wrong(f"is no regular expression: {error}") from None
    for number, name in enumerate(writing.women):
        if name not in pools["first"]:
            known = did_you_mean(name, pools["first"])
            raise place.at("women", number).wrong(f"the pool 'first' has no {name!r}{known}")
    if "" in (writing.stop, *writing.was, *writing.titles, writing.own, writing.me):
        raise place.wrong("`stop`, `was`, `titles`, `own` and `me` are texts that cannot be empty")


def check_register(register: Register, domains: Collection[str], place: Place) -> None:
    """Raise DataError for a register that has no words for what always needs some."""
    _check_texts(register.reasons, place.at("reasons"), ((), ()), nothing=False)
    _known(register.settings, domains, place.at("settings"), "domain")
    for domain, texts in register.settings.items():
        _check_texts(texts, place.at("settings", domain), ((), ()), nothing=False)
    if "" in (*register.expand, *register.away):
        raise place.wrong("an empty text cannot be written otherwise, or taken away: leave it out")
