"""The vending world as an episode of the suite: one decision after the other, told in words and in fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memarena_aha.parts import Ending, EpisodeScore, Said, Step
from memarena_aha.vending.almanac import WEEKDAYS, weekday
from memarena_aha.vending.letters import dollars
from memarena_aha.vending.losses import Losses
from memarena_aha.vending.panels import score_of
from memarena_aha.vending.rules import DAY_END
from memarena_aha.vending.scenario import Scenario
from memarena_aha.vending.telling import tell_call, tell_outcome
from memarena_aha.vending.world import Outcome, World

__all__ = ["WEEK", "VendingEpisode"]

WEEK = 7
"""Days of a stretch: then the session of the memory system ends."""
_ASKS = "Which lesson matters today?"
_FULL = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class VendingEpisode:
    """One run of a scenario, without a notebook inside it: a memory system is the only way to remember.

    `support` stands in every observation. With `forgets`, the agent is told that it begins anew after each week, and
    is briefed again. `stale` is the id of a supplier that an earlier run called honest by its name, wrongly here.
    """

    def __init__(self, scenario: Scenario, *, support: str = "", forgets: bool = False, stale: str = "") -> None:
        self.world = World(scenario, notebook=False)
        self.losses = Losses()
        self._support = support
        self._forgets = forgets
        self._stale = stale
        self._tools = self.world.describe_tools()
        self._last: tuple[str, Outcome] | None = None
        self._told = ""
        self._stretch = 0
        self._begins = True
        self._query = ""
        self._score: EpisodeScore | None = None
        self._open_day({})

    @property
    def ended(self) -> Ending:
        """How it ended; "" while it goes on."""
        return self.world.state.ended  # type: ignore[return-value]

    def observe(self) -> Mapping[str, Any]:
        """What the agent sees: what its last call returned, and where it stands.

        `data`: part, day, days_in_all, minute, minutes_left, stretch (rises where the agent begins anew), tool, error,
        message, result (of the last call), digest (of this morning), support.
        """
        state = self.world.state
        tool, outcome = self._last or ("", Outcome())
        return {
            "text": self._text(),
            "data": {
                "part": "vending",
                "day": state.day,
                "days_in_all": self.world.scenario.horizon,
                "minute": state.minute,
                "minutes_left": DAY_END - state.minute,
                "stretch": self._stretch,
                "tool": tool,
                "error": outcome.error,
                "message": outcome.message,
                "result": outcome.data,
                "digest": self._digest,
                "support": self._support,
            },
        }

    def tools(self) -> Sequence[Mapping[str, Any]]:
        """All tools of the world; each description says how many minutes it takes."""
        return self._tools

    def query(self) -> str:
        """The morning in words and the subjects of open mails, the same for the whole day.

        Without numbers: those of an earlier run (its days, its quotes) mean nothing in this one.
        """
        return self._query

    def act(self, action: object) -> Step:
        """Do one call; whatever else is sent costs 5 minutes and changes nothing."""
        if self.ended:
            return Step()
        if isinstance(action, Mapping) and "refusal" in action:
            self.finish("refusal", str(action["refusal"]))
            return Step(session_over=True)
        tool, args = (action.get("tool"), action.get("args")) if isinstance(action, Mapping) else (None, None)
        day = self.world.state.day
        if tool == "end_day":
            self.losses.before_night(self.world)
        outcome = self.world.act(tool, args)
        name = tool if isinstance(tool, str) else ""
        self._last, self._told = (name, outcome), tell_outcome(tool, outcome)
        self._begins = False
        new_day = self.world.state.day > day
        if new_day and name == "end_day":
            self.losses.after_night(self.world)
        if new_day and not self.ended:
            self._open_day(outcome.data)
        over = bool(self.ended) or (new_day and self.world.state.day % WEEK == 0)
        if over and self._forgets and not self.ended:
            self._stretch += 1
            self._begins = True
        said = (
            Said(role="agent", text=f"{self._clock(day)} {tell_call(tool, args)}"),
            Said(role="environment", text=self._told),
        )
        return Step(said=said, bad=outcome.error == "bad_args", session_over=over)

    def finish(self, why: Ending, failure: str = "") -> None:
        """End it from outside; the days that are left are played without the agent."""
        self.world.finish(why, failure[:500])

    def score(self) -> EpisodeScore:
        """Profit against the oracle of the same seed, with all panels; once it has ended."""
        if self._score is None:
            self._score = score_of(self.world, self._stale)
        return self._score

    def _open_day(self, morning: Mapping[str, Any]) -> None:
        self._digest = dict(morning)
        state = self.world.state
        subjects = [_worded(mail.subject) for mail in state.inbox if not mail.read][-10:]
        parts = [f"{_FULL[weekday(state.day)]}, {self.world.hidden.weather[state.day]}."]
        parts += [f"Open mail: {'; '.join(dict.fromkeys(subjects))}."] if subjects else []
        parts += ["A customer complains."] if morning.get("complaints") else []
        parts += [f"{_worded(notice)}." for notice in morning.get("notices", ())]
        self._query = " ".join([_ASKS, *parts])

    def _clock(self, day: int) -> str:
        return f"[day {day}, {WEEKDAYS[weekday(day)]}]"

    def _text(self) -> str:
        parts = []
        if self._begins:
            parts.append(f"{self.world.state.inbox[0].body}")
            if self._stretch:
                parts.append("A new week begins. You do not remember the weeks before.")
        if self._support:
            parts.append(f"Advice for those who run a machine here:\n{self._support}")
        if self._told:
            parts.append(self._told)
        parts.append(self._standing())
        return "\n\n".join(parts)

    def _standing(self) -> str:
        state = self.world.state
        if state.ended:
            return f"The run has ended: {state.ended}."
        clock = f"{state.minute // 60:02}:{state.minute % 60:02}"
        return (
            f"Day {state.day} of {self.world.scenario.horizon} ({WEEKDAYS[weekday(state.day)]}), {clock}, "
            f"{DAY_END - state.minute} minutes left. Bank {dollars(state.bank)}."
        )


def _worded(text: str) -> str:
    """A text without the words that hold a digit."""
    return " ".join(word for word in text.split() if not any(map(str.isdigit, word)))
