"""Messages become turns: what somebody says, thinks and does is one turn, what a tool gives back another."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from msgspec.structs import replace

from memarena_builder.traces.log import Uttered, is_role, role
from memarena_builder.traces.parts import Call, Result, Said
from memarena_builder.traces.rows import Notes

LONGEST = 2000
"""Characters of a result of a tool that are kept."""
NAMED = 80
"""Characters of a call up to which a result repeats it; of a longer one it has the name alone."""
FAILED = "Feedback (failed)"


class Message(NamedTuple):
    """One message of a log."""

    who: object
    """A role, or somebody's name."""
    said: Said
    time: datetime | None
    where: str
    """In the log."""
    same: str = ""
    """What belongs together has the same: some logs have a line for each part of a message."""


class Thread:
    """The turns of one session, as its messages come in."""

    def __init__(self, notes: Notes) -> None:
        self.turns: list[Uttered] = []
        self._notes = notes
        self._calls: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._same = ""

    def add(self, message: Message) -> None:
        """The turns of one more message."""
        said = message.said
        for kind in said.strange:
            self._notes.add(f"parts of messages left out: {kind[:40]}", message.where)
        self._calls.update((each.call_id, each.text) for each in said.calls if each.call_id)
        for each in said.results:
            self._add(self.back(each, message), "")
        own = self._own(message)
        if own.text or own.thought or own.shown:
            self._add(own, message.same)
        elif not said.results:
            self._notes.add("empty messages left out", message.where)

    def back(self, given: Result, message: Message) -> Uttered:
        """The turn of a result: it names the call that it answers, and says so where it failed."""
        call = self._calls.get(given.call_id, "")
        called = call if len(call) <= NAMED else call.partition("(")[0]
        text = given.text
        if len(text) > LONGEST:
            self._notes.add(f"results of tools cut to {LONGEST:,} characters", message.where)
            text = text[:LONGEST].rstrip() + " ..."
        return Uttered(
            role="environment",
            text=feedback(text or "nothing", called, failed=given.failed),
            time=message.time,
            shown=given.shown,
        )

    def _own(self, message: Message) -> Uttered:
        said = message.said
        who, name = self._who(message.who)
        text = "\n".join([*said.words, *map(action, said.calls)])
        return Uttered(
            role=who,
            text=f"{name}: {text}" if name and said.words else text,
            thought="\n".join(said.thoughts),
            time=message.time,
            shown=tuple(said.shown),
        )

    def _who(self, who: object) -> tuple[str, str]:
        """The role, and the name where it is somebody's: the first who speaks is the user, all others answer."""
        if is_role(who) or not isinstance(who, str) or not who.strip():
            return role(who), ""
        if who not in self._names:
            self._names[who] = "assistant" if self._names else "user"
        return self._names[who], who.strip()

    def _add(self, turn: Uttered, same: str) -> None:
        if same and same == self._same:
            last = self.turns[-1]
            text, thought = f"{last.text}\n{turn.text}".strip(), f"{last.thought}\n{turn.thought}".strip()
            self.turns[-1] = replace(last, text=text, thought=thought, shown=(*last.shown, *turn.shown))
        else:
            self.turns.append(turn)
        self._same = same


def action(call: Call) -> str:
    """A call as what an agent does."""
    return f"Action: {call.text}"


def feedback(text: str, called: str = "", *, failed: bool = False) -> str:
    """What an environment gives back."""
    return f"{FAILED if failed else 'Feedback'}{f' to {called}' if called else ''}: {text}"
