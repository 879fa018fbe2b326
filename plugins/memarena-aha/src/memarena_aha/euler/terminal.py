"""A task with numbers for a person at a terminal: a worked example on request, one answer, and the way to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from memarena_aha.euler.answers import whole_number
from memarena_aha.euler.draws import Track
from memarena_aha.euler.episode import EulerEpisode
from memarena_aha.euler.register import family, family_ids
from memarena_aha.euler.single import single_task
from memarena_aha.keyboard import line_reader, say
from memarena_aha.keyed import Streams
from memarena_aha.parts import EpisodeScore

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["play_terminal"]

_HELP = (
    "Type a whole number to answer: one try.\n"
    "  idea     the method in a sentence\n"
    "  example  a task of the same family with other numbers, worked out\n"
    "  task     the task again\n"
    "  quit     leave (so does Ctrl-D)"
)


def play_terminal(console: Console, source: TextIO | None = None, seed: int = 0, family_id: str = "") -> EpisodeScore:
    """Play one task; `source` gives the player's lines (by default the keyboard).

    `seed` chooses the numbers, and the family where none is named. Ctrl-C and the end of the input end it politely.
    Raises UsageError for a family that is not known.
    """
    ids = family_ids()
    chosen = family(family_id or ids[Streams(f"terminal|{seed}").between(0, len(ids) - 1, "family")])
    track: Track = "code" if chosen.hand_steps is None else "closed"
    episode = EulerEpisode(single_task(chosen, seed, 0, track), "closed")
    game = _Game(episode, console, line_reader(console, source))
    game.say(f"\n{chosen.family_id} {chosen.title}\n", "bold cyan")
    if track == "code":
        game.say("Nobody does this one by hand: have a computer ready.\n", "dim")
    try:
        game.play()
    except (EOFError, KeyboardInterrupt):
        episode.finish("quit")
        game.say("\nGood-bye! The task waits for you.", "cyan")
    return episode.score()


class _Game:
    def __init__(self, episode: EulerEpisode, console: Console, read: Callable[[str], str]) -> None:
        self._episode = episode
        self._console = console
        self._read = read

    def say(self, text: str, style: str = "") -> None:
        """Print `text` as it is."""
        say(self._console, text, style)

    def play(self) -> None:
        """Play to the end and show the way."""
        task = self._episode.task
        self.say(f"{task.statement}\n", "bold")
        self.say(f"{_HELP}\n")
        while not self._episode.ended:
            self._take(self._read("> ").strip())
        if self._episode.score().score:
            self.say("Right!", "bold green")
        else:
            self.say(f"Not so: it is {task.answer}.", "bold red")
        self.say(f"How it is done: {task.gold}", "cyan")

    def _take(self, line: str) -> None:
        task = self._episode.task
        told = {"idea": task.gold, "example": task.teaching.text("full"), "task": task.statement}
        word = line.casefold()
        if word in ("quit", "exit", "q"):
            raise EOFError
        if word in told:
            self.say(f"{told[word]}\n", "cyan")
        elif whole_number(line) is not None:
            self._episode.act({"tool": "answer", "args": {"value": line}})
        else:
            self.say(_HELP)
