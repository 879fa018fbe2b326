"""Play a scenario to its end with a scripted policy."""

from __future__ import annotations

from memarena_aha.vending.policies import Play, policy
from memarena_aha.vending.scenario import Scenario
from memarena_aha.vending.world import World

__all__ = ["drive", "play_days", "play_policy"]


def play_policy(name: str, scenario: Scenario) -> World:
    """The finished world of one of `policies.POLICIES`."""
    world = World(scenario, notebook=False)
    return drive(world, policy(name, world))


def play_days(name: str, scenario: Scenario, days: int) -> World:
    """The world as a policy leaves it after some days, or at its end where that comes before."""
    world = World(scenario, notebook=False)
    play = policy(name, world)
    call = next(play)
    while not world.state.ended and world.state.day < days:
        call = play.send(world.act(*call))
    return world


def drive(world: World, play: Play) -> World:
    """Feed a policy's calls to the world until the run has ended; a policy that stops has quit."""
    try:
        call = next(play)
        while not world.state.ended:
            call = play.send(world.act(*call))
    except StopIteration:
        world.finish("quit")
    return world
