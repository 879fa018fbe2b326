"""What all who play share: what they believe so far, and how a look, a thought and a step are written down."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Protocol

from memarena_builder.agentic.believed import Believed
from memarena_builder.agentic.ordinals import ordinal
from memarena_builder.agentic.segment import segments
from memarena_builder.agentic.trajectory import Learnt, Refused, Step
from memarena_builder.questions.known import sentence_case
from memarena_builder.streams import Streams

GUESSED, NOTED = 0.12, 0.45
"""How often the agent supposes something, and how often a task begins with an old note."""
DAYS = (1, 3)
"""Days between two tasks."""
Shoot = Callable[[], tuple[bytes, str]]
"""Takes a picture: PNG, and a caption that gives nothing away."""


class Words(Protocol):
    """The words of an environment; `{S}` and `{V}` stand for what is claimed of what."""

    @property
    def NOTES(self) -> Sequence[str]:  # noqa: N802
        """What an old note says."""

    @property
    def GUESSES(self) -> Sequence[str]:  # noqa: N802
        """What the agent supposes by the way."""


class Player:
    """One agent in one environment, task after task."""

    noun = "task"
    """What a task is called."""
    unwritten: tuple[str, ...] = ()
    """Places that nobody writes down."""

    def __init__(self, words: Words, streams: Streams) -> None:
        self._words = words
        self._rngs = {name: streams.rng(name) for name in ("tasks", "meddling", "noise", "words")}
        self._believed = Believed()
        self._number = self._day = 0
        self._moves: list[Any] = []
        """What happened behind the agent's back since the last step."""

    def _played(self, sessions: int, play: Callable[[], Iterable[Step]]) -> tuple[Step, ...]:
        """Task after task, until there are `sessions` sessions."""
        steps: list[Step] = []
        while len(segments(steps)) <= sessions:
            steps += play()
        return tuple(steps)

    def _next(self) -> random.Random:
        """Another task begins, on another day; returns the stream of tasks."""
        rng = self._rngs["tasks"]
        self._number += 1
        self._day += rng.randint(*DAYS)
        return rng

    @property
    def _name(self) -> str:
        """Of the present task."""
        return f"{self.noun} {self._number}"

    def _called(self) -> dict[str, str]:
        """What the tasks are called in questions."""
        return {f"{self.noun} {number}": f"the {ordinal(number)} {self.noun}" for number in range(1, self._number + 1)}

    def _looked(
        self,
        text: str,
        found: Sequence[Learnt],
        seen: Iterable[Learnt],
        shoot: Shoot,
        opening: str = "",
        about: Iterable[Learnt] = (),
    ) -> dict[str, Any]:
        """The observation of a step, and what is known from it. `found`: all that there is to be seen, `seen`: what the
        agent takes notice of, `opening`: how a task is told that is `about` something."""
        seen = (*about, *seen)
        refused: tuple[Refused, ...] = ()
        if opening:
            text = f"{sentence_case(f'{self._name}: {opening}.')} {text}"
            note = self._note()
            if note:
                text, refused = f"{text} {note[0]}", (note[1],)
        begun: dict[str, Any] = {"observation": text, "seen": seen, "refused": refused, "told_by": "observation"}
        if any(each.visual for each in seen):
            picture, caption = shoot()
            shown = ", ".join(f"{each.subject}, {each.attribute}: {each.value}" for each in seen if each.visual)
            begun |= {"picture": picture, "caption": caption, "caption_full": f"{caption} ({shown})"}
            begun["shows"] = tuple(each for each in found if each.visual)
        for each in seen:
            self._believed.take(each)
        return begun

    def _note(self) -> tuple[str, Refused] | None:
        """Where something was once, told again."""
        if self._rngs["noise"].random() >= NOTED:
            return None
        old = self._believed.old_note(("place",), self.unwritten, self._rngs["noise"])
        return (self._pick(self._words.NOTES).format(S=old.subject, V=old.value), old) if old else None

    def _supposed(
        self, thought: str, begun: dict[str, Any], elsewhere: Sequence[str], present: Collection[str]
    ) -> dict[str, Any]:
        """A thought, now and then with a guess: that something that is not `present` may be `elsewhere`."""
        if begun["refused"] or self._rngs["noise"].random() >= GUESSED:
            return {"reasoning": thought}
        guess = self._believed.guess("place", elsewhere, self._rngs["noise"], present)
        if guess is None:
            return {"reasoning": thought}
        said = self._pick(self._words.GUESSES).format(S=guess.subject, V=guess.value)
        return {"reasoning": f"{thought} {said}", "refused": (guess,), "told_by": "reasoning"}

    def _stepped(
        self,
        begun: dict[str, Any],
        moves: Sequence[Any],
        actions: Iterator[str],
        state: str,
        feedback: str = "",
        learnt: Sequence[Learnt] = (),
        *,
        failed: bool = False,
        ends: bool = False,
    ) -> Step:
        """A step that was begun, with what came of it; `actions`: the moves in words."""
        for each in learnt:
            self._believed.take(each)
        whole, self._moves = (*self._moves, *moves), []
        return Step(
            **begun,
            action=", ".join(actions) or "stop()",
            feedback=feedback,
            learnt=tuple(learnt),
            failed=failed,
            ends=ends,
            day=self._day,
            moves=whole,
            state=state,
        )

    def _pick(self, choices: Sequence[str]) -> str:
        return self._rngs["words"].choice(choices)
