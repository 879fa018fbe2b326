"""How far a lesson got in one arm: written, kept, retrieved, used; by words alone, so always the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memarena.records import MemoryItem
from memarena_aha.parts import Lesson, found_in
from memarena_aha.suite.carriers import Recalled
from memarena_aha.suite.lines import LessonStages

__all__ = ["stages_of"]


def stages_of(
    lessons: Sequence[Lesson],
    *,
    written: Sequence[str] | None,
    kept: Sequence[MemoryItem] | None,
    recalled: Iterable[Recalled],
    whole: bool,
    used: Mapping[str, tuple[int, int]],
) -> dict[str, LessonStages]:
    """The stages of each lesson. `written`, `kept`: None where the state of the store is not visible.

    `whole`: what is shown comes as one bundle, so it is looked at line by line: words of two turns are no lesson.
    """
    shown = dict.fromkeys(piece for one in recalled for piece in one.pieces)
    lines = [line for piece in shown for line in (piece.split("\n") if whole else (piece,))]
    texts = None if kept is None else [item.text for item in kept if item.status == "active"]
    return {
        lesson.lesson_id: LessonStages(
            write=None if written is None else _holds(lesson, written),
            keep=None if texts is None else _holds(lesson, texts),
            contradict=None if texts is None else any(found_in(lesson, text) is False for text in texts),
            retrieve=_holds(lesson, lines),
            kept=used.get(lesson.lesson_id, (0, 0))[0],
            applied=used.get(lesson.lesson_id, (0, 0))[1],
        )
        for lesson in lessons
    }


def _holds(lesson: Lesson, texts: Iterable[str]) -> bool:
    return any(found_in(lesson, text) for text in texts)
