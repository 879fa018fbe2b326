"""What a family of tasks is: slots, wordings, two solvers, and how it is taught."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from memarena_aha.euler.listing import program
from memarena_aha.euler.values import Params, Span, Value, Values

__all__ = ["MODULUS", "Family", "Skin", "Slot", "Split"]

Split = Literal["teach", "test", "small"]
"""Which ranges are drawn from; `small` ones are within reach of the slow solver."""

MODULUS = 1_000_000_007
"""Modulo which a family may report an answer of many digits."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One parameter; `name` is an argument of both solvers and stands as `{name}` in every wording."""

    name: str
    teach: Values
    test: Values
    small: Values
    spoken: bool = False
    """The wordings say it in words (a variant of the rule), so that `{name}` does not stand in them."""

    def values(self, split: Split) -> Values:
        """What it is drawn from."""
        return {"teach": self.teach, "test": self.test, "small": self.small}[split]


@dataclass(frozen=True, slots=True)
class Skin:
    """A wording: complete by itself, and set in a world of its own."""

    nouns: tuple[str, ...]
    """The words of its world, as they stand in the text; none stands in a wording of the other side."""
    text: str
    """With `{name}` for each slot that is not spoken; ends with the question."""


def _as_drawn(**slots: Value) -> Params:
    """No slot asks anything of another."""
    return slots


@dataclass(frozen=True, kw_only=True, slots=True)
class Family:
    """Tasks of one kind. All callables take the slots as keyword arguments and depend on nothing else."""

    family_id: str
    """`F01` to `F99`."""
    title: str
    area: str
    """number theory, digits, combinatorics, dynamic programming, sequences, graphs or geometry."""
    tier: int
    """1: closed form or a DP of two states. 2: a classical algorithm. 3: an insight that makes huge ranges feasible."""
    idea: str
    """The method in one sentence, as a person would note it (the gold lesson)."""
    method: tuple[tuple[str, ...], ...]
    """Groups of word stems: a text tells the method where it has one of each group."""
    regime: str
    """What changes from the taught side to the held-out one."""
    slots: tuple[Slot, ...]
    teach_skins: tuple[Skin, ...]
    test_skins: tuple[Skin, ...]
    solve_fast: Callable[..., int]
    """The taught method. A plain function that calls nothing but module functions, constants and plain libraries."""
    solve_brute: Callable[..., int]
    """The definition, counted out in steps of Python; shares no code with the fast solver."""
    valid: Callable[..., bool]
    """True where the slots make a well-posed task, whatever the split."""
    held_out: Callable[..., bool]
    """True in the regime of the held-out side; what is taught has False."""
    explain: Callable[..., tuple[str, ...]]
    """Three to six steps, with the numbers of the instance; never the answer."""
    op_budget: int
    """At most so many lines of Python are run by the fast solver, in all ranges."""
    hand_steps: Callable[..., int] | None = None
    """Elementary steps of the method by hand; None where they are never few (not in the closed track)."""
    modulus: int = 0
    """Answers are reported modulo this number; 0: as they are. The solvers give the reported answer."""
    floor: int = 1000
    """The least answer that is asked for."""
    ports: tuple[str, ...] = ()
    """Slots (spans of at least 100 numbers on each side) into which another task's answer can be carried."""
    repair: Callable[..., Params] = _as_drawn
    """Makes drawn slots fit one another. Where a port is filled anew it changes no slot but ports."""
    repair_rule: str = ""
    """The same in words, as it is said where a port is filled: `{port}` names the number that is replaced."""

    def slot(self, name: str) -> Slot:
        """A slot by name."""
        return next(slot for slot in self.slots if slot.name == name)

    def skins(self, split: Split) -> tuple[Skin, ...]:
        """The wordings of a side."""
        return self.test_skins if split == "test" else self.teach_skins

    def statement(self, params: Mapping[str, Value], split: Split, skin: int, named: Mapping[str, str] = {}) -> str:
        """The task in words; slots in `named` are called by a name instead of their number."""
        shown = {name: named.get(name) or show(value) for name, value in params.items()}
        text = self.skins(split)[skin].text.format_map(shown)
        return f"{text} Give it modulo {self.modulus}." if self.modulus else text

    def explanation(self, params: Mapping[str, Value]) -> str:
        """How to solve it, in numbered steps."""
        return "\n".join(f"{number}. {step}" for number, step in enumerate(self.explain(**params), start=1))

    def listing(self, params: Mapping[str, Value]) -> str:
        """A program that prints the answer; the slots stand at its top, one a line."""
        return program(self.solve_fast, params)

    def port_span(self, name: str, split: Split) -> Span:
        """The legal range of a port."""
        span = self.slot(name).values(split)
        assert isinstance(span, Span), f"{self.family_id}: the port {name} has no span"
        return span


def show(value: Value) -> str:
    """A value as the wordings say it: a row is `1, 2, 3`."""
    return str(value) if isinstance(value, int) else ", ".join(map(str, value))
