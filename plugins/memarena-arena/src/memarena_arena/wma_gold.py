"""The gold of a WorldMemArena sample: which points belong to which session, and what each memory id stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from memarena.records import GoldPoint
from memarena_arena.faults import Faults, quoted
from memarena_arena.times import is_time
from memarena_arena.wma_raw import RawPoint, RawSample

PROFILE = "S00"
"""The session whose gold stands in the session itself."""

_FLAGS: Mapping[str | bool | None, bool] = {"true": True, "false": False, True: True, False: False, None: False}


class Gold(NamedTuple):
    """The gold points of one sample."""

    points: Mapping[str, tuple[GoldPoint, ...]]
    """By session."""
    by_id: Mapping[str, GoldPoint]
    """What a memory id stands for: the last of equal ids; points of sessions that do not exist too."""
    dropped: tuple[str, ...]
    """Blocks of sessions that do not exist, and a second block for the profile."""


def read_gold(raw: RawSample, sessions: Mapping[str, int], faults: Faults) -> Gold:
    """The gold of the sessions that are kept (`sessions`: id -> place in the file)."""
    points: dict[str, tuple[GoldPoint, ...]] = {}
    by_id: dict[str, GoldPoint] = {}
    dropped: dict[str, None] = {}
    own = _own_points(raw, sessions, faults)
    for index, block in enumerate(raw.memory_points or ()):
        name, path = block.session_id or "", f"$.memory_points[{index}]"
        if name == PROFILE and own:
            faults.warn("dropped_block", f"the session {PROFILE} has points of its own: this block is dropped", path)
            dropped[name] = None
            continue
        if block.memory_points is None:
            faults.note("no_points", f"the block of session {quoted(name)} has no list of points", path)
        made = tuple(_points(name, block.memory_points or (), f"{path}.memory_points", by_id, faults))
        if name not in sessions:
            faults.warn("dropped_block", f"there is no session {quoted(name)}: its points are no session's gold", path)
            dropped[name] = None
            continue
        if name in points:
            faults.warn("repeated_block", f"a second block for session {quoted(name)}: the last one counts", path)
        points[name] = made
    if own:
        path = f"$.sessions[{sessions[PROFILE]}].memory_points"
        points[PROFILE] = tuple(_points(PROFILE, own, path, by_id, faults))
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


def _points(
    session_id: str, raw: Sequence[RawPoint], where: str, by_id: dict[str, GoldPoint], faults: Faults
) -> Iterator[GoldPoint]:
    for index, point in enumerate(raw):
        memory_id = point.memory_id or ""
        content, time, weight = point.memory_content or "", point.timestamp, point.importance
        update = _flag(point.is_update)
        if (
            not memory_id
            or memory_id in by_id
            or not content.strip()
            or update is None
            or not (weight is None or 0 <= weight <= 1)
            or not (time is None or is_time(time))
            or point.session not in (None, session_id)
        ):
            _report(point, session_id, f"{where}[{index}]", by_id, faults)
        kind: Literal["new", "update", "interference"] = "update" if update else "new"
        replaces = point.original_memories or ()
        made = GoldPoint(
            memory_id=memory_id,
            content=content,
            session_id=session_id,
            kind="interference" if point.memory_source == "interference" else kind,
            importance=weight,
            replaces=(replaces,) if isinstance(replaces, str) else tuple(replaces),
            update_type=point.update_type or "",
            point_type=point.memory_type or "",
            source=point.memory_source or "",
            time=time,
        )
        if memory_id:
            by_id[memory_id] = made
        yield made


def _report(point: RawPoint, session_id: str, path: str, by_id: Mapping[str, GoldPoint], faults: Faults) -> None:
    """Say what is odd about a point; a point that says nothing cannot be scored."""
    memory_id, weight = point.memory_id, point.importance
    if not (point.memory_content or "").strip():
        faults.refuse("no_content", "a memory point needs a text", f"{path}.memory_content")
    if not memory_id:
        faults.warn("no_memory_id", "no evidence can name this point", f"{path}.memory_id")
    elif memory_id in by_id:
        faults.warn("repeated_memory_id", f"{quoted(memory_id)}: evidence means the last one", f"{path}.memory_id")
    if _flag(point.is_update) is None:
        faults.warn("odd_flag", f"{quoted(point.is_update)} is read as False", f"{path}.is_update")
    if not (weight is None or 0 <= weight <= 1):
        faults.warn("odd_importance", f"{weight:g} is not within 0 and 1", f"{path}.importance")
    if not (point.timestamp is None or is_time(point.timestamp)):
        faults.warn("odd_time", f"{quoted(point.timestamp)} is kept as it is", f"{path}.timestamp")
    if point.session not in (None, session_id):
        problem = f"{quoted(point.session)} is not the session of its block, {quoted(session_id)}; the block counts"
        faults.warn("other_session", problem, f"{path}._session_id")


def _flag(value: str | bool | None) -> bool | None:
    """The truth of a flag, which may be written as a text; None where it says neither True nor False."""
    return _FLAGS.get(value.strip().lower() if isinstance(value, str) else value)
