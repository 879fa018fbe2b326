"""A memory text as lines: who said it and when, where the text tells, and its sentences.

Understood are `[8 May 2023] Caroline: ...`, `user: ...`, `Caroline (8 May 2023): ...`, a line of its own that is
only a time, bullets, and picture blocks (`image:`, `image_id: ...`, `image_caption: ...`). What is not understood
is a line without speaker and time.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time
from functools import lru_cache
from typing import NamedTuple

from memarena_arena.language import values
from memarena_arena.language.dates import extract, first_day

LONGEST = 600
"""Characters above which a sentence is cut, at a blank where there is one."""

_BULLET = re.compile(r"\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?")
_BRACKETS = re.compile(r"\s*[\[(]([^\[\]()]{1,80})[\])]\s*[:\-–|]?\s*")
_NAME = r"[A-Z][\w.'-]{0,30}(?:\s[A-Z][\w.'-]{0,30}){0,2}"
_SPEAKER = re.compile(
    rf"({_NAME}|(?i:user|assistant|system|agent|environment))(?:\s(?:said|says))?\s*(?:\(([^()]{{1,60}})\))?\s*:\s+"
)
_LEADING = re.compile(r"((?:[^:|\n]|:(?=\d)){4,60}?)\s*[:|\-–]\s+")
ROLES = frozenset({"user", "assistant", "system", "agent", "environment"})
"""Speakers that are no names."""

_CLOCK = frozenset({"date", "time", "timestamp"})
_PICTURE = re.compile(r"\s*image(?:_(id|caption))?:\s?(.*)", re.I)
_END = re.compile(
    r"(?:(?<=[.!?…])(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bSt\.)(?<!\be\.g\.)(?<!\bi\.e\.)\s+)"
    r"|(?<=[.!?][\"'”)])\s+|(?<=[。！？])|\n+"
)


class Line(NamedTuple):
    """One line of a memory text."""

    body: str
    """Without its head; "" for a line that is only a head or a picture's id."""
    sentences: tuple[str, ...]
    speaker: str = ""
    day: date | None = None
    image_id: str = ""
    """The picture whose block the line belongs to."""
    is_caption: bool = False
    turn: int = 0
    """Number of the head under which it stands; lines under no head have a number each."""


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of `text`, none empty, none longer than `LONGEST`."""
    out: list[str] = []
    for piece in _END.split(text):
        piece = piece.strip()
        while len(piece) > LONGEST:
            cut = piece.rfind(" ", 1, LONGEST)
            cut = LONGEST if cut < 0 else cut
            out.append(piece[:cut])
            piece = piece[cut:].strip()
        if piece:
            out.append(piece)
    return tuple(out)


@lru_cache(maxsize=1 << 15)
def _line(text: str) -> tuple[str, str, date | None]:
    """Body, speaker and day of a line, by itself."""
    rest = text[_BULLET.match(text).end() :]  # type: ignore[union-attr]
    day: date | None = None
    speaker = ""
    while found := _BRACKETS.match(rest):
        day = day or first_day(found[1])
        if day is None and not re.fullmatch(r"[\w :.,|=#/-]{1,40}", found[1]):
            break
        rest = rest[found.end() :]
    if (lead := _LEADING.match(rest)) and not _SPEAKER.match(rest):
        dated, left = extract(lead[1])
        if dated and not re.search(r"[a-z]{4}", re.sub("morning|afternoon|evening", "", left.lower())):
            day = day or first_day(lead[1])
            rest = rest[lead.end() :]
    found = _SPEAKER.match(rest)
    if found and found[1].lower() not in _CLOCK:
        speaker = found[1]
        day = day or first_day(found[2] or "")
        rest = rest[found.end() :]
    return rest.strip(), speaker, day


@lru_cache(maxsize=1 << 15)
def said_at(text: str) -> datetime | None:
    """The day and the time of day in the head of a line, where it tells both."""
    body, _, day = _line(text)
    if day is None:
        return None
    head = extract(text.rstrip().removesuffix(body))[1]
    clock = next((value.key for value in values.extract(head)[0] if value.key[0] == values.TIME), None)
    return datetime.combine(day, time.fromisoformat(clock[1:])) if clock else None


def _only_time(body: str) -> date | None:
    """The day of a line that says nothing but a time (and that it is one)."""
    if len(body) > 60:
        return None
    day = first_day(body)
    if day is None:
        return None
    left = extract(body)[1].replace("\0", "").lower()
    return day if not re.sub(r"date|time|timestamp|session|on|at|[ap]m|[\W\d_s]", "", left) else None


@lru_cache(maxsize=1 << 13)
def lines(text: str) -> tuple[Line, ...]:
    """The lines of a memory text; speaker and day of a head hold until the next head."""
    out: list[Line] = []
    speaker, day, image = "", None, ""
    turn, headed = 0, False
    for raw in text.split("\n"):
        if not raw.strip():
            continue
        if picture := _PICTURE.fullmatch(raw):
            image = picture[2].strip() if (picture[1] or "").lower() == "id" else image if picture[1] else ""
            if (picture[1] or "").lower() == "caption" and picture[2].strip():
                out.append(Line(picture[2], sentences(picture[2]), speaker, day, image, True, turn))
            continue
        body, who, when = _line(raw)
        if who or when:
            speaker, day, image, headed = who or speaker, when or day, "", True
            turn += 1
        elif alone := _only_time(body):
            day, body = alone, ""
        elif not headed:
            turn += 1
        if body:
            out.append(Line(body, sentences(body), speaker, day, turn=turn))
    return tuple(out)
