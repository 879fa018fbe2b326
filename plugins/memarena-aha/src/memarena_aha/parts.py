"""What a part of the suite is: pairs of a plan of experience and an evaluation, on one instance.

A part (puzzle, euler, vending) makes `Pair`s. The suite plays them: the units of a plan with a memory system listening,
then the evaluation with what the memory finds shown in one fixed block. Whatever plays, all scores of a pair are scores
of the same instance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal, Protocol

import msgspec

from memarena.records import Record

__all__ = [
    "ENDINGS",
    "Ending",
    "Episode",
    "EpisodeScore",
    "Lesson",
    "Pair",
    "Part",
    "Said",
    "Step",
    "Unit",
    "found_in",
    "instance_id",
]

Ending = Literal[
    "",
    "solved",
    "wrong",
    "answered",
    "abstained",
    "gave_up",
    "horizon",
    "bankrupt",
    "no_order",
    "message_cap",
    "quit",
    "malformed",
    "crash",
    "timeout",
    "refusal",
    "env_error",
]
ENDINGS: tuple[str, ...] = Ending.__args__[1:]  # type: ignore[attr-defined]
"""How an episode can end; "" while it goes on."""


class Said(Record, frozen=True, kw_only=True):
    """One turn for a memory system to hear."""

    role: Literal["agent", "environment", "teacher", "system"]
    text: str


class Step(Record, frozen=True, kw_only=True):
    """What one action led to."""

    said: tuple[Said, ...] = ()
    """What a memory system hears of it, in order: the agent's action, then the environment's reply."""
    bad: bool = False
    """The action could not be read; it cost what the rules say and changed nothing else."""
    session_over: bool = False
    """A stretch ends here (a week of vending): the memory system's session ends and a new one begins."""


class EpisodeScore(Record, frozen=True, kw_only=True):
    """What an episode was worth."""

    score: float
    """0 to 100."""
    ended: Ending
    raw: Mapping[str, float | int | str | None] = {}
    """The part's own figures (profit in cents, questions used, ...), flat."""
    used: Mapping[str, tuple[int, int]] = {}
    """By lesson: how often it was kept, and how often it applied."""


class Episode(Protocol):
    """One play of one instance. The same actions lead to the same bytes, on every machine."""

    @property
    def ended(self) -> Ending: ...

    def observe(self) -> Mapping[str, Any]:
        """What the agent sees now, as plain JSON: `text` holds all of it for a reader, `data` the same for a program.

        Pure: asked twice, it says the same. Never says what the solution is, nor that this is a test.
        """
        ...

    def tools(self) -> Sequence[Mapping[str, Any]]:
        """What can be called now: `name`, `description` and `parameters` (a JSON schema) each."""
        ...

    def query(self) -> str:
        """What a memory is asked before this decision, by the fixed template; asked anew where it changed."""
        ...

    def act(self, action: object) -> Step:
        """Do `{"tool": name, "args": {...}}` or `{"text": ...}`. Never raises for what an agent sends."""
        ...

    def finish(self, why: Ending, failure: str = "") -> None:
        """End the episode from outside (crash, timeout, refusal, quit); ends only once."""
        ...

    def score(self) -> EpisodeScore:
        """What it was worth, once it has ended."""
        ...


class Lesson(Record, frozen=True, kw_only=True):
    """Something that carries over to other instances, and how to find it in a text."""

    lesson_id: str
    text: str
    """As a person would write it down."""
    must: tuple[tuple[str, ...], ...]
    """Groups of words: a text holds the lesson where it has a word of each group (stems: `verif` finds `verified`)."""
    block: tuple[str, ...] = ()
    """Words that turn it round: a text with one of them contradicts the lesson."""


class Unit(Record, frozen=True, kw_only=True):
    """One session of a plan: something is told, or played, or both."""

    unit_id: str
    told: tuple[Said, ...] = ()
    """Heard before the agent acts (a teaching, the prefix of a trace)."""
    play: Callable[[], Episode] | None = None
    """Makes the episode that is played; what is told stands in its observation too where the part wants that."""
    after: Callable[[Episode], tuple[Said, ...]] | None = None
    """What is revealed of an episode once it has ended (the truth, a report); heard by the memory."""
    reflect: str = ""
    """Asked of the agent at the end (no tools, `data` has `reflect`), answered in at most 120 words that the memory
    hears; "": nothing is asked."""


class Pair(Record, frozen=True, kw_only=True):
    """An instance, and the plans that lead to it. The unit of randomisation."""

    pair_id: str
    """`part-` and the first 12 hex digits of the SHA-256 of `instance` as canonical JSON."""
    part: str
    instance: Mapping[str, Any]
    """Plain JSON: part, id, params, seed, version."""
    plans: Mapping[str, tuple[Unit, ...]]
    """By condition; the first is the headline (P): `course`, `partial`, `practice`.

    `full+10` is `full` with ten distractor sessions after the teaching: a point of the forgetting curve of `full`.
    """
    evaluate: Callable[[str], Episode]
    """Makes the evaluation; "" without support, "supported" with the support in sight (for S_sup)."""
    lessons: tuple[Lesson, ...] = ()
    gold: str = ""
    """One to three sentences that a person would want to have read before."""
    poison: str = ""
    """One false lesson."""
    foreign: tuple[Said, ...] = ()
    """Experience of another family, of about the same length (placebo)."""
    block: str = ""
    """Pairs of one block stand or fall together (cluster of the bootstrap): the puzzle, the family, the seed."""
    facets: Mapping[str, str | int | float | bool] = {}
    """By which scores are broken down: mechanism, transfer, area, tier, depth, variant."""
    supports: bool = True
    """`evaluate("supported")` can be asked for; False: the part has no such score for this pair."""
    listens: bool = False
    """The memory hears the evaluation itself (in a copy that is thrown away), and its sessions end where the episode
    says `session_over`: what an agent learns in a run is carried within it."""


class Part(Protocol):
    """Makes pairs; `memarena_aha.puzzle.PART`, `memarena_aha.euler.PART`, `memarena_aha.vending.PART`."""

    name: str
    version: str
    """Rises when the same pair may score otherwise."""

    def pairs(self, seed: int, count: int, options: Mapping[str, Any]) -> Sequence[Pair]:
        """The first `count` pairs of `seed`; raises UsageError for an option that is not known. `options` are plain."""
        ...


def found_in(lesson: Lesson, text: str) -> bool | None:
    """True where `text` holds the lesson, False where it contradicts it, None where it says nothing of it."""
    words = text.casefold()
    if not all(any(word in words for word in group) for group in lesson.must):
        return None
    return not any(word in words for word in lesson.block)


def instance_id(instance: Mapping[str, Any]) -> str:
    """`part-` and the first 12 hex digits of the SHA-256 of `instance` as canonical JSON (sorted keys, no blanks)."""
    digest = sha256(msgspec.json.encode(instance, order="sorted")).hexdigest()
    return f"{instance['part']}-{digest[:12]}"
