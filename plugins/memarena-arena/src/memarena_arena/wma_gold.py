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

_FLAGS: Mapping[str | bool, bool] = {"True": True, "False": False, True: True, False: False}


class Gold(NamedTuple):
    """The gold points of one sample."""

    points: Mapping[str, tuple[GoldPoint, ...]]
    """By session."""
    by_id: Mapping[str, GoldPoint]
    """What a memory id stands for: the last of equal ids; points of sessions that do not exist too."""
    dropped: tuple[str, ...]
    """Blocks of sessions that do not exist, and a second block for the profile."""


def read_gold(raw: RawSample, sessions: Mapping[str, int], faults: Faults, times: KnownTimes, *, exact: bool) -> Gold:
    """The gold of the sessions that are kept (`sessions`: id -> place in the file); `exact`: see `wma_raw`."""
    points: dict[str, tuple[GoldPoint, ...]] = {}
    by_id: dict[str, GoldPoint] = {}
    dropped: dict[str, None] = {}
    own = _own_points(raw, sessions, faults)
    read_points = _PointReader(by_id, times, faults, exact=exact).read
    if own:
        points[PROFILE] = read_points(PROFILE, own, "sessions", sessions[PROFILE])
    for place, block in enumerate(raw.memory_points):
        name = block.session_id
        if name == PROFILE and own:
            problem = f"the session {PROFILE} has points of its own: this block is dropped"
            faults.warn("dropped_block", problem, f"$.memory_points[{place}]")
            dropped[name] = None
            continue
        if not block.memory_points:
            problem = f"the block of session {quoted(name)} has no points"
            faults.note("no_points", problem, f"$.memory_points[{place}]")
        made = read_points(name, block.memory_points, "memory_points", place)
        if name not in sessions:
            problem = f"there is no session {quoted(name)}: its points are no session's gold"
            faults.warn("dropped_block", problem, f"$.memory_points[{place}]")
            dropped[name] = None
            continue
        if name in points:
            problem = f"a second block for session {quoted(name)}: the last one counts"
            faults.warn("repeated_block", problem, f"$.memory_points[{place}]")
        points[name] = made
    return Gold(points, by_id, tuple(dropped))


def _own_points(raw: RawSample, sessions: Mapping[str, int], faults: Faults) -> Sequence[RawPoint]:
    """The points that stand in the profile session; those in any other session are not read."""
    own: Sequence[RawPoint] = ()
    for index, session in enumerate(raw.sessions):
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

    def __init__(self, by_id: dict[str, GoldPoint], times: KnownTimes, faults: Faults, *, exact: bool) -> None:
        self._loose = not exact
        self._by_id = by_id
        self._times = times
        self._faults = faults

    def read(self, session_id: str, raw: Sequence[RawPoint], holder: str, place: int) -> tuple[GoldPoint, ...]:
        """The points of one list: the `memory_points` of `$.holder[place]`."""
        by_id, days, clocks, loose = self._by_id, self._times.days, self._times.clocks, self._loose
        before: str | None = None
        points = []
        for index, point in enumerate(raw):
            memory_id, content, time, session = (
                point.memory_id,
                point.memory_content,
                point.timestamp,
                point.session,
            )
            if (
                (time != before and time is not None and (time[:DAY] not in days or time[DAY:] not in clocks))
                or memory_id in by_id
                or content.isspace()
                or (session != session_id and session is not None)
                or loose
            ):
                update = self._checked_flag(point, session_id, f"$.{holder}[{place}].memory_points[{index}]")
            else:
                update = _FLAGS[point.is_update]
                before = time
            source, replaces = point.memory_source, point.original_memories or ()
            made = GoldPoint(
                memory_id=memory_id,
                content=content,
                session_id=session_id,
                kind="interference" if source == INTERFERENCE else "update" if update else "new",
                importance=point.importance,
                replaces=(replaces,) if isinstance(replaces, str) else replaces,
                update_type=point.update_type,
                point_type=point.memory_type,
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
        if not point.memory_content.strip():
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
        flag: str | bool = point.is_update
        update = _FLAGS.get(flag.strip().capitalize() if isinstance(flag, str) else flag)
        if update is None:
            faults.warn("odd_flag", f"{quoted(flag)} is read as False", f"{path}.is_update")
        return bool(update)
