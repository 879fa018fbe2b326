"""The expert bot of BabyAI, kept from thinking for ever, and its plan in words."""

# mypy: allow-untyped-calls
from __future__ import annotations

from typing import Any

from minigrid.core.world_object import WorldObj
from minigrid.utils.baby_ai_bot import BabyAIBot, ExploreSubgoal, GoNextToSubgoal, PickupSubgoal

from memarena_builder.agentic.grid.house import House

SEARCHES = 400
"""Searches for a path within one thought, after which the bot is lost."""


class LostError(Exception):
    """The bot has no way to go on."""


class Expert(BabyAIBot):
    """The expert for the present errand of a house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._searches = 0
        super().__init__(house)

    def decide(self, taken: int | None) -> int | None:
        """The next action; None where the errand is done. `taken`: the action that was made last, if it was another
        one than decided. Raises LostError where it cannot go on: the bot is known to fail in some worlds."""
        self._searches = 0
        try:
            action = int(self.replan(taken))
        except (AssertionError, IndexError, TypeError) as error:
            raise LostError(str(error)) from error
        return None if action == self._house.actions.done else action

    def _breadth_first_search(self, *arguments: Any, **options: Any) -> Any:
        self._searches += 1
        if self._searches > SEARCHES:
            raise LostError("thinks in circles")
        return super()._breadth_first_search(*arguments, **options)

    def intent(self) -> str:
        """What the bot is about, as a key of the words for it: `explore`, `reach`, `take`, `act`."""
        top = self.stack[-1] if self.stack else None
        if isinstance(top, ExploreSubgoal) or any(isinstance(each, ExploreSubgoal) for each in self.stack):
            return "explore"
        if isinstance(top, GoNextToSubgoal):
            return "reach" if self.aim() else "walk"
        return "take" if isinstance(top, PickupSubgoal) else "act"

    def aim(self) -> str:
        """The name of what the bot is going to; "" where it is a mere place."""
        for goal in reversed(self.stack):
            datum = goal.datum
            thing = datum if isinstance(datum, WorldObj) else next(iter(getattr(datum, "obj_set", ())), None)
            if thing is not None:
                return self._house.name(thing)
        return ""
