"""Tasks of one family."""

from __future__ import annotations

from collections.abc import Sequence

from memarena_aha.euler.draws import Track, draw
from memarena_aha.euler.family import Family
from memarena_aha.euler.tasks import Task, plain, teaching_of
from memarena_aha.parts import Lesson

__all__ = ["lessons_of", "listing_lesson", "single_task"]


def single_task(family: Family, seed: int, index: int, track: Track) -> Task:
    """The held-out instance of a key, taught by the instance of the same key on the other side."""
    taught = draw(family, seed, index, "teach", track)
    held = draw(family, seed, index, "test", track, taught)
    return Task(
        kind="single",
        key={"family": family.family_id, "params": plain(held.params), "skin": held.skin, "seed": seed, "index": index},
        statement=held.statement,
        answer=held.answer,
        slots=plain(held.params),
        nodes=(held.answer,),
        families=(family.family_id,),
        teaching=teaching_of(taught),
        lessons=(*lessons_of((family,)), listing_lesson(family)),
        gold=family.idea,
        block=family.family_id,
        nouns=family.test_skins[held.skin].nouns,
        facets={"kind": "single", "depth": 1, "family": family.family_id, "area": family.area, "tier": family.tier},
    )


def lessons_of(families: Sequence[Family]) -> tuple[Lesson, ...]:
    """The method of each family: what an experience can leave behind. Each stands in one line of a full teaching."""
    return tuple(
        Lesson(lesson_id=f"{family.family_id}.method", text=family.idea, must=family.method) for family in families
    )


def listing_lesson(family: Family) -> Lesson:
    """The program of a family, known by the line that calls it."""
    call = f"print({family.solve_fast.__name__}({', '.join(slot.name for slot in family.slots)}))"
    return Lesson(lesson_id="listing", text=f"The program that ends with {call}", must=((call.casefold(),),))
