"""Courses of puzzles: traces of an expert that get shorter, then one story with nothing but what was learned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import msgspec

from memarena.errors import UsageError
from memarena.option_values import read_options
from memarena_aha.keyed import Streams
from memarena_aha.parts import Episode, Pair, Said, Unit, instance_id
from memarena_aha.puzzle.episode import PuzzleEpisode, prefix_of, shown
from memarena_aha.puzzle.freehost import FreeHost
from memarena_aha.puzzle.graph import Answer, Graph
from memarena_aha.puzzle.lessons import FOREIGN, GOLD, LESSONS, POISON, REFLECT, token
from memarena_aha.puzzle.loader import SKINS, known_ids, load_puzzle, puzzle_ids
from memarena_aha.puzzle.moves import Mode
from memarena_aha.puzzle.schema import Puzzle

__all__ = ["COURSE", "PREFIXES", "PuzzleOptions", "PuzzlePart", "host_of", "memorisation", "revealed"]

PREFIXES = (1.0, 0.75, 0.5, 0.25, 0.0)
"""Share of the expert's trace that is shown in each unit of a course; after all of them the truth is told."""
COURSE = len(PREFIXES) + 1
"""Puzzles of a pair: a unit each, and the one that is evaluated."""


class PuzzleOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen of a course."""

    host: Literal["structured", "free", "model"] = "structured"
    """Structured questions (exact), free ones answered by words, or free ones that a model reads, held to the facts."""
    prefix: float = 1.0
    """Share of the expert's trace that a supported evaluation shows, 0 to 1."""
    puzzles: str = ""
    """Ids, separated by commas, of at least six puzzles; all of them where it is empty."""
    known: bool = False
    """The stories that are evaluated are classical ones, after courses of original ones: only to estimate what an agent
    remembers of them, never to be mixed with other scores."""
    host_url: str = ""
    """Base URL of the endpoint of the host's model."""
    host_model: str = ""
    host_key: str = ""
    host_cache: str = ""
    """File that keeps the replies of the host's model and how far they agree with the facts; "": none."""


def memorisation(known: Sequence[float], originals: Sequence[float]) -> float:
    """By how many points an agent does better, cold, on classical stories than on original ones.

    `known` and `originals` are cold scores (B) of one agent with and without the option `known`.
    """
    if not known or not originals:
        raise ValueError("scores of both kinds of stories are needed")
    return sum(known) / len(known) - sum(originals) / len(originals)


@lru_cache(maxsize=256)
def host_of(puzzle_id: str, skin: int) -> FreeHost:
    """The compiled host of a puzzle in a skin, with the graph that answers structured questions."""
    return FreeHost(Graph(load_puzzle(puzzle_id, skin)))


def revealed(puzzle: Puzzle) -> str:
    """The truth and how an expert got there."""
    lessons = " ".join(lesson.text for lesson in LESSONS if lesson.lesson_id in map(token, puzzle.checks))
    return f"The truth: {puzzle.solution}\nWhat opened it: {puzzle.summary} {lessons}"


class PuzzlePart:
    """See `memarena_aha.parts.Part`: the pairs of situation puzzles."""

    name = "puzzle"
    version = "1"

    def pairs(self, seed: int, count: int, options: Mapping[str, Any]) -> Sequence[Pair]:
        """The first `count` pairs of `seed`. Raises UsageError for an option that is not known or of no use."""
        chosen = _options(options)
        ids = _ids(chosen.puzzles)
        asks = _free_asks(chosen)
        return [self._pair(seed, number, ids, chosen, asks) for number in range(count)]

    def _pair(self, seed: int, number: int, ids: Sequence[str], chosen: PuzzleOptions, asks: _Asks) -> Pair:
        """A row of a Latin square: over as many pairs as there are puzzles, each is once in each place of a course."""
        around, row = divmod(number, len(ids))
        streams = Streams(f"puzzle|{self.version}|{seed}")
        order = streams.shuffled(ids, "order", around)
        course = [
            (name, streams.between(0, SKINS - 1, "skin", number, name))
            for name in (order[(row + place) % len(ids)] for place in range(COURSE))
        ]
        *learned, final = course
        if chosen.known:
            stories = known_ids()
            final = (stories[number % len(stories)], final[1])
        mode: Mode = "structured" if chosen.host == "structured" else "free"
        instance = {
            "part": self.name,
            "id": final[0],
            "params": {"skin": final[1], "host": chosen.host, "course": [list(entry) for entry in learned]},
            "seed": seed,
            "version": self.version,
        }
        puzzle = load_puzzle(*final)
        seen = {check for entry in learned for check in load_puzzle(*entry).checks}

        def evaluate(support: str) -> Episode:
            shows = prefix_of(puzzle.trace, chosen.prefix) if support else ()
            return PuzzleEpisode(host_of(*final), mode, shows, asks(*final))

        return Pair(
            pair_id=instance_id(instance),
            part=self.name,
            instance=instance,
            plans={"course": tuple(_unit(n, entry, mode, asks) for n, entry in enumerate(learned))},
            evaluate=evaluate,
            lessons=tuple(lesson for lesson in LESSONS if lesson.lesson_id in map(token, seen)),
            gold=GOLD,
            poison=POISON,
            foreign=tuple(Said(role="teacher", text=text) for text in FOREIGN),
            block=puzzle.id,
            facets={
                "puzzle": puzzle.id,
                "mechanism": puzzle.main_check,
                "transfer": "near" if puzzle.main_check in seen else "far",
                "tier": puzzle.tier,
                "skin": puzzle.skin,
                "known": chosen.known,
            },
        )


_Asks = Callable[[str, int], Callable[[str], Answer] | None]
"""Puzzle and skin -> what answers free questions about it; None: the host that works by words."""


def _unit(number: int, entry: tuple[str, int], mode: Mode, asks: _Asks) -> Unit:
    puzzle = load_puzzle(*entry)
    shows = prefix_of(puzzle.trace, PREFIXES[number])
    told = [Said(role="teacher", text=f"Somebody asked: {shown(row)}") for row in shows]
    story = Said(role="environment", text=f"A strange story: {puzzle.surface}")
    return Unit(
        unit_id=f"unit-{number + 1}",
        told=(story, *told),
        play=lambda: PuzzleEpisode(host_of(*entry), mode, shows, asks(*entry)),
        after=lambda _: (Said(role="teacher", text=revealed(puzzle)),),
        reflect=REFLECT,
    )


def _options(options: Mapping[str, Any]) -> PuzzleOptions:
    chosen = read_options(PuzzleOptions, options, who="puzzle", label="puzzle")
    if not 0 <= chosen.prefix <= 1:
        raise UsageError(f"puzzle: prefix must be 0 to 1, not {chosen.prefix}")
    return chosen


def _ids(named: str) -> Sequence[str]:
    ids = [name.strip() for name in named.split(",")] if named else puzzle_ids()
    unknown = [name for name in ids if name not in puzzle_ids()]
    if unknown:
        raise UsageError(f"puzzle: there is no puzzle {unknown[0]!r}; see `memarena aha list`")
    if len(set(ids)) < COURSE or len(set(ids)) < len(ids):
        raise UsageError(f"puzzle: a course needs {COURSE} different puzzles or more, {named!r} names {len(set(ids))}")
    return ids


def _free_asks(chosen: PuzzleOptions) -> _Asks:
    if chosen.host != "model":
        return lambda puzzle_id, skin: None
    from memarena_aha.puzzle.modelhost import model_hosts

    return model_hosts(chosen.host_url, chosen.host_model, chosen.host_key, chosen.host_cache)
