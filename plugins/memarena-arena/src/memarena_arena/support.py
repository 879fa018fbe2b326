"""Does a text support a point? By its values, enough of its words, and what it denies, retires or only mentions.

A point is supported if some few neighbouring sentences of the text hold all its values (numbers, times, ids, dates,
names) and enough of its other words, and hold them to be so: a word that the sentence denies (`no longer in Boston`),
retires (`from Boston to Leeds`) or tells as a joke does not count. The more values a point has, the fewer of its
words are needed. The subject's name may be missing where the text has a pronoun in its place and names nobody else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from memarena_arena.language.dates import WEEKDAYS, Period
from memarena_arena.language.documents import Document, Spot
from memarena_arena.language.lexicon import LIGHT, SETTLING
from memarena_arena.language.lines import lines
from memarena_arena.language.periods import agrees
from memarena_arena.language.statements import statement
from memarena_arena.language.values import ID, is_value
from memarena_arena.language.words import SINGLE, opposites, pairs, stem, stems, without_parts
from memarena_arena.readings import Reading

ENOUGH = 0.67
"""Share of a point's words that must be held, besides all its values."""
ENOUGH_WITH_VALUE = 0.5
"""The same for a point that has a value or a date."""
ENOUGH_WITH_VALUES = 0.4
"""The same for a point that has several."""
ENOUGH_OF_RECORD = 0.5
"""The same, at most, in a text that keeps what was said as it was said, where it must be shown that something was
refused."""
LIGHTLY = 0.5
"""Weight of a word that says little by itself (`plan to`, `begin`), of a name, which must be held anyway, and of a
word that only the same day has."""
ASIDE = 4
"""One word of that many that is denied denies a point."""
WIDTH = 3
"""Neighbouring sentences that may support a point together, at least."""
LONGEST = 24
"""Sentences of several turns that are read as one, at most."""

_NONE: frozenset[str] = frozenset()
_WEEKDAYS = frozenset(map(stem, WEEKDAYS))
_BEHIND_COMMA = re.compile(r"^(?:If|When|While|Since|Because|In|On|At|After|Before)\b[^,]*,\s([A-Z][\w'-]+)\s[a-z]")
_WORD = re.compile(r"[^\W\d_]+")
_POSSESSOR = re.compile(f"(?:^|[，：])([{SINGLE}]{{2,12}}?)的")
"""Whom a point of a script without capitals is about, as far as it says so by `的`."""
_LAST_TWO = re.compile(r"([^\W\d_]+),?\sand\s([^\W\d_]+)\W*$")


class Claim(NamedTuple):
    """What a text must hold to support a point."""

    folded: str
    values: frozenset[str]
    """Numbers, times and ids that must all be held; the days of the week too, where it has no date."""
    names: tuple[frozenset[str], ...]
    """Names; of each at least one word must be held."""
    held: frozenset[str]
    denied: frozenset[str]
    rest: frozenset[str]
    """Words that the point itself retires or only mentions."""
    subject: frozenset[str]
    """The name that opens the point."""
    periods: tuple[Period, ...]
    width: int
    """Neighbouring sentences that may support it together."""
    counts: frozenset[tuple[str, str]]
    """Its one number with what it counts, where it has only one."""
    joined: frozenset[str] = _NONE
    """The two words that an `and` joins at its end: one alone is not enough."""
    pairs: frozenset[str] = _NONE
    """Its keys that are two letters of a script without blanks."""

    @property
    def keys(self) -> frozenset[str]:
        """All its keys."""
        return self.held | self.denied | self.rest

    def found_in(self, keys: frozenset[str]) -> frozenset[str]:
        """`keys` and the pairs of this claim both letters of which are among them: where the words of a script without
        blanks end is not known, and a text may have another letter between."""
        if not self.pairs:
            return keys
        return keys | {pair for pair in self.pairs if pair[0] in keys and pair[1] in keys}

    @property
    def needed(self) -> float:
        """The share of its words that must be held."""
        strength = len(self.values) + len(self.periods)
        return (ENOUGH, ENOUGH_WITH_VALUE, ENOUGH_WITH_VALUES)[min(strength, 2)]


