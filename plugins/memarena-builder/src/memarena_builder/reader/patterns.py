"""Templates turned around: regular expressions that find what was filled into their blanks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Literal, NamedTuple

from memarena_arena.language.words import SINGLE
from memarena_builder.packs.load import REGISTERS, domains_of, in_register
from memarena_builder.packs.schema import Attribute, Pack, SelfKind, Slot
from memarena_builder.wording.clauses import can_be_past, in_own_words, past, stem
from memarena_builder.wording.standins import StandIn
from memarena_builder.world.cast import short_name
from memarena_builder.world.values import LETTERS

_BLANK = re.compile(r"\{(\w+)\}")
_WORD = re.compile(rf"[a-z]+|[{SINGLE}]+")
_END = r"(?![0-9A-Za-z_])"


Half = Literal["", "value", "owner"]
Pronoun = Literal["", "she", "he"]


class Pattern(NamedTuple):
    """One template of an attribute, turned around."""

    attribute: Attribute
    regex: re.Pattern[str]
    anchor: str
    """A word that a text needs, in lower case, or a run of letters of a script without blanks; "" for none."""
    gone: bool = False
    """It says that the fact holds no more."""
    late: bool = False
    """It tells the past."""
    half: Half = ""
    """Which half of a statement it is; "" for a whole one."""
    pronoun: Pronoun = ""
    """What stands for the subject, where it is not named."""


def one_of(texts: Iterable[str]) -> str:
    """A pattern of any of `texts`, the longest first."""
    return "(?:" + "|".join(map(re.escape, sorted(texts, key=len, reverse=True))) + ")"


def full_name(pack: Pack) -> str:
    """What the full name of a person looks like."""
    style, pools = pack.writing, pack.pools
    first, last = style.given or one_of(pools["first"]), style.family or one_of(pools["last"])
    return style.name.format(first=first, last=last)


def value_regex(slot: Slot, pack: Pack, pools: Mapping[str, Iterable[str]]) -> str:
    """What a value of `slot` looks like; `pools`: those of all packs together."""
    style = pack.writing
    if slot.kind == "pool":
        return f"(?i:{one_of(pools[slot.pool])})"
    if slot.kind == "code":
        signs = {"A": f"[{LETTERS}]", "9": "[1-9]"}
        return "".join(signs.get(mark, re.escape(mark)) for mark in slot.pattern) + r"(?![0-9A-Za-z_-])"
    return {
        "clock": style.clock.format(weekday=one_of(style.weekdays), time=r"\d{1,2}:\d\d"),
        "money": style.amount_regex(slot.unit),
        "date": style.day_regex(),
        "count": one_of(style.counts),
        "person": full_name(pack),
        "number": rf"\d+{_END}",
    }[slot.kind]


def turned(template: str, blanks: Mapping[str, str]) -> re.Pattern[str]:
    """`template` with a group for each blank, found anywhere in a text; its words in any case."""
    out = []
    for place, piece in enumerate(_BLANK.split(template)):
        out.append(rf"(?P<{piece}>{blanks[piece]})" if place % 2 else f"(?i:{re.escape(piece)})")
    return re.compile(rf"(?<![^\W{SINGLE}])" + "".join(out))


def anchor(template: str) -> str:
    """The longest word or run of a template."""
    return max(_WORD.findall(_BLANK.sub(" ", template).lower().replace("'s", "")), key=len, default="")


class Grammar:
    """The patterns of all packs of one language."""

    def __init__(self, packs: Iterable[Pack]) -> None:
        self.packs = tuple(packs)
        self.day = self.packs[0].writing.day_regex()
        self.person = full_name(self.packs[0])
        self.attributes: dict[str, Attribute] = {}
        self.names: dict[str, set[str]] = {}
        self.statements: dict[str, list[Pattern]] = {}
        """By anchor."""
        self.pools: dict[str, dict[str, None]] = {}
        """By name: the values that it has in any domain."""
        self.canonical: dict[tuple[str, str], str] = {}
        """Values by their pool and their lower case."""
        for pack in self.packs:
            self._names(pack)
            for name, values in pack.pools.items():
                self.pools.setdefault(name, {}).update(dict.fromkeys(values))
                self.canonical.update(((name, value.lower()), value) for value in values)
        known: set[tuple[str, str]] = set()
        for pack in self.packs:
            for attribute in pack.attributes:
                place = (attribute.name, pack.register)
                if place not in known:
                    known.add(place)
                    self.attributes.setdefault(attribute.name, attribute)
                    self._add(self._patterns(attribute, pack))

    def _add(self, patterns: Iterable[Pattern]) -> None:
        """Take in what no pattern finds yet: much is said alike in every register."""
        for pattern in patterns:
            same = self.statements.setdefault(pattern.anchor, [])
            if all(each.regex.pattern != pattern.regex.pattern for each in same):
                same.append(pattern)

    @cached_property
    def met(self) -> tuple[re.Pattern[str], ...]:
        """What finds a sentence that brings up somebody."""
        said = ((kind, text) for pack in self.registers for kind, texts in pack.wording.met.items() for text in texts)
        return tuple(turned(text, {"S": self.subject_regex(kind)}) for kind, text in dict.fromkeys(said))

    @cached_property
    def roles(self) -> tuple[tuple[Attribute, re.Pattern[str]], ...]:
        """The relations by which people are called, with what finds such a phrase."""
        named = (each for each in self.attributes.values() if each.role)
        return tuple((each, turned(each.role, {"S": self.subject_regex(each.about)})) for each in named)

    @cached_property
    def registers(self) -> tuple[Pack, ...]:
        """One pack of each register, whose words around facts are those of all."""
        return tuple({pack.register: pack for pack in reversed(self.packs)}.values())

    @cached_property
    def runs(self) -> tuple[str, ...]:
        """The anchors that stand within a text of a script without blanks."""
        return tuple(anchor for anchor in self.statements if anchor and not anchor.isascii())

    def _names(self, pack: Pack) -> None:
        for kind, names in (
            ("project", pack.project_names), ("device", pack.device_names), (pack.thing, pack.thing_names),
        ):  # fmt: skip
            self.names.setdefault(kind, set()).update(names)

    def subject_regex(self, kind: str) -> str:
        """What a mention of an entity of `kind` looks like."""
        if kind in self.names:
            return one_of(self.names[kind])
        pack = self.packs[0]
        return f"(?:{self.person}|{pack.writing.given or one_of(pack.pools['first'])})"

    def short(self, name: str) -> str:
        """The first name of a full name of a person; "" for what is none."""
        pack = self.packs[0]
        if not re.fullmatch(self.person, name):
            return ""
        return name.split(maxsplit=1)[0] if pack.writing.given else short_name(pack, name)

    def is_of(self, name: str, kind: str) -> bool:
        """Whether `name` can be an entity of `kind`."""
        known = any(name in names for names in self.names.values())
        return name in self.names[kind] if kind in self.names else not known

    def _patterns(self, attribute: Attribute, pack: Pack) -> Iterator[Pattern]:
        blanks = {name: value_regex(slot, pack, self.pools) for name, slot in attribute.slots.items()}
        blanks["S"] = self.subject_regex("person" if attribute.about == SelfKind else attribute.about)
        point = stem(pack, attribute)
        for template in (*attribute.stated, point):
            yield Pattern(attribute, turned(template, blanks), anchor(template))
        yield from self._by_pronoun(attribute, pack, blanks)
        if attribute.halves:
            for template in attribute.halves.value:
                yield Pattern(attribute, turned(template, blanks), anchor(template), half="value")
            for template in attribute.halves.owner:
                yield Pattern(attribute, turned(template, blanks), anchor(template), half="owner")
        if attribute.gone:
            yield Pattern(attribute, turned(attribute.gone, blanks), anchor(attribute.gone), gone=True)
        if attribute.form == "plain" and can_be_past(pack, attribute):
            then = past(pack, point)
            own = in_own_words(pack, then, by_user=True) if attribute.about == SelfKind else then
            article = pack.writing.articles.get(attribute.about, "{name}")
            called = then.replace("{S}", article.format(name="{S}"))
            for frame in (*pack.wording.late, pack.writing.span):
                for clause in dict.fromkeys((then, own, called)):
                    late = turned(frame.replace("{clause}", clause), {**blanks, "D": self.day, "E": self.day})
                    yield Pattern(attribute, late, anchor(clause), late=True)

    def _by_pronoun(self, attribute: Attribute, pack: Pack, blanks: Mapping[str, str]) -> Iterator[Pattern]:
        """The statements of an attribute of people with a pronoun for the subject."""
        style = pack.writing
        titled = attribute.about == pack.thing and style.pronoun(pack.thing_names[0], pack.thing_names[0])
        if attribute.about != "person" and not titled:
            return
        both: tuple[tuple[Pronoun, tuple[str, str, str]], ...] = (("she", style.she), ("he", style.he))
        for name, forms in both:
            stand_in = StandIn("", forms)
            for template in filter(stand_in.fits, attribute.stated):
                said = stand_in.put(template)
                yield Pattern(attribute, turned(said, blanks), anchor(said), pronoun=name)


@cache
def grammar(language: str = "en") -> Grammar:
    """The grammar of all domains of a language, in every register, both splits together."""
    domains = domains_of(language)
    return Grammar(in_register(domain, language, register=each) for each in REGISTERS for domain in domains)
