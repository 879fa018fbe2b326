"""A puzzle for a person at a terminal: free questions, short answers, and the truth at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from memarena.errors import UsageError
from memarena_aha.keyboard import line_reader, say
from memarena_aha.keyed import Streams
from memarena_aha.parts import EpisodeScore
from memarena_aha.puzzle.course import host_of
from memarena_aha.puzzle.episode import PuzzleEpisode
from memarena_aha.puzzle.judge import LIMIT
from memarena_aha.puzzle.loader import SKINS, puzzle_ids

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["play_terminal"]

_HELP = (
    "Ask what can be answered with yes or no (or who, what, where, how many).\n"
    "  solve   explain the story: one try, worth more with fewer questions\n"
    "  hint    let an expert ask your next question\n"
    "  list    see what you have asked\n"
    "  quit    leave (so does Ctrl-D)"
)
_ANSWERS = {
    "yes": ("Yes.", "bold green"),
    "no": ("No.", "bold red"),
    "irrelevant": ("That does not matter.", "dim"),
    "unclear": ("I do not understand. Try it in other words.", "yellow"),
}
_OPEN = ("why", "how", "when", "which", "whose", "whom")
_UNTOLD = "No, or it does not matter."
"""What the facts of a story do not speak of is false or of no account: they do not say which."""
_CLOSED = "Ask what can be answered with yes or no, or who, what, where, how many."


class _Left(Exception):
    """The player wants to go."""


def play_terminal(console: Console, source: TextIO | None = None, seed: int = 0, puzzle_id: str = "") -> EpisodeScore:
    """Play one puzzle; `source` gives the player's lines (by default the keyboard).

    `seed` chooses the puzzle, where no id is given, and its skin: 0 is that in which it is listed. The same lines lead
    to the same play. Ctrl-C and the end of the input end it politely. Raises UsageError for an id that is not known.
    """
    ids = puzzle_ids()
    if puzzle_id and puzzle_id not in ids:
        raise UsageError(f"there is no puzzle {puzzle_id!r}; there are {ids[0]} to {ids[-1]}")
    streams = Streams(f"terminal|{seed}")
    chosen = puzzle_id or ids[streams.between(0, len(ids) - 1, "puzzle")]
    skin = seed % SKINS if puzzle_id else streams.between(0, SKINS - 1, "skin", chosen)
    episode = PuzzleEpisode(host_of(chosen, skin), "free")
    game = _Game(episode, console, line_reader(console, source))
    try:
        game.play()
    except (_Left, EOFError, KeyboardInterrupt):
        episode.finish("quit")
        game.say("\nGood-bye! The truth stays hidden; the story waits for you.", "cyan")
    return episode.score()


class _Game:
    def __init__(self, episode: PuzzleEpisode, console: Console, read: Callable[[str], str]) -> None:
        self._episode = episode
        self._console = console
        self._read = read

    def say(self, text: str, style: str = "") -> None:
        """Print `text` as it is."""
        say(self._console, text, style)

    def play(self) -> None:
        """Play to the end and tell the truth."""
        self.say("\nA strange story\n", "bold cyan")
        self.say(f"{self._episode.puzzle.surface}\n", "bold")
        self.say(f"What lies behind it? You have {LIMIT} questions.\n{_HELP}\n")
        while not self._episode.ended:
            left = self._left()
            if left:
                self._take(self._read(f"[{left} left] > ").strip())
            else:
                self.say("No question is left. Explain the story now.", "cyan")
                self._explain("")
        self._end()

    def _left(self) -> int:
        left: int = self._episode.observe()["data"]["questions_left"]
        return left

    def _take(self, line: str) -> None:
        """Do what a line says."""
        command, _, rest = line.partition(" ")
        word = command.casefold().rstrip(":.!")
        if not line or (word in ("help", "h") and not rest):
            self.say(_HELP)
        elif word == "solve":
            self._explain(rest.strip())
        elif word in ("quit", "exit", "q") and not rest:
            raise _Left
        elif word == "list" and not rest:
            self._list()
        elif word == "hint" and not rest:
            self._hint()
        else:
            self._ask(line)

    def _ask(self, line: str) -> None:
        before = self._left()
        step = self._episode.act({"tool": "ask_text", "args": {"text": line[:200]}})
        if step.bad:
            self.say(step.said[-1].text, "yellow")
            return
        answer = self._episode.asked[-1].answer
        label = answer.label
        text, style = _ANSWERS.get(label, (f"{label[:1].upper()}{label[1:]}.", "bold"))
        if label == "unclear" and line.casefold().startswith(_OPEN):
            text = _CLOSED
        elif label == "irrelevant" and not answer.about:
            text = _UNTOLD
        self.say(f"{text} (This one was free.)" if before == self._left() else text, style)

    def _hint(self) -> None:
        """Let the expert ask the first question of the trace that was not asked in the same words."""
        asked = {row.question for row in self._episode.asked}
        question = next((row.text for row in self._episode.puzzle.trace if row.text not in asked), "")
        if not question:
            self.say("The expert has no more to ask: you can solve it now.", "cyan")
            return
        self.say(f"An expert would ask: {question}", "cyan")
        self._ask(question)

    def _list(self) -> None:
        for row in self._episode.asked:
            self.say(f"  {row.question} {row.answer.label}")
        if not self._episode.asked:
            self.say("  You have asked nothing yet.")

    def _explain(self, text: str) -> None:
        while not text:
            text = self._read("Your explanation > ").strip()
        self._episode.act({"tool": "solve", "args": {"text": text}})

    def _end(self) -> None:
        score, puzzle = self._episode.score(), self._episode.puzzle
        stated = self._episode.stated
        self.say("")
        for fact in puzzle.key:
            found = fact.id in stated
            self.say(f"  {'found ' if found else 'missed'}  {fact.text}", "green" if found else "dim")
        false = int(score.raw["false_claims"] or 0)
        if false:
            self.say(f"  {false} of your claims {'is' if false == 1 else 'are'} false.", "red")
        self.say(f"\n{puzzle.title}. {puzzle.solution}\n", "bold")
        verdict = "Solved!" if score.ended == "solved" else "Not quite."
        self.say(f"{verdict} {score.score:.0f} of 100 points, {score.raw['used']} questions.", "bold cyan")
