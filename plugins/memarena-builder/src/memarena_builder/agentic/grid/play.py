"""The agent runs errands in a house, and what it does is written down step by step."""

# mypy: allow-untyped-calls
from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from minigrid.core.world_object import Door, WorldObj

from memarena_builder.agentic.believed import Believed
from memarena_builder.agentic.grid import words
from memarena_builder.agentic.grid.bot import Expert, LostError
from memarena_builder.agentic.grid.errands import Errand, Errands, meddle
from memarena_builder.agentic.grid.house import House, HouseSpec, build
from memarena_builder.agentic.grid.senses import TASK, Senses, door_state, failure, outcome, unlocked
from memarena_builder.agentic.ordinals import ordinal
from memarena_builder.agentic.queries import sort
from memarena_builder.agentic.recipes import HouseRecipe
from memarena_builder.agentic.segment import segments
from memarena_builder.agentic.trajectory import Learnt, Refused, Step, Trajectory
from memarena_builder.questions.known import sentence_case
from memarena_builder.streams import Streams

STRIDE = 6
"""Actions of one step at most."""
TURNS = 4
"""Directions in which there may be room to put something down."""
PATIENCE = 400
"""Actions for one errand, after which it is given up."""
GUESSED, NOTED = 0.12, 0.45
"""How often the agent supposes something, and how often an errand begins with an old note."""
DAYS = (1, 3)
"""Days between two errands."""


class Made(NamedTuple):
    """What some actions came to."""

    actions: tuple[int, ...]
    feedback: str
    learnt: tuple[Learnt, ...]
    failed: bool
    won: bool


