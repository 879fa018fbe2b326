"""One game of a person: the days, the hints of the first ones, and the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.panel import Panel
from rich.text import Text

from memarena_aha.vending import sheets
from memarena_aha.vending.almanac import WEEKDAYS, weekday
from memarena_aha.vending.digest import digest
from memarena_aha.vending.equity import net_worth
from memarena_aha.vending.letters import dollars
from memarena_aha.vending.losses import Losses
from memarena_aha.vending.play import play_days
from memarena_aha.vending.policies import SOONEST
from memarena_aha.vending.report import characters, lost_units, taught
from memarena_aha.vending.rules import DAY_END, START_BANK
from memarena_aha.vending.scoring import curve, reference_curve, score
from memarena_aha.vending.series import incidents
from memarena_aha.vending.shell import Shell
from memarena_aha.vending.state import State
from memarena_aha.vending.wording import date, whole
from memarena_aha.vending.world import World

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Game"]

_SHOWN = 25
"""Incidents that are told at the end."""

_INTRO = (
    "You run a vending machine, with $500 in the bank. Buy from suppliers, fill the machine, set prices, and be worth "
    "more at the end than at the beginning: money counts in full, goods {goods}. Most customers pay by card, which "
    "reaches the bank the next morning; the rest is cash that you collect. The site takes $2 a day. A working day goes "
    "from 08:00 to 22:00, and everything takes its time. Not everybody is honest."
)


_SHORT = ("do-nothing", SOONEST, "oracle", "careful")
"""Who plays a short game beside the player."""


class Game:
    """Plays `world` for `days` days; `file` is where it is saved."""

    def __init__(self, world: World, console: Console, read: Callable[[str], str], days: int, file: Path) -> None:
        self.world = world
        self._console = console
        self._read = read
        self._days = days
        self._file = file
        self._whole = days == world.scenario.horizon
        """The game goes to the end of its scenario, so that it has a score."""
        self._watched = world.state.day == 0
        self._losses = Losses()
        self._left = False
        self._shell = Shell(world, console, self._commands())
        self._hinted: set[str] = set()

    def _commands(self) -> Mapping[str, Callable[[list[str]], None]]:
        return {
            "end": self._end_day,
            "wait": self._wait,
            "status": self._status,
            "save": self._saved,
            "quit": self._quit,
        }

    def play(self, goes_on: bool) -> None:
        """Play to the end, or until the player leaves. Raises EOFError where there are no more lines."""
        say = self._shell.say
        if goes_on:
            say(f"The game goes on from {self._file}.", "cyan")
            self._morning()
        else:
            self.world.state.inbox[0].read = True  # the letter of welcome says what the introduction does
            intro = _INTRO.replace("{goods}", "count half of what they cost" if self._whole else "count what they cost")
            self._console.print(Panel(Text(intro), title="Vending", title_align="left", border_style="cyan"))
            say("Type help for all commands; Ctrl-D saves and leaves.\n", "dim")
        if self.world.state.day == 0:
            say(f"{sheets.today(0, self._days, WEEKDAYS[weekday(0)], self.world.hidden.weather[0])}.", "cyan")
        self._hint()
        while not self._is_over() and not self._left:
            line = self._read(self._prompt()).strip()
            if line:
                self._take(line)
        if not self._left:
            self._finish()

    def _take(self, line: str) -> None:
        """Do what a line says; say what has come meanwhile, and what a beginner would do next."""
        day, before = self.world.state.day, self._delivered()
        self._shell.do(line)
        if self._is_over() or self._left:
            return
        came = sorted(self._delivered() - before)
        if came and self.world.state.day == day:  # the morning tells of what came while the day was closed
            self._shell.say(f"A delivery has come: {', '.join(came)}. read tells what was in it.", "cyan")
        self._hint()

    def _delivered(self) -> set[str]:
        return {order.id for order in self.world.state.orders.values() if order.status == "delivered"}

    def leave(self) -> None:
        """Save, say where, and go."""
        self._file.write_bytes(self.world.save())
        self._shell.say(f"\nSaved in {self._file}; the same command goes on. Good-bye!", "cyan")

    def _wait(self, words: list[str]) -> None:
        """Look at the watch until so many hours are over, goods come, or the day is. Raises Unclear."""
        state, before = self.world.state, self._delivered()
        until = state.minute + 60 * (whole(words[0], "number of hours") if words else 1)
        while state.minute < min(until, DAY_END) and self._delivered() == before:
            self.world.act("get_status")

    def _status(self, words: list[str]) -> None:
        outcome = self._shell.call("get_status")
        if outcome.ok:
            self._shell.say(sheets.status(outcome.data, self._days))

    def _saved(self, words: list[str]) -> None:
        self._file.write_bytes(self.world.save())
        self._shell.say(f"Saved in {self._file}.")

    def _quit(self, words: list[str]) -> None:
        self._left = True
        self.leave()

    def _is_over(self) -> bool:
        return bool(self.world.state.ended) or self.world.state.day >= self._days

    def _prompt(self) -> str:
        state = self.world.state
        return f"{WEEKDAYS[weekday(state.day)]} {state.minute // 60:02}:{state.minute % 60:02} {dollars(state.bank)} > "

    def _end_day(self, words: list[str]) -> None:
        """End the day, or so many days. Raises Unclear for a number that is none."""
        for _ in range(max(1, whole(words[0], "number of days")) if words else 1):
            if not self._is_over():  # the last of them may have ended the game
                self._losses.before_night(self.world)
                self.world.act("end_day")
                self._losses.after_night(self.world)
        if not self._is_over():
            self._morning()

    def _morning(self) -> None:
        if self.world.state.day == 0:
            return
        found = digest(self.world.hidden, self.world.state)
        headers = [f"{mail.subject} ({mail.sender})" for mail in self.world.state.inbox if not mail.read][-8:]
        self._console.print()
        self._console.print(sheets.morning(found, self._days, headers))

    def _hint(self) -> None:
        """Say once what a beginner would do next."""
        state = self.world.state
        stored = any(state.storage.values())
        unpriced = {place.sku for place in state.slots.values() if place.units} - set(state.prices)
        claims = any(complaint.status == "open" for complaint in state.complaints.values())
        bills = any(mail.attachment.get("kind") in ("invoice", "account_change") for mail in state.inbox)
        steps = (
            (
                "find",
                not state.requests and not state.quotes,
                "find snack looks for suppliers, then quote S1 asks one.",
            ),
            ("wait", bool(state.requests) and not state.quotes, "end closes the day; the prices come in the morning."),
            (
                "order",
                bool(state.quotes) and not state.orders,
                "read shows new mail, prices compares, order S1 P03=24 buys. Several products sell better than one.",
            ),
            (
                "deliver",
                any(order.status in ("open", "arriving") for order in state.orders.values()) and not stored,
                "goods come in the course of the promised day. Until then end closes days; on that day wait lets hours "
                "pass.",
            ),
            (
                "fill",
                stored and not any(place.sku for place in state.slots.values()),
                "fill puts what is in storage into the machine, in one visit.",
            ),
            (
                "customer",
                claims,
                "refund C1 pays a customer back, reject C1 does not; sales tells what was sold that day.",
            ),
            ("invoice", bills, "not every bill is real: verify AC-12345678 asks the registry whose account that is."),
            (
                "price",
                bool(unpriced),
                "without a price nothing is sold: price P03 2.40. Twice what you paid is a start.",
            ),
        )
        for name, applies, text in steps:
            if applies and name not in self._hinted:
                self._hinted.add(name)
                self._shell.say(f"Hint: {text}", "magenta")
                return

    def _finish(self) -> None:
        self._file.unlink(missing_ok=True)
        state, say = self.world.state, self._shell.say
        early = state.ended not in ("", "horizon")
        say(
            f"\nIt ended on day {date(state.ended_day)}: {state.ended}."
            if early
            else f"\nThe {self._days} days are over."
        )
        own = curve(state)[: self._days + 1]
        worth = own[-1] if self._whole else _standing(state)
        say(f"\n  {sheets.bars(own)}" if self._whole else "", "green" if worth >= START_BANK else "red")
        say(f"  {dollars(START_BANK)} at the beginning, {dollars(worth)} at the end.\n", "bold")
        self._console.print(self._compared(worth))
        happened = [
            f"  day {date(one.day)}: {one.kind}, {one.what}" for one in incidents(self.world) if one.day < self._days
        ]
        if happened:
            say("\nWhat happened:\n" + "\n".join(happened[:_SHOWN]), "dim")
        say("\nWho was who:\n" + "\n".join(f"  {line}" for line in characters(self.world)), "dim")
        if self._watched:
            say(f"\n{lost_units(self._losses)}", "dim")
        lessons = taught(self.world)
        if lessons:
            say("\nWorth remembering:\n" + "\n".join(f"  {lesson}" for lesson in lessons), "magenta")

    def _compared(self, worth: int) -> RenderableType:
        """The player beside others who played the same days."""
        scenario = self.world.scenario
        if self._whole:
            careful, best = (reference_curve(name, scenario)[-1] for name in ("careful", "oracle"))
            rows = [("you", worth), ("a careful keeper", careful), ("one who knows all", best)]
            points = [f"{score(cents - START_BANK, best - START_BANK):.0f}" for _, cents in rows]
        else:
            played = {name: _standing(play_days(name, scenario, self._days).state) for name in _SHORT}
            least, careful, best = played["do-nothing"], played[SOONEST], max(played.values())
            rows = [("you", worth), ("who does nothing", least), ("a careful keeper", careful)]
            rows.append(("one who knows all", best))
            points = [_points(cents, least, best) for _, cents in rows]
        shown = [(name, dollars(cents), mark) for (name, cents), mark in zip(rows, points, strict=True)]
        return sheets.table(("", ">worth", ">points of 100"), shown)


def _points(cents: int, least: int, best: int) -> str:
    """Points of a short game: 0 is doing nothing, 100 the best plan there is; `–` where no plan earns anything."""
    if best <= least:
        return "–"
    return f"{100 * min(1.0, max(0.0, (cents - least) / (best - least))):.0f}"


def _standing(state: State) -> int:
    """Cents: all money, and goods at what they cost, also those on their way: a business that goes on tomorrow."""
    coming = sum(order.charged for order in state.orders.values() if order.status in ("open", "arriving"))
    return net_worth(state) + coming
