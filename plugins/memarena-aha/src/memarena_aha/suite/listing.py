"""What can be played, from the parts themselves; a person is told nothing that gives a puzzle away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memarena.catalog import did_you_mean
from memarena.errors import UsageError

__all__ = ["all_of_it", "described", "listed", "one_of"]


def all_of_it() -> dict[str, Any]:
    """The lists `puzzle` and `euler`, and the object `vending`."""
    return {"puzzle": _puzzles(), "euler": _families(), "vending": _vending()}


def listed(found: Mapping[str, Any]) -> Iterator[str]:
    """The same as lines for a person."""
    yield f"puzzle: {len(found['puzzle'])} situation puzzles"
    yield from (f"  {row['id']}  tier {row['tier']}: {row['story']}" for row in found["puzzle"])
    yield f"euler: {len(found['euler'])} families"
    yield from (f"  {row['id']}  {row['title']} ({row['area']}, tier {row['tier']})" for row in found["euler"])
    vending = found["vending"]
    yield "vending: a machine to run"
    yield f"  horizons  {', '.join(map(str, vending['horizons']))} days"
    yield f"  variants  {', '.join(vending['variants'])}"
    yield f"  lessons   {len(vending['lessons'])}"


def one_of(name: str) -> dict[str, Any]:
    """One puzzle, family or variant by its name; raises UsageError where there is none."""
    found = all_of_it()
    rows = {row["id"].casefold(): {"part": part, **row} for part in ("puzzle", "euler") for row in found[part]}
    variants = {
        one.casefold(): {"part": "vending", "id": one, **found["vending"]} for one in found["vending"]["variants"]
    }
    every = {**rows, **variants, "vending": {"part": "vending", "id": "vending", **found["vending"]}}
    if name.casefold() not in every:
        raise UsageError(f"there is no {name!r} to play{did_you_mean(name, [row['id'] for row in every.values()])}")
    row = every[name.casefold()]
    return _told(row)


def described(row: Mapping[str, Any]) -> Iterator[str]:
    """One thing that can be played, as lines for a person."""
    for key, value in row.items():
        if isinstance(value, list | tuple):
            yield f"{key}:"
            yield from (f"  {item}" for item in value)
        else:
            yield f"{key}: {value}"
    yield f"play it: memarena aha play {row['part']} {row['id'] if row['part'] != row['id'] else ''}".rstrip()


def _puzzles() -> list[dict[str, Any]]:
    from memarena_aha.puzzle import load_puzzle, puzzle_ids

    puzzles = [load_puzzle(puzzle_id) for puzzle_id in puzzle_ids()]
    return [
        {"id": one.id, "mechanism": one.main_check, "tier": one.tier, "story": _short(one.surface)} for one in puzzles
    ]


def _families() -> list[dict[str, Any]]:
    from memarena_aha.euler.register import all_families

    return [{"id": one.family_id, "title": one.title, "area": one.area, "tier": one.tier} for one in all_families()]


def _vending() -> dict[str, Any]:
    from memarena_aha.vending import HORIZONS, INCIDENTS, VARIANTS
    from memarena_aha.vending.lessons import LESSONS

    return {
        "horizons": list(HORIZONS),
        "variants": list(VARIANTS),
        "incidents": list(INCIDENTS),
        "lessons": [f"{lesson.lesson_id} {lesson.text}" for lesson in LESSONS],
    }


def _told(row: Mapping[str, Any]) -> dict[str, Any]:
    """What is told of one thing: with the whole story, or the wordings of a family."""
    if row["part"] == "puzzle":
        from memarena_aha.puzzle import load_puzzle

        told = {name: value for name, value in row.items() if name != "mechanism"}
        return {**told, "story": load_puzzle(row["id"]).surface}
    if row["part"] == "euler":
        from memarena_aha.euler.register import family

        one = family(row["id"])
        return {**row, "wordings": [skin.text for skin in one.test_skins]}
    return dict(row)


def _short(text: str, letters: int = 70) -> str:
    return text if len(text) <= letters else f"{text[:letters].rsplit(' ', 1)[0]} ..."
