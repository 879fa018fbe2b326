"""All pictures of a sample, drawn until their facts can be read back, and what is wrong with those that cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memarena_builder.pictures.drawn import drawn
from memarena_builder.pictures.readback import Unread
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.validators.leaks import leaks
from memarena_builder.validators.problem import Problem


class Pictured(NamedTuple):
    """The drawings of a sample."""

    drawings: dict[str, Drawing]
    """By picture id."""
    problems: tuple[Problem, ...]
    """V1: facts that could not be read back, `repaired` where another drawing was right. V8: hidden facts that stand
    elsewhere too."""


def pictured(
    specs: Mapping[str, PictureSpec],
    folder: str,
    told: str,
    there: Mapping[str, Drawing] = {},
) -> Pictured:
    """Draw and check `specs`. `folder`: where the files will lie in the data set; `told`: all that a system reads of
    the sample, as `plain` has made it; `there`: drawings that were made and read already."""
    drawings: dict[str, Drawing] = {}
    problems: list[Problem] = []
    for name, spec in specs.items():
        if name in there:
            drawings[name] = there[name]
        else:
            made = drawn(spec)
            drawings[name] = made.drawing
            problems += [_unread(spec, each).mended() for each in made.refused]
            problems += [_unread(spec, each) for each in made.unread]
        problems += _leaking(spec, drawings[name].png, f"{folder}/{name}.png", told)
    return Pictured(drawings, tuple(problems))


def _unread(spec: PictureSpec, unread: Unread) -> Problem:
    message = f"{unread.label} {unread.value!r} looks like {unread.read!r}"
    return Problem(validator="V1", unit=spec.image_id, message=message, about=(spec.fields[unread.field].fact_id,))


def _leaking(spec: PictureSpec, png: bytes, path: str, told: str) -> Iterator[Problem]:
    for leak in leaks(spec, png, path, told):
        message = f"{leak.where} gives {leak.value!r} away"
        about = tuple(each.fact_id for each in spec.fields if each.hidden and each.value == leak.value)
        yield Problem(validator="V8", unit=spec.image_id, message=message, about=about)
