"""Rounds -> the texts of which the model is asked for facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memarena.floors import turn_line
from memarena.records import Turn


def pieces(turns: Sequence[Turn], longest: int) -> Iterator[tuple[tuple[Turn, ...], str]]:
    """The text of a round in pieces of at most `longest` characters, each with the turns that it holds words of.

    A piece ends at a blank where there is one; turns without words are left out.
    """
    held: list[Turn] = []
    lines: list[str] = []
    for turn in turns:
        if not turn.text.strip():
            continue
        line = turn_line(turn)
        if held and sum(map(len, lines)) + len(lines) + len(line) > longest:
            yield tuple(held), "\n".join(lines)
            held, lines = [], []
        while len(line) > longest:
            cut = line.rfind(" ", 1, longest)
            cut = longest if cut < 0 else cut
            yield (turn,), line[:cut]
            line = line[cut:].strip()
        if line:
            held.append(turn)
            lines.append(line)
    if held:
        yield tuple(held), "\n".join(lines)
