"""An operation with its name and its constants, three values that are told and one that is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memarena_aha.euler.conventions.operation import Constants, Operation
from memarena_aha.euler.conventions.register import all_operations
from memarena_aha.euler.draws import TRIES, FamilyFault, degenerate
from memarena_aha.keyed import Streams

__all__ = ["EXAMPLES", "FLOOR", "Convention", "draw_convention", "fitting"]

EXAMPLES = 3
FLOOR = 1000
"""The least value that is told or asked for."""

_BEGINNINGS = (  # noqa: SIM905 (easier to read)
    "Bel Cor Dra Esk Fal Gren Hul Ist Jor Kel Lun Mar Nim Or Pas Quil Rud Sol Tam Ulm Ves Wen Yar Zel"
).split()
_MIDDLES = ("", "a", "an", "el", "i", "or", "u")
_ENDINGS = (  # noqa: SIM905
    "bury dane dor fin gar hame ket lund mora nix pern rin stel tesh uno vik weth zar"
).split()
_THINGS = (  # noqa: SIM905
    "braid ferry fold gate knot ladder lantern loom shear spire stair tide veil well"
).split()


@dataclass(frozen=True, slots=True)
class Convention:
    """One operation under a name of its own, and what is told and asked of it."""

    operation: Operation
    name: str
    """As in `the Orrin fold of 17`."""
    constants: Constants
    examples: tuple[tuple[int, int], ...]
    """Three numbers and their values; together they leave no doubt about the value that is asked for."""
    asked: int
    answer: int
    taught_skin: int
    asked_skin: int


def draw_convention(seed: int, index: int, skins: int) -> Convention:
    """The convention of a key. Raises FamilyFault after 200 attempts."""
    streams = Streams(f"euler-convention|{seed}|{index}")
    chosen = streams.shuffled(all_operations(), "operation")[0]
    beginning, middle, ending, thing = (
        streams.shuffled(words, "name", place)[0]
        for place, words in enumerate((_BEGINNINGS, _MIDDLES, _ENDINGS, _THINGS))
    )
    told, wanted = (streams.between(0, skins - 1, "skin", side) for side in ("taught", "asked"))
    for attempt in range(TRIES):
        constants = {name: span.pick(streams, name, attempt) for name, span in chosen.constants}
        numbers = [chosen.taught.pick(streams, "example", attempt, place) for place in range(EXAMPLES)]
        examples = tuple((number, chosen.apply(number, **constants)) for number in numbers)
        asked = chosen.asked.pick(streams, "asked", attempt)
        answer = chosen.apply(asked, **constants)
        if _usable(chosen, examples, asked, answer):
            name = f"{beginning}{middle}{ending} {thing}"
            return Convention(chosen, name, constants, examples, asked, answer, told, wanted)
    raise FamilyFault(f"{chosen.operation_id}: no usable convention for seed {seed}, index {index}")


def fitting(operation: Operation, examples: Sequence[tuple[int, int]]) -> list[Constants]:
    """All constants under which the operation has these values."""
    return [
        constants
        for constants in operation.settings()
        if all(operation.apply(number, **constants) == value for number, value in examples)
    ]


def _usable(operation: Operation, examples: Sequence[tuple[int, int]], asked: int, answer: int) -> bool:
    """True where nothing is too plain, and the examples leave one value for what is asked."""
    plain = (asked, int(str(asked)[::-1]))
    if len({number for number, _ in examples}) < len(examples) or answer in plain:
        return False
    if any(value in (number, int(str(number)[::-1])) or value < FLOOR for number, value in examples):
        return False
    if degenerate(answer, str(asked), FLOOR, examples[-1][1]):
        return False
    return {operation.apply(asked, **constants) for constants in fitting(operation, examples)} == {answer}
