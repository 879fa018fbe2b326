"""Episodes of embodied and graphical agents, step by step: EmbodiedBench, VisualAgentBench, Agent-Arena.

Their logs differ from release to release; what is read here are the keys that they are known to use. A step without
any of them is refused by name, and nothing is guessed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memarena.errors import DataError
from memarena_builder.traces.agents import FAILED
from memarena_builder.traces.log import Logged, Trace, Uttered, words

GOAL = ("instruction", "task", "goal", "intent", "query", "task_description")
STEPS = ("steps", "trajectory", "history", "episode", "actions", "planner_steps", "traj")
SEEN = (
    "observation", "obs", "visual_state_description", "visual_description", "state", "observation_text",
    "accessibility_tree",
)  # fmt: skip
THOUGHT = ("reasoning_and_reflection", "reasoning", "thought", "thoughts", "plan", "language_plan", "rationale")
DONE = ("action", "action_description", "executable_plan", "action_str", "code", "response", "pyautogui")
FED_BACK = ("env_feedback", "feedback", "action_feedback", "info", "result", "message", "error")
SHOWN = ("image", "image_path", "img_path", "screenshot", "screenshot_path", "frame", "image_url")
SUCCEEDED = ("last_action_success", "action_success", "success", "is_success", "task_success")


def is_episodes(found: Sequence[Any]) -> bool:
    """Whether each object is a step, or has a list of steps."""
    return bool(found) and all(isinstance(each, Mapping) and (steps_of(each) or _is_step(each)) for each in found)


def steps_of(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The steps of an episode; [] where it has none."""
    for key in STEPS:
        held = row.get(key)
        if isinstance(held, list) and held and all(isinstance(each, Mapping) for each in held):
            return held
    return []


def read_episodes(name: str, found: Sequence[Any]) -> Iterator[Trace]:
    """One trace: an episode is a session; steps that stand alone are one together."""
    if all(not steps_of(each) for each in found):
        found = [{"steps": list(found)}]
    sessions = []
    for number, episode in enumerate(found):
        turns = tuple(turn for turn in _turns(episode, f"{name}[{number}]") if turn.text)
        sessions.append(Logged(name=str(episode.get("episode_id", number)), turns=turns))
    yield Trace(name=name, sessions=tuple(sessions))


def _turns(episode: Mapping[str, Any], where: str) -> Iterator[Uttered]:
    goal = _first(episode, GOAL)
    for number, step in enumerate(steps_of(episode)):
        if not _is_step(step):
            raise DataError(f"step {number} has no action and no observation that is known here", file=where)
        seen = words(_first(step, SEEN))
        opening = f"{goal} " if goal and number == 0 else ""
        picture = _first(step, SHOWN)
        yield Uttered(
            role="user",
            text=f"Observation: {opening}{seen}".strip(),
            picture=picture if isinstance(picture, str) else "",
        )
        thought, action = words(_first(step, THOUGHT)), _action(_first(step, DONE))
        yield Uttered(role="assistant", text="\n".join(part for part in (thought, f"Action: {action}") if part))
        feedback = words(_first(step, FED_BACK))
        success = _first(step, SUCCEEDED)
        failed = success in (False, 0, 0.0) if success is not None else any(word in feedback.lower() for word in FAILED)
        if feedback:
            yield Uttered(role="user", text=f"Feedback: {feedback}", failed=failed)


def _is_step(row: Mapping[str, Any]) -> bool:
    return any(key in row for key in (*SEEN, *DONE))


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
