"""Tasks of one family."""

from __future__ import annotations

from collections.abc import Sequence

from memarena_aha.euler.draws import Track, draw
from memarena_aha.euler.family import Family
from memarena_aha.euler.tasks import Task, plain, teaching_of
from memarena_aha.parts import Lesson

__all__ = ["lessons_of", "single_task"]


def single_task(family: Family, seed: int, index: int, track: Track) -> Task:
    """The held-out instance of a key, taught by the instance of the same key on the other side."""
    taught, held = draw(family, seed, index, "teach", track), draw(family, seed, index, "test", track)
    return Task(
        kind="single",
        key={"family": family.family_id, "params": plain(held.params), "skin": held.skin, "seed": seed, "index": index},
        statement=held.statement,
        answer=held.answer,
        slots=plain(held.params),
        nodes=(held.answer,),
        families=(family.family_id,),
        teaching=teaching_of(taught),
        lessons=lessons_of((family,)),
        gold=family.idea,
        block=family.family_id,
        nouns=family.test_skins[held.skin].nouns,
        facets={"kind": "single", "depth": 1, "family": family.family_id, "area": family.area, "tier": family.tier},
    )


def lessons_of(families: Sequence[Family]) -> tuple[Lesson, ...]:
    """The method of each family, and the listing: what an experience can leave behind."""
    methods = {
        family.family_id: Lesson(lesson_id=f"{family.family_id}.method", text=family.idea, must=family.method)
        for family in families
    }
    listing = Lesson(
        lesson_id="listing",
        text="The program that solves it.",
        must=(*((f"{slot.name} =", f"'{slot.name}':") for family in families for slot in family.slots), ("print(",)),
    )
    return (*methods.values(), listing)