class Play:
    """One agent in one house."""

    def __init__(self, recipe: HouseRecipe, streams: Streams) -> None:
        self.made_of = HouseSpec(
            seed=streams.at("house").number, room_size=recipe.room_size, things=recipe.things, locked=recipe.locked
        )
        with contextlib.redirect_stdout(io.StringIO()):
            self.house: House = build(self.made_of)
        self._recipe = recipe
        self._senses = Senses(self.house)
        self._errands = Errands(self.house, recipe.errands, recipe.chained)
        self._rngs = {name: streams.rng(name) for name in ("errands", "meddling", "noise", "words")}
        self._believed = Believed()
        self._day = 0
        self._moves: list[Any] = []
        self._number = 0

    def trajectory(self, sessions: int) -> Trajectory:
        """Errand after errand, until there are `sessions` sessions."""
        steps: list[Step] = []
        while len(segments(steps)) <= sessions:
            steps += self.errand()
        spare = [
            f"the {kind} {tag}" for kind, tag in zip(("ball", "box", "key", "door") * 3, self.house.spare, strict=False)
        ]
        things = [self.house.name(each) for each in self.house.things]
        doors = [self.house.name(each) for each in self.house.doors]
        subjects = [(name, attribute) for name in things for attribute in ("place", "colour")]
        sides = [(name, heading) for name in things for heading in words.HEADINGS]
        subjects += [each for each in sides if each not in self._senses.looked_at]
        subjects += [(name, attribute) for name in doors for attribute in ("joins", "colour", "opens with")]
        subjects += [(name, words.COUNT) for name in self.house.rooms]
        return Trajectory(
            environment="MiniGrid house",
            world=self.made_of,
            attributes=words.ATTRIBUTES,
            steps=tuple(steps),
            called={f"errand {number}": f"the {ordinal(number)} errand" for number in range(1, self._number + 1)},
            subjects=tuple(subjects),
            strangers=tuple(
                (name, attribute)
                for name in spare
                for attribute in (("joins", "colour") if "door" in name else ("place", "colour"))
            ),
        )

    def errand(self) -> list[Step]:
        """The steps of one errand, the changes behind the agent's back before it included."""
        if self._number and not self.house.carrying:
            self._moves += meddle(self.house, self._rngs["meddling"], self._recipe.changes)
        self._number += 1
        self._day += self._rngs["errands"].randint(*DAYS)
        errand = self._errands.draw(list(self._believed.met), self._changed(), self._rngs["errands"])
        self.house.order(errand.instr)
        return list(self._steps(errand))

    def _changed(self) -> list[str]:
        """The names of what is not as the agent knows it."""
        now: dict[tuple[str, str], str] = {}
        for thing in self.house.things:
            name, place = self.house.name(thing), self.house.where(thing)
            now[name, "colour"] = thing.color
            if place:
                now[name, "place"] = f"in {self.house.room_at(place)}"
        now |= {(self.house.name(door), "state"): door_state(door) for door in self.house.doors}
        return list(dict.fromkeys(key[0] for key, value in now.items() if self._believed.last(*key) not in ("", value)))

    def _steps(self, errand: Errand) -> Iterator[Step]:
        expert = Expert(self.house)
        name, spent, won = f"errand {self._number}", 0, False
        taken: int | None = None
        opening = sentence_case(f"{name}: {errand.text}.")
        while True:
            begun = self._begin(errand, name, opening)
            opening = ""
            try:
                action = None if won else expert.decide(taken)
            except LostError:
                action, spent = None, PATIENCE
            if action is None or spent >= PATIENCE:
                if self.house.carrying is not None:
                    yield self._freed(begun, self.house.carrying)
                    begun = self._begin(errand, name, "")
                yield self._end(begun, name, won=won)
                return
            wrong = self._wrong()
            if wrong is not None and not begun["refused"]:
                yield self._clumsy(begun, wrong)
                taken = wrong
                continue
            begun |= self._thought(expert, begun, errand)
            made = self._stride(expert, action)
            taken, spent, won = made.actions[-1], spent + len(made.actions), won or made.won
            yield self._step(begun, made.actions, made.feedback, made.learnt, failed=made.failed)

    def _begin(self, errand: Errand, name: str, opening: str) -> dict[str, Any]:
        """The observation of a step, and what is known from it."""
        self._senses.arrive()
        looked = self._senses.seen(errand.about)
        seen = tuple(each for each in looked if self._is_noted(each))
        text = self._senses.look()
        refused: tuple[Refused, ...] = ()
        if opening:
            about = Learnt(subject=name, attribute="about", value=errand.about, importance=TASK)
            seen = (about, *seen)
            text = f"{opening} {text}"
            note = self._note()
            if note:
                text, refused = f"{text} {note[0]}", (note[1],)
        begun: dict[str, Any] = {"observation": text, "seen": seen, "refused": refused, "told_by": "observation"}
        if any(each.visual for each in seen):
            caption = self._pick(words.CAPTIONS).format(R=self._senses.room())
            shown = ", ".join(f"{each.subject}, {each.attribute}: {each.value}" for each in seen if each.visual)
            begun |= {"picture": self._senses.picture(), "caption": caption, "caption_full": f"{caption} ({shown})"}
            begun["shows"] = tuple(each for each in looked if each.visual)
        for each in seen:
            self._believed.take(each)
        return begun

    def _is_noted(self, learnt: Learnt) -> bool:
        """Whether it is known from now on: what a picture shows again is not, nor that there is nothing beside a thing
        where nothing was."""
        if learnt.value == words.NOTHING and not self._believed.last(learnt.subject, learnt.attribute):
            return False
        return not learnt.visual or self._believed.is_new(learnt)

    def _stride(self, expert: Expert, action: int) -> Made:
        """Act until there is something to tell."""
        made: list[int] = []
        front, room, won = self._senses.front(), self._senses.room(), False
        while True:
            done = self._act(action)
            made.append(action)
            won = won or done.won
            news = self._senses.front() is not None and self._senses.front() is not front
            moved = self._senses.room() != room
            ends = won or done.failed or news or moved
            if action > self.house.actions.forward or ends or len(made) >= STRIDE:
                break
            try:
                following = expert.decide(action)
            except LostError:
                break
            if following is None:
                break
            action = following
        return done._replace(actions=tuple(made), won=won)

    def _act(self, action: int) -> Made:
        """One action, and what comes of it."""
        before, carried = self._senses.front(), self.house.carrying
        locked = isinstance(before, Door) and before.is_locked
        state = self.house.state()
        _, _, won, _, _ = self.house.step(action)
        idle = self.house.state() == state
        if idle:
            feedback, learnt = failure(self.house, action, before)
        elif locked and isinstance(before, Door) and carried is not None:
            feedback, learnt = unlocked(self.house, before, carried)
        else:
            feedback, learnt = outcome(self.house, action, before, carried)
        for each in learnt:
            self._believed.take(each)
        return Made((action,), feedback, tuple(learnt), failed=idle, won=bool(won))

    def _step(
        self, begun: dict[str, Any], made: Sequence[int], feedback: str, learnt: Sequence[Learnt], *, failed: bool
    ) -> Step:
        moves = (*self._moves, *made)
        self._moves = []
        action = ", ".join(words.ACTIONS[each] for each in made) or "stop()"
        return Step(
            **begun,
            action=action,
            feedback=feedback,
            learnt=tuple(learnt),
            failed=failed,
            day=self._day,
            moves=moves,
            state=self.house.state(),
        )

    def _end(self, begun: dict[str, Any], name: str, *, won: bool) -> Step:
        """The last step of an errand."""
        value = "done" if won else "given up"
        ended = Learnt(subject=name, attribute="outcome", value=value, importance=1.0)
        thought = self._pick(words.THOUGHTS["stop" if won else "lost"])
        begun |= {"reasoning": thought, "ends": True}
        return self._step(begun, (), sentence_case(f"{name} is {value}."), (ended,), failed=False)

    def _freed(self, begun: dict[str, Any], carried: WorldObj) -> Step:
        """A step that frees the hands, where there is room around the agent."""
        actions, made = self.house.actions, []
        begun |= {"reasoning": sentence_case(self._pick(words.THOUGHTS["free"]).format(A=self.house.name(carried)))}
        for _ in range(TURNS):
            if self.house.grid.get(*self.house.face()) is None:
                break
            made.append(int(actions.left))
            self.house.step(made[-1])
        done = self._act(int(actions.drop))
        return self._step(begun, (*made, *done.actions), done.feedback, done.learnt, failed=done.failed)

    def _clumsy(self, begun: dict[str, Any], action: int) -> Step:
        """A step that has no effect, with what one could take it to have done."""
        front = self._senses.front()
        assert front is not None
        name = self.house.name(front)
        attribute, value = ("state", "open") if isinstance(front, Door) else ("place", words.IN_HAND)
        refused = Refused(subject=name, attribute=attribute, value=value, kind="failed action")
        thought = self._pick(words.ATTEMPTS).format(S=name, V=value)
        begun |= {"refused": (refused,), "told_by": "reasoning", "reasoning": thought}
        made = self._act(action)
        return self._step(begun, made.actions, made.feedback, made.learnt, failed=made.failed)

    def _wrong(self) -> int | None:
        """An action that will have no effect, now and then, where there is one."""
        front, actions = self._senses.front(), self.house.actions
        if self._rngs["noise"].random() >= self._recipe.clumsy or front is None:
            return None
        if isinstance(front, Door):
            key = self.house.carrying
            fits = key is not None and key.type == "key" and key.color == front.color
            return int(actions.toggle) if front.is_locked and not fits else None
        return int(actions.pickup) if self.house.carrying else None

    def _thought(self, expert: Expert, begun: dict[str, Any], errand: Errand) -> dict[str, Any]:
        """What the agent thinks, now and then with a guess."""
        front, intent = self._senses.front(), expert.intent()
        aim = self.house.name(front) if front is not None and intent == "take" else expert.aim()
        unmet = aim not in self._believed.met and aim not in errand.text
        called = words.UNSEEN[intent].format(K=sort(aim)) if aim and unmet and intent in words.UNSEEN else aim
        text = sentence_case(self._pick(words.THOUGHTS[intent]).format(A=called or "it"))
        if begun["refused"] or self._rngs["noise"].random() >= GUESSED:
            return {"reasoning": text}
        elsewhere = [f"in {room}" for room in self.house.rooms if room not in self._senses.room()]
        here = [self.house.name(each) for each in (front, self.house.carrying) if each is not None]
        present = (aim, *here, *(name for name in self._believed.met if name in errand.text))
        guess = self._believed.guess("place", elsewhere, self._rngs["noise"], present)
        if guess is None:
            return {"reasoning": text}
        text = f"{text} {self._pick(words.GUESSES).format(S=guess.subject, V=guess.value)}"
        return {"reasoning": text, "refused": (guess,), "told_by": "reasoning"}

    def _note(self) -> tuple[str, Refused] | None:
        """Something that was so once, told again."""
        if self._rngs["noise"].random() >= NOTED:
            return None
        old = self._believed.old_note(("place",), (words.IN_HAND,), self._rngs["noise"])
        return (self._pick(words.NOTES).format(S=old.subject, V=old.value), old) if old else None

    def _pick(self, choices: Sequence[str]) -> str:
        return self._rngs["words"].choice(choices)
