"""The history itself as memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from memarena.meter import estimate_tokens
from memarena.records import (
    Attachment,
    Capabilities,
    MemoryItem,
    Record,
    Retrieval,
    RetrievedItem,
    RunContext,
    Turn,
)
from memarena_longcontext.history import History, fit, newest_pictures, render

PROMPT = 300
"""Tokens set aside for the instructions of the answerer."""
SMALLEST = 100
"""Tokens of history that are kept at least, whatever the window."""
STEP = 64
"""The question is charged in steps of so many tokens, so that the questions of a checkpoint share one text."""


class LongContextOptions(Record, frozen=True, kw_only=True):
    """Settings of `longcontext`."""

    window: int = 128_000
    """Context window of the answering model, in tokens."""
    reserve: int = 8_000
    """Tokens of the window that are kept free for the answer."""
    truncate: Literal["oldest", "middle"] = "oldest"
    """Which rounds go where the history is too long: the oldest, or those between an old and a new half."""
    max_pictures: int = 25
    """Pictures kept at most, the newest."""
    tokens_per_picture: int = 256
    """What a picture takes of the budget."""


class LongContext:
    """Hands over the whole history, or what fits `window - reserve - 300 - question` tokens of it.

    Rounds are dropped whole, with their pictures. `retrieve` gives the text as one item and then up to `top_k - 1`
    pictures, newest first. Questions that leave room for the same rounds get the same text.
    """

    Options = LongContextOptions

    def __init__(self, options: LongContextOptions | None = None) -> None:
        self._options = options or LongContextOptions()
        self._clear()

    def reset(self, context: RunContext) -> None:
        self._clear()

    def ingest_turn(self, turn: Turn) -> None:
        self._history.add(turn)
        self._forget_cuts()

    def end_session(self, session_id: str) -> None:
        self._history.close()
        self._forget_cuts()

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        return ()

    def export_memory_delta(self, session_id: str) -> None:
        return None

    def retrieve(self, query: str, top_k: int, budget_tokens: int | None) -> Retrieval:
        budget = self._budget(query, budget_tokens)
        if budget not in self._cuts:
            self._cuts[budget] = self._cut(budget)
        cut = self._cuts[budget]
        return Retrieval(query=query, items=cut.items[:top_k], trace=cut.trace)

    def get_capabilities(self) -> Capabilities:
        return Capabilities(modalities=("text", "image"), state=False, ranked=False, verbatim=True)

    def _clear(self) -> None:
        self._history = History()
        self._forget_cuts()

    def _forget_cuts(self) -> None:
        self._cuts: dict[int, Retrieval] = {}
        self._cuts_by_runs: dict[tuple[range, ...], Retrieval] = {}

    def _budget(self, query: str, budget_tokens: int | None) -> int:
        question = -(-estimate_tokens(query) // STEP) * STEP
        room = max(self._options.window - self._options.reserve - PROMPT - question, SMALLEST)
        return room if budget_tokens is None else min(room, budget_tokens)

    def _cut(self, budget: int) -> Retrieval:
        """All that fits `budget`: the text and then every picture."""
        options, rounds = self._options, self._history.rounds
        shown = newest_pictures(rounds, options.max_pictures)
        costs = [
            found.tokens + len(pictures) * options.tokens_per_picture
            for found, pictures in zip(rounds, shown, strict=True)
        ]
        runs = fit(rounds, costs, budget, middle=options.truncate == "middle")
        if runs not in self._cuts_by_runs:
            pictures = [picture for run in runs for place in run for picture in shown[place]]
            dropped = len(rounds) - sum(map(len, runs))
            self._cuts_by_runs[runs] = Retrieval(
                query="",
                items=_items(render(rounds, runs), pictures),
                trace={"rounds": len(rounds), "dropped_rounds": dropped, "pictures": len(pictures)},
            )
        return self._cuts_by_runs[runs]


def _items(text: str, pictures: Sequence[Attachment]) -> tuple[RetrievedItem, ...]:
    whole = RetrievedItem(memory_id="history", text=text)
    newest_first = {picture.image_id or picture.path or "": picture for picture in reversed(pictures)}
    shown = (
        RetrievedItem(
            memory_id=f"picture:{key}",
            text=f"image_id: {picture.image_id}",
            image_id=picture.image_id,
            image_path=picture.path or "",
        )
        for key, picture in newest_first.items()
    )
    return (whole, *shown) if text else ()
