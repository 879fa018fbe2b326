"""The gold of a WorldMemArena sample: which points belong to which session, and what each memory id stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memarena.records import GoldPoint
from memarena_arena.faults import Faults, quoted
from memarena_arena.times import DAY, KnownTimes
from memarena_arena.wma_raw import RawPoint, RawSample

PROFILE = "S00"
"""The session whose gold stands in the session itself."""
INTERFERENCE = "interference"
"""The source of a point that should be refused; no other text means it."""

_FLAGS: Mapping[str | bool | None, bool] = {
    "True": True,
    "False": False,
    "true": True,
    "false": False,
    True: True,
    False: False,
    None: False,
}


class Gold(NamedTuple):
    """The gold points of one sample."""

    points: Mapping[str, tuple[GoldPoint, ...]]
    """By session."""
    by_id: Mapping[str, GoldPoint]
    """What a memory id stands for: the last of equal ids; points of sessions that do not exist too."""
    dropped: tuple[str, ...]
    """Blocks of sessions that do not exist, and a second block for the profile."""


def read_gold(raw: RawSample, sessions: Mapping[str, int], faults: Faults, times: KnownTimes) -> Gold:
    """The gold of the sessions that are kept (`sessions`: id -> place in the file)."""
    points: dict[str, tuple[GoldPoint, ...]] = {}
    by_id: dict[str, GoldPoint] = {}
    dropped: dict[str, None] = {}
    own = _own_points(raw, sessions, faults)
    read_points = _PointReader(by_id, times, faults).read
    for index, block in enumerate(raw.memory_points or ()):
        name, path = block.session_id or "", f"$.memory_points[{index}]"
        if name == PROFILE and own:
            faults.warn("dropped_block", f"the session {PROFILE} has points of its own: this block is dropped", path)
            dropped[name] = None
            continue
        if block.memory_points is None:
            faults.note("no_points", f"the block of session {quoted(name)} has no list of points", path)
        made = read_points(name, block.memory_points or (), f"{path}.memory_points")
        if name not in sessions:
            faults.warn("dropped_block", f"there is no session {quoted(name)}: its points are no session's gold", path)
            dropped[name] = None
            continue
        if name in points:
            faults.warn("repeated_block", f"a second block for session {quoted(name)}: the last one counts", path)
        points[name] = made
    if own:
        path = f"$.sessions[{sessions[PROFILE]}].memory_points"
        points[PROFILE] = read_points(PROFILE, own, path)
    return Gold(points, by_id, tuple(dropped))


def _own_points(raw: RawSample, sessions: Mapping[str, int], faults: Faults) -> Sequence[RawPoint]:
    """The points that stand in the profile session; those in any other session are not read."""
    own: Sequence[RawPoint] = ()
    for index, session in enumerate(raw.sessions or ()):
        if not session.memory_points:
            continue
        if sessions.get(PROFILE) == index:
            own = session.memory_points
        else:
            problem = f"points within a session are read for {PROFILE} only"
            faults.warn("ignored_points", problem, f"$.sessions[{index}].memory_points")
    return own


class _PointReader:
    """Reads lists of points; fills `by_id`."""

    def __init__(self, by_id: dict[str, GoldPoint], times: KnownTimes, faults: Faults) -> None:
        self._by_id = by_id
        self._times = times
        self._faults = faults

    def read(self, session_id: str, raw: Sequence[RawPoint], where: str) -> tuple[GoldPoint, ...]:
        by_id, days, clocks = self._by_id, self._times.days, self._times.clocks
        before: str | None = None
        points = []
        for index, point in enumerate(raw):
            memory_id, content, time = point.memory_id or "", point.memory_content or "", point.timestamp
            weight, update = point.importance, _FLAGS.get(point.is_update)
            if (
                memory_id in by_id
                or not memory_id
                or not content
                or content.isspace()
                or update is None
                or (weight is not None and not 0 <= weight <= 1)
                or (time != before and time is not None and (time[:DAY] not in days or time[DAY:] not in clocks))
                or (point.session is not None and point.session != session_id)
            ):
                update = self._checked_flag(point, session_id, f"{where}[{index}]")
            before = time
            source, replaces = point.memory_source or "", point.original_memories or ()
            made = GoldPoint(
                memory_id=memory_id,
                content=content,
                session_id=session_id,
                kind="interference" if source == INTERFERENCE else "update" if update else "new",
                importance=weight,
                replaces=(replaces,) if isinstance(replaces, str) else replaces,
                update_type=point.update_type or "",
                point_type=point.memory_type or "",
                source=source,
                time=time,
            )
            if memory_id:
                by_id[memory_id] = made
            points.append(made)
        return tuple(points)

    def _checked_flag(self, point: RawPoint, session_id: str, path: str) -> bool:
        """Whether a point that is new in some way is an update, after saying what is odd about it.

        A point that says nothing is refused: nobody can tell whether it was kept.
        """
        faults, memory_id, weight, time = self._faults, point.memory_id, point.importance, point.timestamp
        if not (point.memory_content or "").strip():
            faults.refuse("no_content", "a memory point needs a text", f"{path}.memory_content")
        if not memory_id:
            faults.warn("no_memory_id", "no evidence can name this point", f"{path}.memory_id")
        elif memory_id in self._by_id:
            faults.warn("repeated_memory_id", f"{quoted(memory_id)}: evidence means the last one", f"{path}.memory_id")
        if weight is not None and not 0 <= weight <= 1:
            faults.warn("odd_importance", f"{weight:g} is not within 0 and 1", f"{path}.importance")
        if time is not None and not self._times.check(time):
            faults.warn("odd_time", f"{quoted(time)} is kept as it is", f"{path}.timestamp")
        if point.session not in (None, session_id):
            problem = f"{quoted(point.session)} is not the session of its block, {quoted(session_id)}; the block counts"
            faults.warn("other_session", problem, f"{path}._session_id")
        flag = point.is_update
        update = _FLAGS.get(flag.strip().lower() if isinstance(flag, str) else flag)
        if update is None:
            faults.warn("odd_flag", f"{quoted(flag)} is read as False", f"{path}.is_update")
        return bool(update)
