"""The agents of each part that have no model, made of a PlayContext."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memarena.protocols import Agent
from memarena_aha.agents.context import PlayContext

if TYPE_CHECKING:
    from memarena_aha.puzzle.agents import Scripted

__all__ = [
    "euler_careful",
    "euler_idle",
    "euler_naive",
    "euler_oracle",
    "euler_reader",
    "puzzle_careful",
    "puzzle_idle",
    "puzzle_naive",
    "puzzle_oracle",
    "puzzle_reader",
    "vending_careful",
    "vending_idle",
    "vending_naive",
    "vending_oracle",
    "vending_reader",
]


class _Abstainer:
    """Gives no answer."""

    name = "abstainer"
    revision = 1

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        return {"tool": "abstain", "args": {}}


def euler_reader(context: PlayContext) -> Agent:
    """Runs the programs that it reads, with the new numbers."""
    from memarena_aha.euler.reader import LessonReader

    return LessonReader()


def euler_oracle(context: PlayContext) -> Agent:
    """Runs the fast solvers."""
    from memarena_aha.euler.agents import SolverOracle

    return SolverOracle(context.episode)


def euler_careful(context: PlayContext) -> Agent:
    """Runs a program that it finds, with the new numbers, and believes nothing else."""
    from memarena_aha.euler.agents import CodeReplay

    return CodeReplay()


def euler_naive(context: PlayContext) -> Agent:
    """Gives the answer that was taught."""
    from memarena_aha.euler.agents import ConstantCopy

    return ConstantCopy()


def euler_idle(context: PlayContext) -> Agent:
    """Abstains."""
    return _Abstainer()


def puzzle_reader(context: PlayContext) -> Agent:
    """Asks the general questions of which its memory holds a lesson, and at random where it holds none."""
    from memarena_aha.puzzle.reader import LessonReader

    return _begun(LessonReader(), context)


def puzzle_oracle(context: PlayContext) -> Agent:
    """Asks what the expert asked, and states the solution."""
    from memarena_aha.puzzle.agents import OracleExpert

    return _begun(OracleExpert(), context)


def puzzle_careful(context: PlayContext) -> Agent:
    """Asks the eight general questions, and states what was confirmed."""
    from memarena_aha.puzzle.agents import Sweep8

    return _begun(Sweep8(), context)


def puzzle_naive(context: PlayContext) -> Agent:
    """Asks at random until no question is left."""
    from memarena_aha.puzzle.agents import RandomStructured

    return _begun(RandomStructured(), context)


def puzzle_idle(context: PlayContext) -> Agent:
    """Asks nothing, and tells the story again."""
    from memarena_aha.puzzle.agents import SurfaceGuess

    return _begun(SurfaceGuess(), context)


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


def _begun(agent: Scripted, context: PlayContext) -> Agent:
    agent.begin(context)
    return agent
