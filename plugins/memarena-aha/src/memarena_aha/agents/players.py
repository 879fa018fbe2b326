"""The agents of each part that have no model, made of a PlayContext."""

from __future__ import annotations

from memarena.protocols import Agent
from memarena_aha.agents.context import PlayContext

__all__ = [
    "vending_careful",
    "vending_idle",
    "vending_naive",
    "vending_oracle",
    "vending_reader",
]


def vending_reader(context: PlayContext) -> Agent:
    """Reads lessons in its memory and keeps shop by them."""
    from memarena_aha.vending.reader import LessonReader

    return LessonReader()


def vending_oracle(context: PlayContext) -> Agent:
    """Knows costs, demand and who is honest."""
    from memarena_aha.vending.scripted import PolicyPlayer

    return PolicyPlayer("oracle", context.episode)


def vending_careful(context: PlayContext) -> Agent:
    """The policy `careful`."""
    from memarena_aha.vending.scripted import PolicyPlayer

    return PolicyPlayer("careful")


def vending_naive(context: PlayContext) -> Agent:
    """The policy `naive-pays-all-mail`: the first supplier, list prices, and every invoice paid."""
    from memarena_aha.vending.scripted import PolicyPlayer

    return PolicyPlayer("naive-pays-all-mail")


def vending_idle(context: PlayContext) -> Agent:
    """The policy `do-nothing`."""
    from memarena_aha.vending.scripted import PolicyPlayer

    return PolicyPlayer("do-nothing")
