"""Templates turned around: regular expressions that find what was filled into their blanks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from memarena_builder.packs.load import DOMAINS, load
from memarena_builder.packs.schema import Attribute, Pack, SelfKind, Slot
from memarena_builder.wording.clauses import past
from memarena_builder.world.values import COUNTS, DAYS, LETTERS, MONTHS

DAY = rf"(?:{'|'.join(MONTHS)}) \d{{1,2}}, \d{{4}}"
_BLANK = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"[a-z]+")
_FIRST, _LAST = r"[A-Z][a-z]+", r"[A-Z][a-zö]+"


class Pattern(NamedTuple):
    """One template of an attribute, turned around."""

    attribute: Attribute
    regex: re.Pattern[str]
    anchor: str
    """A word that a text needs, in lower case; "" where the template has none."""
    gone: bool = False
    """It says that the fact holds no more."""
    late: bool = False
    """It tells the past."""


def value_regex(slot: Slot, pools: Mapping[str, tuple[str, ...]]) -> str:
    """What a value of `slot` looks like."""
    if slot.kind == "pool":
        return "(?i:" + "|".join(map(re.escape, sorted(pools[slot.pool], key=len, reverse=True))) + ")"
    if slot.kind == "code":
        signs = {"A": f"[{LETTERS}]", "9": "[1-9]"}
        return "".join(signs.get(mark, re.escape(mark)) for mark in slot.pattern) + r"(?![\w-])"
    return {
        "clock": rf"on (?:{'|'.join(DAYS)})s at \d{{1,2}}:\d\d",
        "money": rf"\d[\d,]* {slot.unit}",
        "date": DAY,
        "count": f"(?:{'|'.join(COUNTS)})",
        "person": rf"{_FIRST} {_LAST}",
        "number": r"\d+(?!\w)",
    }[slot.kind]


def turned(template: str, blanks: Mapping[str, str]) -> re.Pattern[str]:
    """`template` with a group for each blank, found anywhere in a text; its words in any case."""
    out = []
    for place, piece in enumerate(_BLANK.split(template)):
        out.append(rf"(?P<{piece}>{blanks[piece]})" if place % 2 else f"(?i:{re.escape(piece)})")
    return re.compile(r"(?<!\w)" + "".join(out))


def anchor(template: str) -> str:
    """The longest word of a template."""
    return max(_WORD.findall(_BLANK.sub(" ", template).lower().replace("'s", "")), key=len, default="")


class Grammar:
    """The patterns of all packs of one language."""

    def __init__(self, packs: Iterable[Pack]) -> None:
        self.packs = tuple(packs)
        self.attributes: dict[str, Attribute] = {}
        self.names: dict[str, set[str]] = {}
        self.statements: dict[str, list[Pattern]] = {}
        """By anchor."""
        self.canonical: dict[str, str] = {}
        """Values of pools by their lower case."""
        for pack in self.packs:
            self._names(pack)
            for values in pack.pools.values():
                self.canonical.update((value.lower(), value) for value in values)
        for pack in self.packs:
            for attribute in pack.attributes:
                if attribute.name not in self.attributes:
                    self.attributes[attribute.name] = attribute
                    for pattern in self._patterns(attribute, pack):
                        self.statements.setdefault(pattern.anchor, []).append(pattern)

    def _names(self, pack: Pack) -> None:
        for kind, names in (
            ("project", pack.project_names), ("device", pack.device_names), (pack.thing, pack.thing_names),
        ):  # fmt: skip
            self.names.setdefault(kind, set()).update(names)

    def subject_regex(self, kind: str) -> str:
        """What a mention of an entity of `kind` looks like."""
        if kind in self.names:
            return "(?:" + "|".join(map(re.escape, sorted(self.names[kind], key=len, reverse=True))) + ")"
        return rf"{_FIRST}(?: {_LAST})?"

    def is_of(self, name: str, kind: str) -> bool:
        """Whether `name` can be an entity of `kind`."""
        known = any(name in names for names in self.names.values())
        return name in self.names[kind] if kind in self.names else not known

    def _patterns(self, attribute: Attribute, pack: Pack) -> Iterator[Pattern]:
        blanks = {name: value_regex(slot, pack.pools) for name, slot in attribute.slots.items()}
        blanks["S"] = self.subject_regex("person" if attribute.about == SelfKind else attribute.about)
        point = attribute.point.removesuffix(".")
        for template in (*attribute.stated, point):
            yield Pattern(attribute, turned(template, blanks), anchor(template))
        if attribute.gone:
            yield Pattern(attribute, turned(attribute.gone, blanks), anchor(attribute.gone), gone=True)
        if attribute.form == "plain" and " is " in point:
            late = "from {D} (to|until) {E}, " + past(point)
            regex = turned(late, {**blanks, "D": DAY, "E": DAY}).pattern.replace(r"\(to\|until\)", "(?:to|until)")
            yield Pattern(attribute, re.compile(regex), anchor(past(point)), late=True)


@cache
def grammar(language: str = "en") -> Grammar:
    """The grammar of all domains of a language, both splits together."""
    return Grammar(load(domain, language) for domain in DOMAINS)
