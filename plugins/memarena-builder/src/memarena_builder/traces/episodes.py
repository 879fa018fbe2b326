"""Episodes of embodied and graphical agents, step by step: EmbodiedBench, VisualAgentBench, Agent-Arena.

Their logs differ from release to release; what is read here are the keys that they are known to use. A step without
any of them is refused by name, and nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from memarena.errors import DataError
from memarena_builder.traces.conversations import items_of, read_items
from memarena_builder.traces.log import Logged, Shown, Trace, Uttered, moment
from memarena_builder.traces.parts import located, words
from memarena_builder.traces.rows import Notes, Row
from memarena_builder.traces.thread import NAMED, feedback

GOAL = ("instruction", "task_instruction", "task", "goal", "intent", "query", "task_description", "target")
STEPS = ("steps", "trajectory", "history", "episode", "actions", "planner_steps", "traj")
SEEN = (
    "observation", "obs", "visual_state_description", "visual_description", "state", "observation_text",
    "accessibility_tree", "a11y_tree", "html",
)  # fmt: skip
THOUGHT = ("reasoning_and_reflection", "reasoning", "thought", "thoughts", "language_plan", "plan", "rationale")
DONE = ("action", "action_description", "executable_plan", "action_str", "code", "response", "pyautogui")
FED_BACK = ("env_feedback", "feedback", "action_feedback", "result", "message", "error")
SHOWN = (
    "image", "image_path", "img_path", "screenshot", "screenshot_path", "screenshot_file", "frame", "image_url",
)  # fmt: skip
SUCCEEDED = ("last_action_success", "action_success", "success", "is_success")
FAILED = re.compile(r"\b(?:fail(?:ed|s)?|error|invalid|exception|traceback|not found|denied|no such|cannot)\b", re.I)
"""Words of feedback that tell that an action had no effect, where nothing else tells it."""
NUMBER = ("env_step", "step", "step_num", "step_idx", "step_id", "index")
EPISODE = ("episode_id", "episode_num", "episode", "trace_id", "task_id")
TIME = ("timestamp", "time", "action_timestamp")
_FILE = re.compile(r"episode_(\d+)_step_\d+")


def is_episodes(row: object) -> bool:
    """Whether an object is a step, has a list of steps, or is of a conversation with an environment."""
    return isinstance(row, Mapping) and (bool(steps_of(row)) or _is_step(row) or items_of(row) is not None)


def steps_of(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The steps of an episode; [] where it has none."""
    for key in STEPS:
        held = row.get(key)
        rows = held if isinstance(held, list) and all(isinstance(each, Mapping) for each in held) else []
        if rows and not all("role" in each and "content" in each for each in rows):
            return rows
    return []


def read_episodes(name: str, found: Iterable[Row], notes: Notes) -> Iterator[Trace]:
    """One trace: an episode is a session. Steps that stand alone are one together, until their goal or their number
    tells that another begins."""
    sessions: list[Logged] = []
    alone: list[tuple[Mapping[str, Any], str]] = []
    talk: list[Row] = []
    for row in found:
        if not is_episodes(row.value):
            notes.add("objects left out that are no steps", row.where)
        elif items_of(row.value) is not None:
            talk.append(row)
        elif steps := steps_of(row.value):
            each = [(step, f"{row.where}: step {number}") for number, step in enumerate(steps)]
            named = str(row.value.get("episode_id", row.value.get("task_id", len(sessions))))
            sessions.append(_session(named, row.value, each, name))
        else:
            alone.append((row.value, row.where))
    for episode in _episodes(alone):
        named = str(_first(episode[0][0], EPISODE) or len(sessions))
        sessions.append(_session(named, episode[0][0], episode, name))
    sessions += read_items(talk, notes)
    yield Trace(name=name, sessions=tuple(sessions))


