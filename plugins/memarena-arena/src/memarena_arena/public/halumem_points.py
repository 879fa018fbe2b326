"""The gold points of a HaluMem user: what is new, what is an update and of what, what is interference."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from memarena.records import GoldPoint, Turn
from memarena_arena.faults import Faults, quoted
from memarena_arena.public import fields
from memarena_arena.public.likeness import Likeness, plain
from memarena_arena.times import KnownTimes

INTERFERENCE = "interference"
"""The source of a point that should be refused."""

_FIELDS = frozenset({
    "index", "memory_content", "memory_type", "memory_source", "is_update", "original_memories", "importance",
    "timestamp",
})  # fmt: skip
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


class PointReader:
    """Reads the points of one user, session by session."""

    def __init__(self, times: KnownTimes, unread: fields.Unread, faults: Faults) -> None:
        self._times = times
        self._unread = unread
        self._faults = faults
        self._numbers: set[str] = set()
        """All that were said so far."""
        self._by_text: dict[str, GoldPoint] = {}
        """Of equal texts the latest; its key is as `plain` makes it."""
        self._likeness = Likeness()

    def find(self, text: str) -> tuple[GoldPoint | None, bool]:
        """The point so far that says `text`, and whether it does so letter by letter; of several the latest."""
        point = self._by_text.get(plain(text))
        if point is not None:
            return point, point.content == text
        alike = self._likeness.find(text)
        return (self._by_text[alike] if alike else None), False

    def read(self, raw: Mapping[str, Any], session_id: str, turns: Sequence[Turn], path: str) -> tuple[GoldPoint, ...]:
        """The points of a session, `mp_<session>_<place>` from 1, in file order."""
        for turn in turns:
            self._numbers.update(_numbers(f"{turn.text}\n{turn.time or ''}"))
        given = fields.a_list(raw, "memory_points", path, self._faults, need=False)
        found: list[GoldPoint] = []
        indexes: set[int] = set()
        for place, item in enumerate(given):
            where = f"{path}.memory_points[{place}]"
            point = self._point(item, session_id, place, where)
            if point is not None:
                found.append(point)
                self._check_index(item.get("index"), indexes, f"{where}.index")
        for point in found:
            key = plain(point.content)
            if key in self._by_text:
                message = f"{point.memory_id} says what an earlier point says: evidence means the later one"
                self._faults.note("repeated_point", message, f"{path}.memory_points")
            self._by_text[key] = point
            self._likeness.add(key)
        return tuple(found)

    def _point(self, given: Any, session_id: str, place: int, path: str) -> GoldPoint | None:
        faults = self._faults
        raw = fields.an_object(given, "memory point", path, faults)
        if raw is None:
            return None
        self._unread.tell(raw, _FIELDS, "memory point", path, faults)
        content = raw.get("memory_content")
        if not isinstance(content, str) or not content.strip():
            faults.refuse("no_content", "a memory point needs a text", f"{path}.memory_content")
            return None
        source = fields.a_text(raw, "memory_source", path, faults)
        replaces = self._originals(raw, path)
        kind = self._kind(raw, source, replaces, path)
        if kind != INTERFERENCE and not _numbers(content) <= self._numbers:
            problem = "it holds a number that nobody has said up to its session"
            faults.note("unsupported_number", problem, f"{path}.memory_content")
        return GoldPoint(
            memory_id=f"mp_{session_id}_{place + 1}",
            content=content,
            session_id=session_id,
            kind=kind,
            importance=self._importance(raw, kind, path),
            replaces=replaces if kind == "update" else (),
            point_type=fields.a_text(raw, "memory_type", path, faults),
            source=source,
            time=fields.a_time(raw, "timestamp", path, faults, self._times),
        )

    def _kind(
        self, raw: Mapping[str, Any], source: str, replaces: Sequence[str], path: str
    ) -> Literal["new", "update", "interference"]:
        """An update that supersedes nothing cannot be scored as one (the official evaluation skips it): it is new."""
        update = fields.a_flag(raw, "is_update", path, self._faults)
        if source == INTERFERENCE:
            return "interference"
        if update and not replaces:
            self._faults.note("update_without_original", "it supersedes nothing: read as new", f"{path}.is_update")
        if replaces and not update:
            problem = "superseded facts of a point that is no update; left out"
            self._faults.warn("original_without_update", problem, f"{path}.original_memories")
        return "update" if update and replaces else "new"

    def _originals(self, raw: Mapping[str, Any], path: str) -> tuple[str, ...]:
        """The texts that the point supersedes, each looked for among the points of earlier sessions."""
        given = raw.get("original_memories")
        texts = fields.each(given, f"{path}.original_memories") if given else []
        if not all(isinstance(text, str) for _, text in texts):
            self._faults.warn("odd_value", "a list of texts is needed; left out", f"{path}.original_memories")
            return ()
        kept = [(where, text) for where, text in texts if text.strip()]
        for where, text in kept:
            point, exact = self.find(text)
            if point is None:
                self._faults.warn("unmatched_original", f"no earlier point says {quoted(text)}; it is kept", where)
            elif not exact:
                self._faults.note("original_matched_loosely", f"taken for {point.memory_id}", where)
        return tuple(text for _, text in kept)

    def _importance(self, raw: Mapping[str, Any], kind: str, path: str) -> float | None:
        given = raw.get("importance")
        if isinstance(given, int | float) and not isinstance(given, bool):
            if not 0 <= given <= 1:
                self._faults.warn("odd_importance", f"{given:.6g} is not within 0 and 1", f"{path}.importance")
            return float(given)
        if given is not None:
            self._faults.warn("odd_importance", f"{quoted(given)} is no number; left out", f"{path}.importance")
        elif kind != INTERFERENCE:
            self._faults.note("no_importance", "the point says not how important it is", f"{path}.importance")
        return None

    def _check_index(self, given: Any, seen: set[int], path: str) -> None:
        if type(given) is not int:
            self._faults.warn("odd_index", f"{quoted(given)} is no number; the place counts", path)
        elif given in seen:
            self._faults.warn("repeated_index", f"{given} comes twice in the session; the place counts", path)
        else:
            seen.add(given)


def _numbers(text: str) -> set[str]:
    return {number.replace(",", "").rstrip(".") for number in _NUMBER.findall(text)}
