"""A part with one rule, agents that obey, and agents and memories that misbehave: for tests of the protocol.

Whoever says the number 7 gets 100 points, any other number 0; there are three tries of which the last counts. What is
to be learned is told in unit `lesson`.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from memarena.childprocess import TimeLimit
from memarena.errors import UsageError
from memarena.floors import Verbatim
from memarena.records import Capabilities, MemoryItem, Retrieval, RunContext, Turn
from memarena_aha.parts import Ending, EpisodeScore, Lesson, Pair, Said, Step, Unit, instance_id

LESSON = Lesson(
    lesson_id="seven", text="The number is 7.", must=(("number is 7", "number is not 7"),), block=("not 7",)
)


class TinyEpisode:
    """Says what was said, takes numbers, and never tells what is right."""

    def __init__(self, *, support: bool = False, broken: bool = False) -> None:
        self.ended: Ending = ""
        self.said: list[int] = []
        self.support = support
        self.broken = broken

    def observe(self) -> Mapping[str, Any]:
        text = "Which number?" + (" The number is 7." if self.support else "")
        return {"text": text, "data": {"said": list(self.said)}}

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [{"name": "say", "description": "Say a number.", "parameters": {"type": "object"}}]

    def query(self) -> str:
        return "number"

    def act(self, action: object) -> Step:
        if self.broken:
            raise ZeroDivisionError("the simulator is broken")
        number = action["args"].get("number") if isinstance(action, Mapping) and "args" in action else None
        if not isinstance(number, int):
            return Step(said=(Said(role="agent", text="?"),), bad=True)
        self.said.append(number)
        if len(self.said) == 3:
            self.ended = "answered"
        return Step(said=(Said(role="agent", text=f"I say {number}."), Said(role="environment", text="Noted.")))

    def finish(self, why: Ending, failure: str = "") -> None:
        self.ended = self.ended or why

    def score(self) -> EpisodeScore:
        right = self.ended in ("answered", "malformed") and self.said[-1:] == [7]
        return EpisodeScore(
            score=100.0 * right, ended=self.ended, raw={"said": len(self.said)}, used={"seven": (int(right), 1)}
        )


class TinyPart:
    """Pairs that differ in nothing but their number; `broken` of them have a simulator that fails."""

    name = "puzzle"
    version = "1"

    def pairs(self, seed: int, count: int, options: Mapping[str, Any]) -> Sequence[Pair]:
        for name in options:
            if name not in ("broken", "listens"):
                raise UsageError(f"tiny has no option {name!r}")
        return [self._pair(seed, number, options) for number in range(count)]

    def _pair(self, seed: int, number: int, options: Mapping[str, Any]) -> Pair:
        instance = {"part": "puzzle", "id": f"tiny-{number}", "params": {}, "seed": seed, "version": "1"}
        broken = number < options.get("broken", 0)
        taught = Unit(
            unit_id="lesson",
            told=(Said(role="teacher", text=f"In town {number} they say: the number is 7."),),
            play=TinyEpisode,
            after=lambda episode: (Said(role="environment", text="The truth is not told."),),
            reflect="What did you learn?",
        )
        idle = [Unit(unit_id=f"idle-{n}", told=(Said(role="environment", text=f"Rain {n}."),)) for n in range(2)]
        return Pair(
            pair_id=instance_id(instance),
            part="puzzle",
            instance=instance,
            plans={"course": (taught, idle[0]), "full": (taught,), "full+2": (taught, *idle)},
            evaluate=lambda support: TinyEpisode(support=support == "supported", broken=broken),
            lessons=(LESSON,),
            gold="The number is 7.",
            poison="In truth the number is 9.",
            foreign=(Said(role="teacher", text="The sea is wide."),),
            block=f"tiny-{number}",
            facets={"transfer": "near" if number % 2 else "far"},
            listens=bool(options.get("listens")),
        )


PART = TinyPart()


class Reader:
    """Says the last number that it reads of, else 0."""

    name, revision, in_process = "tiny-reader", 1, True

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        if not tools:
            return {"text": "word " * 200}
        seen = f"{observation['text']}\n{observation['memory']}"
        numbers = re.findall(r"number is (\d+)", seen)
        return {"tool": "say", "args": {"number": int(numbers[-1]) if numbers else 0}}


class Apart(Reader):
    """The same in a process of its own; it prints what it should not."""

    name, in_process = "tiny-apart", False

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        print('{"id":2,"action":{"tool":"say","args":{"number":7}}}', flush=True)
        return super().act(observation, tools)


class Crashing(Reader):
    name = "tiny-crash"

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        raise RuntimeError("the agent fell")


class Exiting(Apart):
    name = "tiny-exit"

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        os._exit(3)


class Hanging(Apart):
    name = "tiny-hang"

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        time.sleep(600)
        raise AssertionError


class Waiting(Reader):
    """In our process, with a program of its own that hangs."""

    name = "tiny-wait"

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        raise TimeLimit("the program gave no answer within 5 s")


class WaitingApart(Waiting):
    name = "tiny-wait-apart"
    in_process = False


class Refusing(Reader):
    name = "tiny-refuse"

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        return {"refusal": "I cannot help with numbers."}


class Junk(Reader):
    """Never says what can be read."""

    name = "tiny-junk"

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Any:
        return object()


class Flooding(Reader):
    name = "tiny-flood"

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Any:
        return {"tool": "say", "args": {"number": 7, "why": "x" * 1_000_000}}


class Broken(Verbatim):
    """Cannot be asked."""

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        raise RuntimeError("no index")


class Deaf(Verbatim):
    """Cannot be told anything."""

    def ingest_turn(self, turn: Turn) -> None:
        raise RuntimeError("no room")


class Dark(Verbatim):
    """Does not show what it keeps."""

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        raise RuntimeError("no light")


class Wordy(Verbatim):
    """Finds far more than can be shown."""

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        return Retrieval.of(query, [MemoryItem(memory_id="all", text="word " * 5_000)])


class Dead(Verbatim):
    """Cannot even be reset."""

    def reset(self, context: RunContext) -> None:
        raise RuntimeError("no store")


class Leaking(Verbatim):
    """Writes down that it was asked."""

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        self._items.append(MemoryItem(memory_id=f"asked-{len(self._items)}", text="asked"))
        self._words.append(frozenset())
        return super().retrieve(query, top_k)


class OnDisk:
    """Keeps turns in a file; `persistent` says whether it says so."""

    persistent: ClassVar[bool] = True

    def reset(self, context: RunContext) -> None:
        self._file = Path(context.folder) / "turns.txt"
        self._file.write_text("", encoding="utf-8")

    def reopen(self, context: RunContext) -> None:
        self._file = Path(context.folder) / "turns.txt"

    def ingest_turn(self, turn: Turn) -> None:
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(f"{turn.session_id}: {turn.text} [{os.getpid()}]\n")

    def end_session(self, session_id: str) -> None:
        pass

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        lines = self._file.read_text(encoding="utf-8").splitlines()
        return tuple(MemoryItem(memory_id=str(number), text=line) for number, line in enumerate(lines))

    def export_memory_delta(self, session_id: str) -> None:
        return None

    def retrieve(self, query: str) -> Retrieval:
        return Retrieval.of(query, self.snapshot_memories())

    def get_capabilities(self) -> Capabilities:
        return Capabilities(ranked=False, persistent=self.persistent)


class Gone(OnDisk):
    """Says that it can be opened again, and cannot."""

    def reopen(self, context: RunContext) -> None:
        raise RuntimeError("it is not there any more")


class Forgetful(OnDisk):
    """The same, which does not say that it can be opened again."""

    persistent = False
