"""One play of one task: think, run programs where the track allows it, answer once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memarena.errors import UsageError
from memarena_aha.euler import sandbox
from memarena_aha.euler.answers import read_answer, read_nodes, whole_number
from memarena_aha.euler.draws import Track
from memarena_aha.euler.tasks import Task
from memarena_aha.parts import Ending, EpisodeScore, Said, Step

__all__ = ["BAD_IN_A_ROW", "RUNS", "EulerEpisode", "need_sandbox"]

RUNS = 3
"""Programs that may be run for a task."""
BAD_IN_A_ROW = 3
"""Actions that could not be read, one after the other, that end an episode."""
MOST_SOURCE = 20_000
"""Characters of a program."""
MOST_NODES = 100
HOW = (
    "Answer with a last line `ANSWER: ` and the whole number, exact, or with the tool `answer`; only one answer counts."
)
NODES = "You may also give the answers of the parts, each as a line `NODE k: ` and the number."
SUPPORT = "Before, this was shown:"


class EulerEpisode:
    """See `memarena_aha.parts.Episode`. `support` is a teaching that stands in the observation."""

    def __init__(self, task: Task, track: Track, support: str = "") -> None:
        self.task = task
        self.track = track
        self.support = support
        self.runs: list[tuple[str, sandbox.Ran]] = []
        """The programs that were run, and what came of them."""
        self._ended: Ending = ""
        self._answer: int | None = None
        self._nodes: Mapping[int, int | None] = {}
        self._bad = 0
        self._bad_in_a_row = 0
        self._notice = ""
        self._does: Mapping[str, Callable[[Mapping[Any, Any]], Step]] = {
            "answer": self._tool_answer,
            "think": self._think,
            "abstain": self._abstain,
            "run_code": self._run,
        }

    @property
    def ended(self) -> Ending:
        return self._ended

    def observe(self) -> Mapping[str, Any]:
        """The task, what was shown in its support, and what programs printed."""
        data = {
            "part": "euler",
            "statement": self.task.statement,
            "slots": self.task.slots,
            "track": self.track,
            "taught": self.support,
            "runs_left": self._runs_left(),
            "runs": [{"source": source, "output": ran.text} for source, ran in self.runs],
            "notice": self._notice,
        }
        return {"text": self._text(), "data": data}

    def tools(self) -> Sequence[Mapping[str, Any]]:
        number = {"type": "string", "description": "a whole number, all its digits"}
        listed = {
            "type": "array",
            "items": number,
            "description": "the answers of the parts, in order, if you have them",
        }
        tools = [
            _tool("answer", "Give your answer; it ends the task.", {"value": number, "nodes": listed}, ["value"]),
            _tool("think", "Write down a thought; it costs nothing.", {"text": {"type": "string"}}, ["text"]),
            _tool("abstain", "Give no answer; it ends the task.", {}, []),
        ]
        if self._runs_left():
            limits = f"{sandbox.CPU_SECONDS} s, {sandbox.MEMORY_BYTES >> 20} MB, no network"
            told = (
                f"Run a Python program ({limits}); the first {sandbox.MOST_CHARACTERS} characters it prints are shown."
            )
            source = {"source": {"type": "string", "description": f"at most {MOST_SOURCE} characters"}}
            tools.append(_tool("run_code", told, source, ["source"]))
        return tools

    def query(self) -> str:
        return self.task.statement

    def act(self, action: object) -> Step:
        if self._ended:
            return Step(said=(Said(role="environment", text="It is over."),), bad=True)
        self._notice = ""
        if isinstance(action, Mapping) and "text" in action and "tool" not in action:
            return self._reply(action["text"])
        tool, args = (action.get("tool"), action.get("args", {})) if isinstance(action, Mapping) else (None, None)
        does = self._does.get(tool) if isinstance(tool, str) else None
        if does is None or not isinstance(args, Mapping):
            return self._spoiled(f"an action is a text, or one of the tools {', '.join(self._does)} with its arguments")
        return does(args)

    def finish(self, why: Ending, failure: str = "") -> None:
        """End it from outside: worth nothing."""
        if not self._ended:
            self._ended = why

    def score(self) -> EpisodeScore:
        right = self._ended == "answered" and self._answer == self.task.answer
        raw: dict[str, float | int | str | None] = {
            "right": int(right),
            "runs": len(self.runs),
            "bad": self._bad,
            "nodes_right": self._nodes_right(right),
        }
        used = {lesson.lesson_id: (int(right), 1) for lesson in self.task.lessons}
        return EpisodeScore(score=100.0 if right else 0.0, ended=self._ended, raw=raw, used=used)

    def _nodes_right(self, right: bool) -> float | None:
        """The share of the parts whose answers were given right; None where none were given."""
        if not self._nodes:
            return None
        good = [self._nodes.get(number) == value for number, value in enumerate(self.task.nodes, start=1)]
        return sum([*good[:-1], good[-1] or right]) / len(good)

    def _runs_left(self) -> int:
        return RUNS - len(self.runs) if self.track == "code" else 0

    def _reply(self, text: object) -> Step:
        answers, value = read_answer(text) if isinstance(text, str) else (False, None)
        if not answers:
            return self._spoiled("a text must end with a line `ANSWER: ` and a whole number")
        return self._answered(value, read_nodes(str(text)))

    def _tool_answer(self, args: Mapping[Any, Any]) -> Step:
        given, nodes = args.get("value"), args.get("nodes")
        value = _number(given)
        if value is None and not isinstance(given, str):
            return self._spoiled("`answer` has the argument `value`, a whole number as text")
        listed = nodes[:MOST_NODES] if isinstance(nodes, list) else []
        return self._answered(value, {number: _number(one) for number, one in enumerate(listed, start=1)})

    def _answered(self, value: int | None, nodes: Mapping[int, int | None]) -> Step:
        self._answer, self._nodes, self._ended = value, nodes, "answered"
        return Step(said=_heard(f"ANSWER: {'(no whole number)' if value is None else value}", "Taken down."))

    def _think(self, args: Mapping[Any, Any]) -> Step:
        text = args.get("text")
        if not isinstance(text, str):
            return self._spoiled("`think` has the argument `text`")
        self._bad_in_a_row = 0
        return Step(said=(Said(role="agent", text=text),))

    def _abstain(self, _: Mapping[Any, Any]) -> Step:
        self._ended = "abstained"
        return Step(said=_heard("No answer.", "Taken down."))

    def _run(self, args: Mapping[Any, Any]) -> Step:
        source = args.get("source")
        if not self._runs_left():
            return self._spoiled("no program can be run here" if self.track == "closed" else "no run is left")
        if not isinstance(source, str) or not source.strip() or len(source) > MOST_SOURCE:
            return self._spoiled(f"`run_code` has the argument `source`, a program of at most {MOST_SOURCE} characters")
        self._bad_in_a_row = 0
        ran = sandbox.run(source)
        self.runs.append((source, ran))
        return Step(said=_heard(f"Run:\n{source}", ran.text))

    def _spoiled(self, problem: str) -> Step:
        """An action that could not be read: nothing happens, and three in a row end it."""
        self._bad += 1
        self._bad_in_a_row += 1
        self._notice = problem
        if self._bad_in_a_row >= BAD_IN_A_ROW:
            self._ended = "malformed"
        return Step(said=_heard("(an action that could not be read)", f"That could not be read: {problem}."), bad=True)

    def _text(self) -> str:
        parts = [f"{SUPPORT}\n{self.support}\n\nNow this task:"] if self.support else []
        parts.append(self.task.statement)
        for number, (source, ran) in enumerate(self.runs, start=1):
            parts.append(f"Program {number}:\n{source.rstrip()}\nIt printed:\n{ran.text}")
        parts.append(f"{HOW} {NODES}" if len(self.task.nodes) > 1 else HOW)
        if self.track == "code":
            left = self._runs_left()
            parts.append(f"You can run {left} more Python program{'s' * (left != 1)}." if left else "No run is left.")
        else:
            parts.append("No program can be run.")
        if self._notice:
            parts.append(f"Your last action could not be read: {self._notice}.")
        return "\n\n".join(parts)


def need_sandbox(track: Track) -> None:
    """Raises UsageError where a track needs programs to be run and this machine cannot hold them."""
    problem = sandbox.problem() if track == "code" else ""
    if problem:
        raise UsageError(problem)


def _number(given: object) -> int | None:
    if isinstance(given, bool):
        return None
    if isinstance(given, int):
        return given
    return whole_number(given) if isinstance(given, str) else None


def _heard(action: str, reply: str) -> tuple[Said, Said]:
    return Said(role="agent", text=action), Said(role="environment", text=reply)


def _tool(name: str, told: str, properties: Mapping[str, Any], required: Sequence[str]) -> Mapping[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return {"name": name, "description": told, "parameters": parameters}
