"""What one sample is to be. An order with this package is all that the sample depends on."""

from __future__ import annotations

from typing import Literal

from memarena.records import Record
from memarena_builder.agentic.recipes import DeskRecipe, HouseRecipe, ValleyRecipe
from memarena_builder.plan.quota import Quota


class Order(Record, frozen=True, kw_only=True, omit_defaults=False):
    """Base of all orders; each regime adds what it needs."""

    sample_id: str
    place: str
    """Its folder in the data set, e.g. `lifelong/project/software`."""
    seed: int
    split: Literal["dev", "test"] = "test"


class LifelongOrder(Order, frozen=True, kw_only=True, omit_defaults=False, tag="lifelong"):
    """A sample of dialogue sessions from a hidden world."""

    domain: str
    """The schema pack."""
    quota: Quota


class TwinOrder(Order, frozen=True, kw_only=True, omit_defaults=False, tag="twin"):
    """The twin of a sample: the same world but for one fact."""

    base: LifelongOrder


class PlayedOrder(Order, frozen=True, kw_only=True, omit_defaults=False):
    """A sample of an agent at work."""

    sessions: int
    questions: int
    """Of all checkpoints together."""
    checkpoints: int = 5


class HouseOrder(PlayedOrder, frozen=True, kw_only=True, omit_defaults=False, tag="house"):
    """A sample of errands in a house of MiniGrid."""

    recipe: HouseRecipe


class ValleyOrder(PlayedOrder, frozen=True, kw_only=True, omit_defaults=False, tag="valley"):
    """A sample of tasks in a valley of Crafter."""

    recipe: ValleyRecipe


class DeskOrder(PlayedOrder, frozen=True, kw_only=True, omit_defaults=False, tag="desk"):
    """A sample of tasks at a desk in Chromium."""

    recipe: DeskRecipe
