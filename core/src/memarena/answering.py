"""The answers phase: what is retrieved is cut to the budgets, recorded, and answered."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

from memarena import codec, meter
from memarena.cell import CellSettings, asked
from memarena.errors import MemarenaError, is_ctrl_c, one_line
from memarena.floors import turn_line
from memarena.journal import Answered
from memarena.memory import present
from memarena.protocols import Answerer
from memarena.records import Answer, Question, Record, RetrievedItem, Sample, Session, Shown, ShownItem

MAX_PICTURE_BYTES = 45_000_000
"""Bytes of all pictures of one question (paper, appendix A)."""


class ShowSettings(Record, frozen=True, kw_only=True):
    """The budgets of what an answerer sees."""

    top_k: int = 10
    budget_tokens: int | None = None
    pictures: bool = True
    max_pictures: int = 5

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> ShowSettings:
        return cls(**{name: settings[name] for name in cls.__struct_fields__ if name in settings})


def show(items: Sequence[RetrievedItem], settings: ShowSettings) -> Shown:
    """Cut `items` to the budgets, in rank order.

    Items beyond `top_k` or beyond the tokens left go as a whole; only the first item is shortened to fit. Each
    picture is handed over once, up to `max_pictures` and 45 MB; one that cannot be read is not.
    """
    shown: list[ShownItem] = []
    seen: set[str] = set()
    tokens = cut_tokens = cut_pictures = picture_bytes = 0
    for rank, item in enumerate(items[: settings.top_k], 1):
        text, size = item.text, meter.estimate_tokens(item.text) if settings.budget_tokens is not None else 0
        if settings.budget_tokens is not None and tokens + size > settings.budget_tokens:
            if shown:
                cut_tokens += size
                continue
            text = shorten(text, settings.budget_tokens)
            kept = meter.estimate_tokens(text)
            cut_tokens += size - kept
            size = kept
        tokens += size
        path = item.image_path if settings.pictures and item.image_path not in seen else ""
        if path:
            weight = _readable_bytes(path)
            if weight is None or len(seen) >= settings.max_pictures or picture_bytes + weight > MAX_PICTURE_BYTES:
                cut_pictures += 1
                path = ""
            else:
                seen.add(path)
                picture_bytes += weight
        shown.append(ShownItem(rank=rank, memory_id=item.memory_id, text=text, image_id=item.image_id, image_path=path))
    return Shown(
        items=tuple(shown),
        tokens=tokens,
        cut_items=len(items) - len(shown),
        cut_tokens=cut_tokens,
        cut_pictures=cut_pictures,
    )


def sessions_of(
    items: Sequence[RetrievedItem], sources: Sequence[Sequence[str]], sample: Sample, settings: CellSettings
) -> list[RetrievedItem]:
    """In place of each item, the whole sessions that it comes from, in rank order and each once.

    An item that comes from no session stays as it is (WorldMemArena's evidence mode `session`).
    """
    dialogues = {session.session_id: session for session in sample.sessions}
    shown: dict[str, RetrievedItem] = {}
    for item, session_ids in zip(items, sources, strict=True):
        for session_id in session_ids:
            shown.setdefault(session_id, _dialogue(dialogues[session_id], settings))
        if not session_ids:
            shown[f"item {item.memory_id}"] = item
    return list(shown.values())


def _dialogue(session: Session, settings: CellSettings) -> RetrievedItem:
    turns = [present(turn, pictures=settings.pictures, captions=settings.captions) for turn in session.turns]
    lines = "\n".join(turn_line(turn) for turn in turns)
    return RetrievedItem(
        memory_id=session.session_id,
        text=f"[{session.session_id}]\n{lines}",
        session_id=session.session_id,
        turn_ids=tuple(turn.turn_id for turn in turns),
    )


def shorten(text: str, budget_tokens: int) -> str:
    """The longest beginning of `text` within the budget, found by halving; cut between characters."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if meter.estimate_tokens(text[:middle]) <= budget_tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def answer(
    answerer: Answerer,
    question: Question,
    items: Sequence[RetrievedItem],
    cell_id: str,
    cell_settings: CellSettings,
    settings: ShowSettings,
) -> Answered:
    """Answer one question; an answerer that fails gives an empty answer with the reason."""
    shown = show(items, settings)
    put = asked(question, cell_settings)
    start = perf_counter()
    try:
        with meter.stage(cell_id, "answer"):
            given = _checked(answerer.answer(put, shown), question)
    except MemarenaError:
        raise
    except BaseException as error:
        if is_ctrl_c(error):
            raise
        given = Answer(question_id=question.question_id, text="", error=f"{type(error).__name__}: {one_line(error)}")
    return Answered(question_id=question.question_id, answer=given, shown=shown, seconds=perf_counter() - start)


def _checked(given: Answer, question: Question) -> Answer:
    if not isinstance(given, Answer):
        raise TypeError(f"the answerer returned a {type(given).__name__}; it is to return an Answer")
    if given.question_id != question.question_id:
        raise ValueError(f"the answerer was asked {question.question_id!r} and answered {given.question_id!r}")
    return codec.as_read_back(given, Answer)


def _readable_bytes(path: str) -> int | None:
    try:
        return os.stat(path).st_size  # noqa: PTH116 (once a picture and question: Path costs more than the call)
    except (OSError, ValueError):  # ValueError: a name that no file can have
        return None
