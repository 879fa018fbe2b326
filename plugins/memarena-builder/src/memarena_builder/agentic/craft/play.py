"""The agent does tasks in a valley, and what it does is written down step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from memarena_builder.agentic.attributes import HEADINGS
from memarena_builder.agentic.craft import words
from memarena_builder.agentic.craft.expert import DO, MAKE, SOURCES, TOOLS, Expert, Intent, Plan
from memarena_builder.agentic.craft.senses import TASK, Senses
from memarena_builder.agentic.craft.tasks import FULL, Task, Tasks, meddle
from memarena_builder.agentic.craft.valley import Valley, ValleySpec
from memarena_builder.agentic.player import Player
from memarena_builder.agentic.recipes import ValleyRecipe
from memarena_builder.agentic.trajectory import Learnt, Refused, Step, Trajectory
from memarena_builder.questions.known import sentence_case
from memarena_builder.streams import Streams

STRIDE = 8
"""Actions of one step at most."""
PATIENCE = 160
"""Actions for one task, after which it is given up."""


class Settler(Player):
    """One agent in one valley."""

    def __init__(self, recipe: ValleyRecipe, streams: Streams) -> None:
        super().__init__(words, streams)
        self.made_of = ValleySpec(seed=streams.at("valley").number)
        self.valley = Valley(self.made_of)
        self._recipe = recipe
        self._senses = Senses(self.valley)
        self._tasks = Tasks(self.valley, self._rngs["tasks"])
        self._tried: dict[str, None] = {}
        """What was tried in vain and not had since."""
        self._visited: dict[str, None] = {}
        self._pulled = self._missed = False
        """Whether the agent pulled at something in this task; and found that something is not where it was."""

    def trajectory(self, sessions: int) -> Trajectory:
        """Task after task, until there are `sessions` sessions."""
        steps = self._played(sessions, self._task)
        spare = [
            f"the {kind} {tag}"
            for kind, tag in zip(("table", "cairn", "furnace") * 4, self.valley.spare(), strict=False)
        ]
        subjects = [(name, words.ENTERED) for name in self.valley.districts if f"in {name}" not in self._visited]
        subjects += [(item, "source") for item in words.STOCKS]
        subjects += [(tool, "needs") for tool in words.TOOLS.values()]
        return Trajectory(
            environment="Crafter valley",
            world=self.made_of,
            attributes=words.ATTRIBUTES,
            steps=steps,
            called=self._called(),
            subjects=tuple(subjects),
            cases={name: self.valley.spare()[-1] for name in (*words.TOOLS.values(), *words.STOCKS)},
            strangers=tuple((name, attribute) for name in spare for attribute in ("place", *HEADINGS)),
        )

    def _task(self) -> list[Step]:
        if self._number:
            self._moves += meddle(self.valley, self._rngs["meddling"], self._recipe.changes)
        self._next()
        return list(self._steps(self._tasks.draw()))

    def _steps(self, task: Task) -> Iterator[Step]:
        begun = self._begin(task, self._pick(words.TASKS[task.kind]).format(A=task.about))
        plan, spent = Plan(self._intents(task)), 0
        self._pulled = self._missed = False
        while plan.now is not None and spent < PATIENCE:
            if self._is_clumsy(begun):
                yield self._clumsy(begun)
            else:
                step = self._stride(plan, begun, task)
                spent += len(step.action.split(", "))
                yield step
            begun = self._begin(task)
        value = "given up" if plan.lost or plan.now is not None else "done"
        ended = Learnt(subject=self._name, attribute="outcome", value=value, importance=1.0)
        begun["reasoning"] = self._pick(words.THOUGHTS["stop" if value == "done" else "lost"])
        yield self._step(begun, (), f"{sentence_case(self._name)} is {value}.", (ended,), ends=True)

    def _intents(self, task: Task) -> Iterator[Intent]:
        """The actions of a task. What was moved is looked for where it was; what was never had is first tried just
        like that."""
        expert, holds = Expert(self.valley), self.valley.holds
        if task.kind == "visit":
            yield from expert.reach({self._tasks.seen_at[task.what]}, task.what)
            yield from expert.reach({self.valley.built[task.what]}, task.what)
        elif task.kind == "gather":
            tool = TOOLS.get(task.what)
            if tool and not holds[tool]:
                yield from expert.reach(self.valley.cells(SOURCES[task.what]), task.what)
                yield Intent(DO, "try", task.what)
            yield from expert.gather(task.what, min(holds[task.what] + task.number, FULL))
        elif task.kind == "drink":
            yield from expert.gather("drink", FULL)
        elif task.kind == "build":
            yield from expert.build(task.what)
        elif task.kind == "make":
            if task.what not in self._tried:
                yield Intent(MAKE[task.what], "try", task.what)
            yield from expert.make(task.what)
        else:
            yield from expert.eat() if task.kind == "eat" else expert.rest()

    def _begin(self, task: Task, opening: str = "") -> dict[str, Any]:
        """The observation of a step, and what is known from it."""
        self._senses.arrive()
        found = self._senses.seen(task.about, opening=bool(opening))
        about = Learnt(subject=self._name, attribute="about", value=task.about, importance=TASK)
        seen, shot = filter(self._is_noted, found), partial(self._shot, pack=bool(opening))
        begun = self._looked(self._senses.look(), found, seen, shot, opening, [about] if opening else [])
        self._tasks.look()
        return begun

    def _shot(self, *, pack: bool) -> tuple[bytes, str]:
        captions = words.CAPTIONS if pack else words.VIEWS
        return self._senses.picture(pack=pack), self._pick(captions).format(R=self._senses.where())

    def _is_noted(self, learnt: Learnt) -> bool:
        """Whether it is known from now on: what a picture shows again is not, nor a meadow where nothing else was, nor
        that there is none of what the pack never held."""
        plain = learnt.value == words.PLAIN or (learnt.attribute == "stock" and learnt.value == words.NUMBERS[0])
        if plain and not self._believed.last(learnt.subject, learnt.attribute):
            return False
        return not learnt.visual or self._believed.is_new(learnt)

    def _stride(self, plan: Plan, begun: dict[str, Any], task: Task) -> Step:
        """Act until there is something to tell."""
        intent = plan.now
        assert intent is not None
        begun = begun | self._thought(intent, begun, task)
        here, front = self._senses.where(), self.valley.named(self.valley.face())
        made: list[int] = []
        while True:
            before = self.valley.holds
            built = self.valley.act(intent.action)
            made.append(intent.action)
            feedback, learnt, failed = self._came_of(intent, before, built)
            plan.advance()
            turned = self.valley.named(self.valley.face()) not in ("", front)
            following = plan.now
            if feedback or turned or self._senses.where() != here or len(made) >= STRIDE or following is None:
                break
            if following.why != intent.why:
                break
            intent = following
        return self._step(begun, made, feedback, learnt, failed=failed)

    def _came_of(self, intent: Intent, before: dict[str, int], built: str) -> tuple[str, tuple[Learnt, ...], bool]:
        """The feedback on an action, what is known from it, and whether it had no effect."""
        if intent.why == "try":
            self._tried[intent.aim] = None
            return "Action failed: nothing happens.", (), True
        if built:
            self._tasks.look()
            where = f"in {self.valley.district(self.valley.face())}"
            place = Learnt(subject=built, attribute="place", value=where, importance=TASK)
            return f"Action succeeded: {built} is now {where}.", (place,), False
        level = {"a meal": "food"}.get(intent.aim, intent.aim)
        if intent.why not in ("make", "gather") or self.valley.holds[level] <= before[level]:
            return "", (), False
        return (*(self._made(level) if intent.why == "make" else self._gathered(level)), False)

    def _made(self, tool: str) -> tuple[str, tuple[Learnt, ...]]:
        name = words.TOOLS[tool]
        if tool not in self._tried:
            return f"Action succeeded: {name} is made.", ()
        del self._tried[tool]
        bench = "a table and a furnace" if tool.startswith("iron") else "a table"
        lesson = Learnt(subject=name, attribute="needs", value=bench, importance=1.0)
        return f"Action succeeded: with {bench} beside you, {name} is made.", (lesson,)

    def _gathered(self, item: str) -> tuple[str, tuple[Learnt, ...]]:
        thing = {"food": "a meal", "drink": "fresh water"}.get(item, item)
        where = f"in {self.valley.district(self.valley.face())}"
        source = Learnt(subject=thing, attribute="source", value=where)
        if item in self._tried:
            del self._tried[item]
            tool = words.TOOLS[TOOLS[item]]
            lesson = Learnt(subject=thing, attribute="needs", value=tool, importance=1.0)
            return f"Action succeeded: with {tool}, {thing} was to be had {where}.", (source, lesson)
        if self._believed.is_new(source):
            return f"Action succeeded: {thing} was to be had {where}.", (source,)
        return "", ()

    def _is_clumsy(self, begun: dict[str, Any]) -> bool:
        """Whether something is tried that has no effect: once a task at most."""
        possible = not self._pulled and not begun["refused"] and self.valley.named(self.valley.face()) != ""
        return possible and self._rngs["noise"].random() < self._recipe.clumsy

    def _clumsy(self, begun: dict[str, Any]) -> Step:
        """A step that has no effect, with what one could take it to have done."""
        self._pulled = True
        name = self.valley.named(self.valley.face())
        refused = Refused(subject=name, attribute="place", value=words.IN_HAND, kind="failed action")
        thought = self._pick(words.ATTEMPTS).format(S=name, V=words.IN_HAND)
        begun = begun | {"refused": (refused,), "told_by": "reasoning", "reasoning": thought}
        self.valley.act(DO)
        return self._step(begun, (DO,), "Action failed: nothing happens.", (), failed=True)

    def _thought(self, intent: Intent, begun: dict[str, Any], task: Task) -> dict[str, Any]:
        """What the agent thinks, now and then with a guess."""
        aim = {"drink": "fresh water", **words.TOOLS}.get(intent.aim, intent.aim)
        aim = f"a {aim}" if aim in ("table", "furnace", "cairn") else aim
        key = self._way_of_thinking(intent, task)
        choices = words.TRIALS if key == "try" else words.THOUGHTS[key]
        text = sentence_case(self._pick(choices).format(A=aim))
        elsewhere = [each for each in self._visited if each != f"in {self._senses.where()}"]
        present = (task.what, self.valley.named(self.valley.face()))
        return self._supposed(text, begun, elsewhere, present)

    def _way_of_thinking(self, intent: Intent, task: Task) -> str:
        """The key of the thoughts: on its way the agent knows what is in view, and where it saw what it built."""
        if intent.why != "walk":
            return intent.why
        view = set(self.valley.view())
        if task.kind != "visit":
            source = SOURCES.get(intent.aim)
            return "walk" if source is None or view & set(self.valley.cells(source)) else "seek"
        if self.valley.face() == self._tasks.seen_at[task.what]:
            self._missed = True
            return "gone"
        return "seek" if self._missed and self.valley.built[task.what] not in view else "walk"

    def _step(
        self,
        begun: dict[str, Any],
        made: Sequence[int],
        feedback: str,
        learnt: Sequence[Learnt] = (),
        *,
        failed: bool = False,
        ends: bool = False,
    ) -> Step:
        self._visited[f"in {self._senses.where()}"] = None
        actions = (words.ACTIONS[each] for each in made)
        return self._stepped(begun, made, actions, self.valley.state(), feedback, learnt, failed=failed, ends=ends)
