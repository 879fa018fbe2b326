"""Names of entities and relations in the form in which they are compared, and which entity a name means."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

LONGEST_NAME = 3
"""Words of a name that is looked for in a text."""
USER = "user"
"""The one who speaks with the assistant, where nothing names him."""
STOP = frozenset(
    re.findall(
        r"\w+",
        "a an the and or but of in on at to for from by with about as than then is are was were be been am do does did "
        "has have had will would can could may i me my you your he him his she her it its we us our they them their "
        "this that these those there who whom whose which what when where why how many much not no if s t",
    )
)
"""Words that name nothing and tell no fact from another."""

_EAST_ASIAN = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"[^\W{_EAST_ASIAN}]+|[{_EAST_ASIAN}]")
_ARTICLES = frozenset({"a", "an", "the", "my", "our", "your", "his", "her", "its", "their"})
_TITLES = frozenset({"mr", "mrs", "ms", "dr", "prof"})
_SELF = frozenset({"i", "me", "my", "myself", "we", "us", "our", "user"})
_AUXILIARY = frozenset({"is", "are", "was", "were", "be", "been", "has", "have", "had", "does", "do", "did", "will"})


class Named(NamedTuple):
    """A name that an entity is known by."""

    key: str
    whole: bool
    """False: one word of a longer name, e.g. `ilse` of `Ilse Vandamme`."""
    entity: str


def words_of(text: str) -> list[str]:
    """Words in lower case, in their order; each East Asian character is one."""
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _WORD.findall(folded.casefold())


def key_of(name: str) -> str:
    """`name` as it is compared: words in lower case, without articles in front and possessives; "" where none is left.

    Whoever speaks of himself is `user`.
    """
    words = words_of(re.sub(r"['’]s\b", "", name))
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    return USER if len(words) == 1 and words[0] in _SELF else " ".join(words)


def relation_of(text: str) -> str:
    """A relation as it is compared: words in lower case with `_` between, without auxiliaries where others are left."""
    words = words_of(text.replace("_", " "))
    telling = [word for word in words if word not in _AUXILIARY] or words
    return "_".join(word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word for word in telling)


def parts_of(name: str) -> list[str]:
    """The words by which somebody with a name of several, all in capitals at their start, may be called for short."""
    said = name.split()
    keys = words_of(name)
    if len(said) < 2 or len(keys) != len(said) or not all(word[:1].isupper() for word in said):
        return []
    return [key for key in keys if key not in _TITLES and len(key) > 1]


def names_in(words: Sequence[str]) -> Iterator[str]:
    """All that may be a name in a text with these `words`: each, and up to `LONGEST_NAME` of them in a row; once."""
    seen: set[str] = set()
    for start in range(len(words)):
        for size in range(1, LONGEST_NAME + 1):
            key = " ".join(words[start : start + size])
            if start + size <= len(words) and key not in seen:
                seen.add(key)
                yield key


def meant(names: Iterable[Named]) -> list[str]:
    """The entities that names mean: those that have one as a whole, else the only one that has it as a part."""
    whole: dict[str, list[str]] = {}
    part: dict[str, list[str]] = {}
    for each in names:
        (whole if each.whole else part).setdefault(each.key, []).append(each.entity)
    only = (found[0] for key, found in part.items() if key not in whole and len(found) == 1)
    return list(dict.fromkeys((*(each for found in whole.values() for each in found), *only)))


def resolve(names: Iterable[str], known: Sequence[Named], new_id: Iterator[str]) -> tuple[dict[str, str], list[Named]]:
    """Which entity each of `names` means, by its key, and the names that are not yet known.

    A name means the entity that has it; else the only one that has it as one word of its own; a longer name is that of
    an entity that so far had only one of its words, where no other shares that word. Any other gets an id from
    `new_id`.
    """
    whole: dict[str, str] = {}
    part: dict[str, set[str]] = {}
    for each in known:
        if each.whole:
            whole.setdefault(each.key, each.entity)
        else:
            part.setdefault(each.key, set()).add(each.entity)
    found: dict[str, str] = {}
    added: list[Named] = []
    for name in names:
        key = key_of(name)
        if not key or key in found:
            continue
        entity = whole.get(key) or _only(part.get(key)) or _shorter(name, whole, part) or next(new_id)
        found[key] = entity
        if key not in whole:
            whole[key] = entity
            added.append(Named(key, True, entity))
        for word in parts_of(name):
            if whole.get(word) != entity and entity not in part.setdefault(word, set()):
                part[word].add(entity)
                added.append(Named(word, False, entity))
    return found, added


def _shorter(name: str, whole: Mapping[str, str], part: Mapping[str, set[str]]) -> str:
    """The entity that is called by one word of `name` and by nothing longer; "" where it is not exactly one."""
    return _only({whole[word] for word in parts_of(name) if word in whole and not part.get(word)})


def _only(entities: set[str] | None) -> str:
    return next(iter(entities)) if entities and len(entities) == 1 else ""