@lru_cache(maxsize=1 << 14)
def claim(text: str) -> Claim:
    """What it takes to support the point `text`."""
    parts = [statement(sentence) for line in lines(text) for sentence in line.sentences]
    held = _NONE.union(*(each.held for each in parts))
    denied = _NONE.union(*(each.denied for each in parts)) - held
    rest = _NONE.union(*(each.retired | each.hedged for each in parts)) - held - denied
    subject = parts[0].subject if parts else _NONE
    if not subject and (behind := _BEHIND_COMMA.search(text)):
        subject = statement(behind[1].lower()).keys & held
    elif not subject and (possessor := _POSSESSOR.search(text)):
        subject = without_parts(statement(possessor[1]).keys) & held
    last_two = _LAST_TWO.search(text)
    joined = statement(" ".join(last_two.groups()).lower()).keys if last_two else _NONE
    periods = tuple(period for each in parts for period in each.periods)
    counts = frozenset(pair for each in parts for pair in each.counts)
    exact = _NONE.union(*(each.values for each in parts))
    held -= _words_of_ids(exact & held)
    held, denied, rest = without_parts(held), without_parts(denied), without_parts(rest)
    return Claim(
        folded=" ".join(text.split()).casefold(),
        values=(exact if periods else exact | _WEEKDAYS) & held,
        names=tuple(name for each in parts for name in each.full_names if name <= held and name.isdisjoint(subject)),
        held=held,
        denied=denied,
        rest=rest,
        subject=subject,
        periods=periods,
        counts=counts if len(exact) == 1 else frozenset(),
        width=max(WIDTH, len(parts)),
        joined=joined & held if len(joined) == 2 else _NONE,
        pairs=pairs(held | denied | rest),
    )


def _words_of_ids(values: frozenset[str]) -> frozenset[str]:
    """The words that ids are made of: who holds `Potato_1` has not told a second thing with `potato`."""
    return frozenset(stem(word) for value in values if value[0] == ID for word in _WORD.findall(value))


def quotes(needed: Claim, text: Document) -> bool:
    """Whether the text has the point word for word, from the start of a sentence."""
    place = text.folded.find(needed.folded)
    if len(needed.folded) < 20 or place < 0:
        return False
    return place == 0 or text.folded[:place].rstrip()[-1:] in ".!?:;])-。！？："


class Telling(NamedTuple):
    """A claim and the words that tell it from a rival claim: they must all be held besides."""

    claim: Claim
    own: frozenset[str] = _NONE


def supports(told: Telling, read: Reading, *, record: bool = False, apart: Telling | None = None) -> bool:
    """Whether a text supports a claim.

    `record`: the text keeps what was said as it was said, so half of the words are enough, and what is told as a
    joke or a condition counts as held. `apart`: where this other claim is supported by the same sentences, they do
    not count.
    """
    needed, text = told.claim, read.text
    if not needed.keys:
        return False
    if not told.own and apart is None and quotes(needed, text):
        return True
    keys = needed.found_in(text.keys)
    if not _has_all(told, keys, _spare(told, read)):
        return False
    missing = weight(needed.keys - keys - stems(SETTLING) - needed.subject)
    if missing > most_missing(needed, together=read.together, record=record):
        return False
    for span in _spans(needed, read):
        spot = text.spot(span)
        if _holds(told, spot, read, record) and _dates_agree(told.claim, spot, text, span):
            if apart and _holds(apart, spot, read, record) and _dates_agree(apart.claim, spot, text, span):
                continue
            return True
    return False


def _spans(needed: Claim, read: Reading) -> Iterator[range]:
    text = read.text
    if not read.together:
        yield from text.spans(needed.keys.union(*needed.pairs), needed.width)
    elif len(text.statements) <= LONGEST:
        yield range(len(text.statements))


def _spare(told: Telling, read: Reading) -> int:
    """How many names may be missing: one where people speak, who seldom repeat what they speak about, and the point
    has a value besides."""
    needed = told.claim
    return int(bool(needed.values or needed.periods) and read.text.attributed)


