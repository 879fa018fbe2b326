"""The agent runs errands in a house, and what it does is written down step by step."""

# mypy: allow-untyped-calls
from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import Any, NamedTuple

from minigrid.core.world_object import Door, WorldObj

from memarena_builder.agentic.attributes import HEADINGS
from memarena_builder.agentic.grid import words
from memarena_builder.agentic.grid.bot import Expert, LostError
from memarena_builder.agentic.grid.errands import Errand, Errands, meddle
from memarena_builder.agentic.grid.house import House, HouseSpec, build
from memarena_builder.agentic.grid.senses import TASK, Senses, door_state, failure, outcome, unlocked
from memarena_builder.agentic.player import Player
from memarena_builder.agentic.queries import sort
from memarena_builder.agentic.recipes import HouseRecipe
from memarena_builder.agentic.trajectory import Learnt, Refused, Step, Trajectory
from memarena_builder.questions.known import sentence_case
from memarena_builder.streams import Streams

STRIDE = 6
"""Actions of one step at most."""
TURNS = 4
"""Directions in which there may be room to put something down."""
PATIENCE = 400
"""Actions for one errand, after which it is given up."""


class Made(NamedTuple):
    """What some actions came to."""

    actions: tuple[int, ...]
    feedback: str
    learnt: tuple[Learnt, ...]
    failed: bool
    won: bool


class Play(Player):
    """One agent in one house."""

    noun = "errand"
    unwritten = (words.IN_HAND,)

    def __init__(self, recipe: HouseRecipe, streams: Streams) -> None:
        super().__init__(words, streams)
        self.made_of = HouseSpec(
            seed=streams.at("house").number, room_size=recipe.room_size, things=recipe.things, locked=recipe.locked
        )
        with contextlib.redirect_stdout(io.StringIO()):
            self.house: House = build(self.made_of)
        self._recipe = recipe
        self._senses = Senses(self.house)
        self._errands = Errands(self.house, recipe.errands, recipe.chained)

    def trajectory(self, sessions: int) -> Trajectory:
        """Errand after errand, until there are `sessions` sessions."""
        steps = self._played(sessions, self.errand)
        spare = [
            f"the {kind} {tag}" for kind, tag in zip(("ball", "box", "key", "door") * 3, self.house.spare, strict=False)
        ]
        things = [self.house.name(each) for each in self.house.things]
        doors = [self.house.name(each) for each in self.house.doors]
        subjects = [(name, attribute) for name in things for attribute in ("place", "colour")]
        sides = [(name, heading) for name in things for heading in HEADINGS]
        subjects += [each for each in sides if each not in self._senses.looked_at]
        subjects += [(name, attribute) for name in doors for attribute in ("joins", "colour", "opens with")]
        subjects += [(name, words.COUNT) for name in self.house.rooms]
        return Trajectory(
            environment="MiniGrid house",
            world=self.made_of,
            attributes=words.ATTRIBUTES,
            steps=steps,
            called=self._called(),
            subjects=tuple(subjects),
            cases=dict.fromkeys(doors, self.house.spare[-1]),
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
        errand = self._errands.draw(list(self._believed.met), self._changed(), self._next())
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
        spent, won, taken = 0, False, None
        begun = self._begin(errand, errand.text)
        while True:
            try:
                action = None if won else expert.decide(taken)
            except LostError:
                action, spent = None, PATIENCE
            if action is None or spent >= PATIENCE:
                if self.house.carrying is not None:
                    yield self._freed(begun, self.house.carrying)
                    begun = self._begin(errand)
                yield self._end(begun, won=won)
                return
            wrong = self._wrong()
            if wrong is not None and not begun["refused"]:
                yield self._clumsy(begun, wrong)
                taken = wrong
            else:
                begun |= self._thought(expert, begun, errand)
                made = self._stride(expert, action)
                taken, spent, won = made.actions[-1], spent + len(made.actions), won or made.won
                yield self._step(begun, made)
            begun = self._begin(errand)

    def _begin(self, errand: Errand, opening: str = "") -> dict[str, Any]:
        """The observation of a step, and what is known from it."""
        self._senses.arrive()
        found = self._senses.seen(errand.about)
        about = Learnt(subject=self._name, attribute="about", value=errand.about, importance=TASK)
        seen = filter(self._is_noted, found)
        return self._looked(self._senses.look(), found, seen, self._shot, opening, [about] if opening else [])

    def _shot(self) -> tuple[bytes, str]:
        return self._senses.picture(), self._pick(words.CAPTIONS).format(R=self._senses.room())

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
        elif locked and isinstance(before, Door) and not before.is_locked and carried is not None:
            feedback, learnt = unlocked(self.house, before, carried)
        else:
            feedback, learnt = outcome(self.house, action, before, carried)
        return Made((action,), feedback, tuple(learnt), failed=idle, won=bool(won))

    def _step(self, begun: dict[str, Any], made: Made, *, ends: bool = False) -> Step:
        actions = (words.ACTIONS[each] for each in made.actions)
        came = (made.feedback, made.learnt)
        return self._stepped(begun, made.actions, actions, self.house.state(), *came, failed=made.failed, ends=ends)

    def _end(self, begun: dict[str, Any], *, won: bool) -> Step:
        """The last step of an errand."""
        value = "done" if won else "given up"
        ended = Learnt(subject=self._name, attribute="outcome", value=value, importance=1.0)
        begun |= {"reasoning": self._pick(words.THOUGHTS["stop" if won else "lost"])}
        feedback = sentence_case(f"{self._name} is {value}.")
        return self._step(begun, Made((), feedback, (ended,), failed=False, won=won), ends=True)

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
        return self._step(begun, done._replace(actions=(*made, *done.actions)))

    def _clumsy(self, begun: dict[str, Any], action: int) -> Step:
        """A step that has no effect, with what one could take it to have done."""
        front = self._senses.front()
        assert front is not None
        name, carried = self.house.name(front), self.house.carrying
        if isinstance(front, Door):
            tool = self.house.name(carried) if carried and carried.type == "key" else words.HANDS
            attribute, value, attempts = "opens with", tool, words.TRIALS
        else:
            attribute, value, attempts = "place", words.IN_HAND, words.ATTEMPTS
        refused = Refused(subject=name, attribute=attribute, value=value, kind="failed action")
        thought = self._pick(attempts).format(S=name, V=value)
        begun |= {"refused": (refused,), "told_by": "reasoning", "reasoning": thought}
        return self._step(begun, self._act(action))

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
        elsewhere = [f"in {room}" for room in self.house.rooms if room not in self._senses.room()]
        here = [self.house.name(each) for each in (front, self.house.carrying) if each is not None]
        present = (aim, *here, *(name for name in self._believed.met if name in errand.text))
        return self._supposed(text, begun, elsewhere, present)
