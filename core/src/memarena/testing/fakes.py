"""Stand-ins with a known behaviour, for tests of everything around a memory system.

Each adapter is the floor `verbatim` with one flaw or one addition.
"""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from typing import Any

from memarena.codec import encode
from memarena.floors import Verbatim
from memarena.records import (
    NOT_MENTIONED,
    Answer,
    AskedQuestion,
    Attachment,
    JudgementRequest,
    Label,
    MemoryChange,
    MemoryItem,
    Retrieval,
    RunContext,
    Shown,
    Turn,
)
from memarena.testing.contracts.verdicts import label_of


class _Watched(Verbatim):
    """Calls `before(method, arguments)` ahead of each method that takes part in a run."""

    def before(self, method: str, **arguments: Any) -> None:
        raise NotImplementedError

    def reset(self, context: RunContext) -> None:
        self.before("reset", context=context)
        super().reset(context)

    def ingest_turn(self, turn: Turn) -> None:
        self.before("ingest_turn", turn=turn)
        super().ingest_turn(turn)

    def end_session(self, session_id: str) -> None:
        self.before("end_session", session_id=session_id)
        super().end_session(session_id)

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        self.before("snapshot_memories")
        return super().snapshot_memories()

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        self.before("export_memory_delta", session_id=session_id)
        return super().export_memory_delta(session_id)

    def retrieve(  # type: ignore[override]  # a hook may take more arguments than the one that it extends
        self,
        query: str,
        top_k: int,
        time: str | None,
        attachments: Sequence[Attachment],
        budget_tokens: int | None,
    ) -> Retrieval:
        self.before(
            "retrieve", query=query, top_k=top_k, time=time, attachments=attachments, budget_tokens=budget_tokens
        )
        return super().retrieve(query, top_k)


class RecordingAdapter(_Watched):
    """Remembers everything that it is given: `given` holds (method, arguments) in order."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[tuple[str, dict[str, Any]]] = []

    def before(self, method: str, **arguments: Any) -> None:
        self.given.append((method, arguments))

    def text(self) -> str:
        """All of it as one text, to look for what should not be there."""
        return encode(self.given).decode()


class FlakyAdapter(_Watched):
    """Raises ConnectionError at the n-th call of one method, counted from 1."""

    def __init__(self, method: str = "retrieve", call: int = 1) -> None:
        super().__init__()
        self.method = method
        self.left = call

    def before(self, method: str, **arguments: Any) -> None:
        if method == self.method:
            self.left -= 1
            if self.left == 0:
                raise ConnectionError(f"planted failure in {method}")


class SlowAdapter(_Watched):
    """Waits before each call of one method."""

    def __init__(self, method: str = "retrieve", seconds: float = 0.01) -> None:
        super().__init__()
        self.method = method
        self.seconds = seconds

    def before(self, method: str, **arguments: Any) -> None:
        if method == self.method:
            clock.sleep(self.seconds)


class ForgetfulAdapter(Verbatim):
    """Loses every n-th turn."""

    def __init__(self, every: int = 2) -> None:
        super().__init__()
        self.every = every
        self.heard = 0

    def ingest_turn(self, turn: Turn) -> None:
        self.heard += 1
        if self.heard % self.every:
            super().ingest_turn(turn)


class ScriptedAnswerer:
    """Answers by the text of the question; what is not in the script is not mentioned. `asked` holds what came."""

    name = "scripted"
    revision = 1

    def __init__(self, answers: Mapping[str, str] | None = None) -> None:
        self.answers = answers or {}
        self.asked: list[tuple[AskedQuestion, Shown]] = []

    def answer(self, asked: AskedQuestion, shown: Shown) -> Answer:
        self.asked.append((asked, shown))
        return Answer(question_id=asked.question_id, text=self.answers.get(asked.text, NOT_MENTIONED))


class ScriptedJudge:
    """Gives one verdict a task: the best, or the one at the place in VERDICTS that `places` names.

    Tasks in `failing` get None. `batches` holds the requests as they came.
    """

    name = "scripted"
    revision = 1

    def __init__(self, places: Mapping[str, int] | None = None, failing: Sequence[str] = ()) -> None:
        self.places = places or {}
        self.failing = frozenset(failing)
        self.batches: list[tuple[JudgementRequest, ...]] = []

    def label(self, requests: Sequence[JudgementRequest]) -> Sequence[Label | None]:
        self.batches.append(tuple(requests))
        return tuple(
            None if request.task in self.failing else label_of(request, self.places.get(request.task, 0))
            for request in requests
        )