def _has_all(told: Telling, keys: frozenset[str], spare: int) -> bool:
    needed = told.claim
    return needed.values | told.own <= keys and sum(name.isdisjoint(keys) for name in needed.names) <= spare


def _enough(needed: Claim, record: bool) -> float:
    return min(needed.needed, ENOUGH_OF_RECORD) if record else needed.needed


def most_missing(needed: Claim, *, together: bool, record: bool = False) -> float:
    """The weight of its words that a text may leave out, at most."""
    return (1 - _enough(needed, record) * (1 - LIGHTLY * together)) * weight(needed.keys)


def weight(keys: Iterable[str], lighter: frozenset[str] = _NONE) -> float:
    """What words weigh together; those that say little, and the `lighter`, weigh less."""
    light = stems(LIGHT) | lighter
    return sum(LIGHTLY if key in light else 1.0 for key in sorted(keys))


def _holds(told: Telling, spot: Spot, read: Reading, record: bool) -> bool:
    needed = told.claim
    held = spot.held | spot.hedged if record else spot.held
    if len(spot.supposed & needed.held) >= 2:
        held |= spot.supposed
    held = needed.found_in(held)
    if not _has_all(told, held, _spare(told, read)) or _sets_aside(needed, spot, held):
        return False
    denied = needed.found_in(spot.denied)
    if needed.denied and not needed.denied & denied:
        return False
    if not needed.joined <= held or not _counts_agree(needed, spot):
        return False
    got = (needed.held & held) | (needed.denied & denied) | (needed.rest & needed.found_in(spot.keys))
    absent = _NONE.union(*(name for name in needed.names if name.isdisjoint(held)))
    wanted = frozenset(key for key in needed.keys if not is_value(key)) - absent - needed.values
    named = _NONE.union(*needed.names)
    if not needed.subject.isdisjoint(got):
        wanted -= needed.subject
    elif _is_of_another(needed, spot) or (read.together and not _may_be_missing(needed, spot)):
        return False
    elif spot.personal:
        wanted -= needed.subject
    if not held.isdisjoint(stems(SETTLING)):
        got |= wanted & stems(SETTLING)
    near = (wanted & read.context) - got
    share = weight(wanted & got, named) + weight(near, near)
    return share >= _enough(needed, record) * weight(wanted, named)


def _counts_agree(needed: Claim, spot: Spot) -> bool:
    """Whether no other number alone counts what the point counts: `12 weeks, 16 places` is not `12 places`."""
    for number, counted in needed.counts:
        others = {each for each, what in spot.counts if what == counted}
        if others and number not in others:
            return False
    return True


def _sets_aside(needed: Claim, spot: Spot, held: frozenset[str]) -> bool:
    """Whether the text denies, retires or only mentions what the point holds: a value, a name, or much of the rest."""
    aside = (spot.denied | spot.retired | spot.hedged) - held - needed.subject
    against = aside & needed.held
    if against & needed.values or any(name & against for name in needed.names):
        return True
    opposite = opposites()
    for key in (needed.held & opposite.keys()) - held:
        if not opposite[key].isdisjoint(held - needed.keys):
            return True
    return bool(against) and ASIDE * len(against) >= len(needed.held - needed.subject)


def _is_of_another(needed: Claim, spot: Spot) -> bool:
    """Whether a full name opens the text that the point does not have."""
    return bool(needed.subject) and any(name.isdisjoint(needed.keys) for name in spot.subjects)


def _may_be_missing(needed: Claim, spot: Spot) -> bool:
    """Whether several turns may leave out the subject: a pronoun stands for it, and the point has a value."""
    return not needed.subject or (spot.personal and bool(needed.values or needed.periods))


def _dates_agree(needed: Claim, spot: Spot, text: Document, span: range) -> bool:
    """Whether each wanted date is told; where a text without days has dates that hang on one, none can differ."""
    if not needed.periods:
        return True
    given = text.periods(span)
    if not given and spot.relative and not spot.days:
        return True
    return all(any(agrees(period, other) for period in given) for other in needed.periods)
