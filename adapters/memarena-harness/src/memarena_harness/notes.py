"""The memory of an agent: the paragraphs of the text files in its workspace, followed from session to session."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from memarena.records import MemoryChange, MemoryItem
from memarena_harness.roots import MEDIA

LARGEST = 1 << 20
"""Bytes of a file that are read, from its beginning."""
ALL = 16 << 20
"""Bytes of all files that are read, in the order of their names: a snapshot goes into the record of the run."""
NO_TEXT = 0.05
"""Share of characters above which a file with so many that no text has is none."""
MOST = 5000
"""Paragraphs that are followed; what comes after them is not read."""
ALIKE = 0.5
"""Share of words in common above which a paragraph is an old one rewritten (`difflib`'s ratio)."""
COMPARED = 200
"""Paragraphs of one file that are compared each with each; beyond, those that are not equal count as new."""

_ENTRY = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
_HEADING = re.compile(r"^#{1,6}\s")
_HIDDEN = re.compile(r"^\.")
_ODD = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]")


class Paragraph(NamedTuple):
    """One paragraph, or one entry of a list."""

    file: str
    """Path below the workspace."""
    text: str
    heading: str
    """The heading that it stands under; ""."""


def paragraphs(workspace: Path, seeds: Mapping[str, str] | None = None) -> list[Paragraph]:
    """All notes in a workspace, file by file in the order of their names; hidden files and pictures are none.

    `seeds`: files that it began with, text by name; of these only what the agent changed is a note.
    """
    given = {paragraph for name, text in (seeds or {}).items() for paragraph in _split(name, text)}
    found: list[Paragraph] = []
    left = ALL
    for file in _files(workspace):
        name = file.relative_to(workspace).as_posix()
        text = _read(file, min(left, LARGEST))
        left -= len(text)
        found.extend(paragraph for paragraph in _split(name, text) if paragraph not in given)
        if len(found) >= MOST or left <= 0:
            break
    return found[:MOST]


def _files(folder: Path) -> Iterator[Path]:
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        if place.is_file():
            yield place
        elif place.is_dir() and place.name != MEDIA:
            found = [each for each in place.iterdir() if not (each.is_symlink() or _HIDDEN.match(each.name))]
            waiting += sorted(found, reverse=True)


def _read(file: Path, most: int) -> str:
    """The text of a file, what is no character of a text replaced; "" where it is no text at all."""
    with file.open("rb") as stream:
        text = stream.read(most).decode("utf-8-sig", "replace")
    text = _ODD.sub("\N{REPLACEMENT CHARACTER}", text)
    return text if text.count("\N{REPLACEMENT CHARACTER}") <= NO_TEXT * len(text) else ""


def _split(file: str, text: str) -> Iterator[Paragraph]:
    heading, block = "", list[str]()
    for line in [*text.splitlines(), ""]:
        starts = _ENTRY.match(line) is not None or _HEADING.match(line) is not None
        if (not line.strip() or starts) and block:
            yield Paragraph(file, "\n".join(block), heading)
            block = []
        if _HEADING.match(line):
            heading = line.strip("# \t")
        elif line.strip():
            block.append(line.rstrip())


class Notes:
    """Notes with ids that last: an equal paragraph keeps its id, also in another file; one that was rewritten too."""

    def __init__(self, items: Sequence[MemoryItem] = (), next_number: int = 1) -> None:
        self._items = {item.memory_id: item for item in items}
        self.next = next_number
        """Number of the next paragraph that is new."""
        self._changes: dict[str, list[MemoryChange]] = {}

    @property
    def items(self) -> tuple[MemoryItem, ...]:
        """What was found at the last `read`."""
        return tuple(self._items.values())

    def changes(self, session_id: str) -> tuple[MemoryChange, ...]:
        """What `read` found to be changed by a session."""
        return tuple(self._changes.get(session_id, ()))

    def read(self, found: Sequence[Paragraph], session_id: str) -> None:
        """Take in the notes as they are after a session."""
        before, kept = self._items, _match(list(self._items.values()), found)
        self._items, changes = {}, []
        for place, paragraph in enumerate(found):
            old = kept.get(place)
            item = self._item(paragraph, old, session_id)
            self._items[item.memory_id] = item
            if old is None:
                changes.append(item.added())
            elif old.text != item.text:
                changes.append(
                    MemoryChange(op="update", memory_id=item.memory_id, text=item.text, previous=(old.text,))
                )
            elif old != item:
                changes.append(MemoryChange(op="keep", memory_id=item.memory_id, text=item.text))
        gone = [item for memory_id, item in before.items() if memory_id not in self._items]
        changes += [MemoryChange(op="delete", memory_id=item.memory_id, text=item.text) for item in gone]
        self._changes[session_id] = changes

    def _item(self, paragraph: Paragraph, old: MemoryItem | None, session_id: str) -> MemoryItem:
        if old is None:
            memory_id, self.next = f"N{self.next:05d}", self.next + 1
            origin: str | None = session_id
        else:
            memory_id, origin = old.memory_id, old.session_id
        return MemoryItem(memory_id=memory_id, text=paragraph.text, session_id=origin, metadata=_about(paragraph))


def _about(paragraph: Paragraph) -> Mapping[str, str]:
    return {"file": paragraph.file, **({"heading": paragraph.heading} if paragraph.heading else {})}


def _match(old: Sequence[MemoryItem], new: Sequence[Paragraph]) -> dict[int, MemoryItem]:
    """Place of a new paragraph -> the item that it was: equal in its file, equal anywhere, then alike in its file."""
    found: dict[int, MemoryItem] = {}
    left: dict[str, MemoryItem] = {item.memory_id: item for item in old}
    for with_file in (True, False):
        equal: dict[tuple[str, str], list[MemoryItem]] = {}
        for item in left.values():
            equal.setdefault((item.metadata["file"] if with_file else "", item.text), []).append(item)
        for place, paragraph in enumerate(new):
            several = equal.get((paragraph.file if with_file else "", paragraph.text))
            if place not in found and several:
                found[place] = several.pop(0)
                del left[found[place].memory_id]
    by_file: dict[str, list[MemoryItem]] = {}
    for item in left.values():
        by_file.setdefault(item.metadata["file"], []).append(item)
    for file, items in by_file.items():
        places = [place for place, paragraph in enumerate(new) if place not in found and paragraph.file == file]
        if len(places) * len(items) <= COMPARED**2:
            found.update(_alike(items, {place: new[place].text for place in places}))
    return found


def _alike(items: Sequence[MemoryItem], texts: Mapping[int, str]) -> dict[int, MemoryItem]:
    """The pairs that have most in common, the best ones first; each item and each place once."""
    rated = []
    for number, item in enumerate(items):
        matcher = SequenceMatcher(autojunk=False)
        matcher.set_seq2(item.text.split())
        for place, text in texts.items():
            matcher.set_seq1(text.split())
            if matcher.real_quick_ratio() > ALIKE and matcher.quick_ratio() > ALIKE and matcher.ratio() > ALIKE:
                rated.append((-matcher.ratio(), place, number))
    found: dict[int, MemoryItem] = {}
    taken: set[int] = set()
    for _, place, number in sorted(rated):
        if place not in found and number not in taken:
            found[place] = items[number]
            taken.add(number)
    return found
