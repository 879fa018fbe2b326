"""A trajectory of AMA-Bench -> sessions of so many steps, each step a turn with its parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from memarena.records import Session, Turn, TurnParts
from memarena_arena.faults import Faults, kind_of, quoted
from memarena_arena.public import fields

BEFORE = "before"
TASK_ID = "task"
"""Turn id of the task."""

_STEP = frozenset({"turn_idx", "action", "observation"})


class _Step(NamedTuple):
    number: int
    action: str
    observation: str


class Steps:
    """The steps of an episode in the order of their numbers; what is odd goes to `faults`."""

    def __init__(self, raw: Mapping[str, Any], path: str, unread: fields.Unread, faults: Faults) -> None:
        self._faults = faults
        self._unread = unread
        self._task = fields.a_text(raw, "task", path, faults).strip()
        if not self._task:
            faults.warn("no_task", "the episode says not what is to be done", f"{path}.task")
        given = fields.a_list(raw, "trajectory", path, faults)
        where = f"{path}.trajectory"
        if not given and not faults.refused:
            faults.refuse("no_sessions", "the episode has no steps", where)
        self._steps: list[_Step] = []
        self._numbers: set[int] = set()
        for place, item in enumerate(given):
            self._read(item, place, f"{where}[{place}]")
        if self._steps != sorted(self._steps, key=lambda step: step.number):
            faults.warn("steps_sorted", "the steps are not in the order of their numbers; they are sorted", where)
            self._steps.sort(key=lambda step: step.number)
        told = raw.get("num_turns")
        if told is not None and told != len(given):
            problem = f"{quoted(told)} turns are announced, {len(given)} are there"
            faults.warn("turn_count_off", problem, f"{path}.num_turns")

    def sessions(self, size: int, *, before: bool) -> tuple[tuple[Session, ...], dict[int, Turn]]:
        """The sessions, `size` steps each, and the turn of each step."""
        made: list[Session] = []
        by_number: dict[int, Turn] = {}
        for place in range(0, len(self._steps), size):
            session_id = f"S{len(made) + 1:03}"
            turns = [self._task_turn(session_id)] if not made and self._task else []
            for step in self._steps[place : place + size]:
                turn = _turn(step, session_id, len(turns), before=before)
                by_number[step.number] = turn
                turns.append(turn)
            made.append(Session(session_id=session_id, turns=tuple(turns)))
        return tuple(made), by_number

    def _task_turn(self, session_id: str) -> Turn:
        text = f"Task: {self._task}"
        return Turn(turn_id=TASK_ID, session_id=session_id, index=0, role="user", text=text, body=text)

    def _read(self, given: Any, place: int, path: str) -> None:
        raw = fields.an_object(given, "step", path, self._faults)
        if raw is None:
            return
        self._unread.tell(raw, _STEP, "step", path, self._faults)
        number = raw.get("turn_idx")
        if type(number) is not int or number < 0 or len(str(number)) > 9:
            self._faults.warn("odd_turn_idx", f"{quoted(number)} is no number; taken for {place}", f"{path}.turn_idx")
            number = place
        elif number != place:
            self._faults.note("turn_idx_off", f"step {number} stands at place {place}", f"{path}.turn_idx")
        if number in self._numbers:
            self._faults.refuse("repeated_id", f"a second step {number}", f"{path}.turn_idx")
        self._numbers.add(number)
        action, observation = (self._part(raw, key, path) for key in ("action", "observation"))
        if not action.strip() and not observation.strip():
            self._faults.warn("empty_text", "a step without action and observation", path)
        self._steps.append(_Step(number, action, observation))

    def _part(self, raw: Mapping[str, Any], key: str, path: str) -> str:
        given = raw.get(key)
        if given is None:
            self._faults.note("half_step", f"the step has no {key}", f"{path}.{key}")
            return ""
        if not isinstance(given, str):
            self._faults.refuse("text_not_a_text", f"a text is needed, not {kind_of(given)}", f"{path}.{key}")
            return ""
        return given


def _turn(step: _Step, session_id: str, index: int, *, before: bool) -> Turn:
    parts = [
        f"Action: {step.action}" if step.action else "",
        f"Observation: {step.observation}" if step.observation else "",
    ]
    told = [part for part in (reversed(parts) if before else parts) if part]
    text = "\n".join((f"Step {step.number}", *told))
    return Turn(
        turn_id=f"step_{step.number}",
        session_id=session_id,
        index=index,
        role="agent",
        text=text,
        body=text,
        parts=TurnParts(observation=step.observation, action=step.action)
        if before
        else TurnParts(action=step.action, feedback=step.observation),
    )