def _episodes(steps: Sequence[tuple[Mapping[str, Any], str]]) -> Iterator[list[tuple[Mapping[str, Any], str]]]:
    """Steps that stand alone, an episode together."""
    episode: list[tuple[Mapping[str, Any], str]] = []
    last: tuple[Any, ...] = ()
    for step, where in steps:
        goal, named, number = (_first(step, keys) for keys in (GOAL, EPISODE, NUMBER))
        counted = number if isinstance(number, int) else None
        if episode and (
            (goal is not None and last[0] not in (None, goal))
            or (named is not None and last[1] not in (None, named))
            or (counted is not None and last[2] is not None and counted <= last[2])
        ):
            yield episode
            episode, last = [], ()
        episode.append((step, where))
        before = last or (None, None, None)
        last = tuple(new if new is not None else old for new, old in zip((goal, named, counted), before, strict=True))
    if episode:
        yield episode


def _session(name: str, held: Mapping[str, Any], steps: Sequence[tuple[Mapping[str, Any], str]], log: str) -> Logged:
    goal = words(_first(held, GOAL))
    turns: list[Uttered] = []
    for number, (step, where) in enumerate(steps):
        turns += _turns(_flat(step), where, goal if number == 0 else "", _guesses(log, step, number))
    return Logged(name=name, turns=tuple(turns))


def _flat(step: Mapping[str, Any]) -> dict[str, Any]:
    """A step with what stands one level deeper: below `value`, or as the JSON in which a model replied."""
    held = dict(step)
    reply = held.get("reasoning")
    if isinstance(reply, str) and reply.lstrip().startswith("{"):
        try:
            reply = json.loads(reply)
        except (ValueError, RecursionError):
            reply = held["reasoning"]
    for inner in (held.get("value"), reply):
        if isinstance(inner, Mapping):
            held = {**inner, **{key: value for key, value in held.items() if value is not reply and key != "reasoning"}}
    return held


def _guesses(log: str, step: Mapping[str, Any], number: int) -> tuple[str, ...]:
    """Where EmbodiedBench keeps the picture that a step was decided on: it has the number of the step before."""
    found = _FILE.fullmatch(log)
    if found is None:
        return ()
    taken = step.get("env_step")
    at = f"episode_{found[1]}_step_{taken - 1 if isinstance(taken, int) else number}"
    below = f"images/episode_{found[1]}/"
    return tuple(f"{folder}{at}{rest}.png" for folder in (below, "") for rest in ("", "_*"))


def _turns(step: Mapping[str, Any], where: str, goal: str, guesses: tuple[str, ...]) -> Iterator[Uttered]:
    if not _is_step(step):
        raise DataError(f"{where} has no action and no observation that is known here")
    time = moment(_first(step, TIME))
    seen = words(_first(step, SEEN))
    shown = located(_first(step, SHOWN)) or (Shown(guesses=guesses) if guesses else None)
    text = f"{goal} {seen}".strip()
    if text or shown:
        yield Uttered(
            role="user", text=f"Observation: {text}".strip(), time=time, shown=(shown,) if shown else ()
        )  # fmt: skip
    thoughts = dict.fromkeys(words(step.get(key)) for key in THOUGHT)
    action = _action(_first(step, DONE))
    yield Uttered(role="assistant", text="\n".join([*filter(None, thoughts), f"Action: {action}"]), time=time)
    back = words(_first(step, FED_BACK))
    success = _first(step, SUCCEEDED)
    failed = success in (False, 0, 0.0) if success is not None else FAILED.search(back) is not None
    if back or failed:
        called = action if len(action) <= NAMED and not re.search(r"[:\n]", action) else ""
        yield Uttered(role="user", text=feedback(back or "no effect", called, failed=failed), time=time)


def _is_step(row: Mapping[str, Any]) -> bool:
    held = row["value"] if isinstance(row.get("value"), Mapping) else {}
    return "role" not in row and any(key in row or key in held for key in (*SEEN, *DONE))


def _first(row: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((row[key] for key in keys if row.get(key) not in (None, "", [])), None)


def _action(value: Any) -> str:
    """An action as text: EmbodiedBench has lists of `action_id` and `action_name`."""
    if isinstance(value, list):
        return ", ".join(map(_action, value))
    if isinstance(value, Mapping):
        named = value.get("action_name") or value.get("name") or value.get("action")
        number = value.get("action_id")
        if named is None:
            return json.dumps(value, ensure_ascii=False, sort_keys=True)
        return f"action_id={number}: {named}" if number is not None else str(named)
    return "none" if value is None else str(value)
