"""The agent does tasks at a desk, by real clicks, and what it does is written down step by step."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from typing import Any

from memarena_builder.agentic.believed import Believed
from memarena_builder.agentic.desk import words
from memarena_builder.agentic.desk.browser import Desk
from memarena_builder.agentic.desk.world import APPS, ATTRIBUTES, COLOURS, value, world
from memarena_builder.agentic.ordinals import ordinal
from memarena_builder.agentic.recipes import DeskRecipe
from memarena_builder.agentic.segment import segments
from memarena_builder.agentic.trajectory import Learnt, Refused, Step, Trajectory
from memarena_builder.questions.known import sentence_case
from memarena_builder.streams import Streams
from memarena_builder.world.values import COUNTS

GUESSED, NOTED, MEDDLED, FAMILIAR = 0.12, 0.45, 0.8, 0.65
"""How often the agent supposes something; a task begins with an old note; somebody changes something between two
tasks; a task is about what the agent has met."""
LISTED = 10
"""Entries of a group at most, so that all are on the screen."""
DAYS = (1, 3)
"""Days between two tasks."""


class Clerk:
    """One agent at one desk."""

    def __init__(self, recipe: DeskRecipe, streams: Streams) -> None:
        self._rngs = {name: streams.rng(name) for name in ("world", "tasks", "meddling", "noise", "words")}
        self.world = world(recipe.apps, recipe.items, self._rngs["world"], small=recipe.small)
        self._spare = self.world.pop("spare")
        self._recipe = recipe
        self._believed = Believed()
        self._spotted: dict[str, str] = {}
        """Where pictures showed each item, the last time."""
        self._about = ""
        """What the present task is about."""
        self._number = self._day = 0
        self._moves: list[list[Any]] = []
        self.desk = Desk(self.world)

    def trajectory(self, sessions: int) -> Trajectory:
        """Task after task, until there are `sessions` sessions; the window is closed then."""
        steps: list[Step] = []
        try:
            while len(segments(steps)) <= sessions:
                steps += self._task()
        finally:
            self.desk.close()
        names = [self._full(app, each["name"]) for app in self._recipe.apps for each in self._items(app)]
        subjects = [(name, attribute) for name in names for attribute in ("place", "value", "label")]
        new, *spare = self._spare
        strangers = [(self._full(app, name), "place") for app in self._recipe.apps for name in spare]
        return Trajectory(
            environment="desk in Chromium",
            world=self.world,
            attributes=ATTRIBUTES,
            steps=tuple(steps),
            called={
                **{f"task {number}": f"the {ordinal(number)} task" for number in range(1, self._number + 1)},
                **{f"the {each.title} application": each.called for each in APPS.values()},
            },
            subjects=tuple(subjects),
            strangers=tuple(strangers),
            cases={f"the {APPS[app].title} application": f"{APPS[app].item} {new}" for app in self._recipe.apps},
        )

    def _items(self, app: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.world["apps"][app]["items"]
        return found

    def _item(self, app: str, name: str) -> dict[str, Any]:
        """An item as it is by now."""
        return next(each for each in self.desk.look()["apps"][app]["items"] if each["name"] == name)

    def _elsewhere(self, app: str, name: str) -> list[str]:
        """The groups to which an item can be moved: the window has room for one more in each."""
        groups = [each["group"] for each in self.desk.look()["apps"][app]["items"]]
        full = {group for group in groups if groups.count(group) >= LISTED}
        return [each for each in APPS[app].groups if each not in full | {self._item(app, name)["group"]}]

    def _full(self, app: str, name: str) -> str:
        return f"the {APPS[app].item} {name}"

    def _task(self) -> Iterator[Step]:
        if self._number and self._rngs["meddling"].random() < MEDDLED:
            self._meddle()
        self._number += 1
        self._day += self._rngs["tasks"].randint(*DAYS)
        rng = self._rngs["tasks"]
        app = rng.choice(self._recipe.apps)
        known = [each for each in self._items(app) if self._full(app, each["name"]) in self._believed.met]
        item = rng.choice(known if known and rng.random() < FAMILIAR else self._items(app))["name"]
        kind = rng.choice(("check", "edit", "move"))
        target = rng.choice(self._elsewhere(app, item)) if kind == "move" else value(app, rng) if kind == "edit" else ""
        yield from self._do(kind, app, item, target)

    def _do(self, kind: str, app: str, item: str, target: str) -> Iterator[Step]:
        subject = self._about = self._full(app, item)
        task = f"task {self._number}"
        text = self._pick(words.TASKS[kind]).format(
            S=subject, V=f"{APPS[app].where} {target}" if kind == "move" else target, F=APPS[app].field.lower()
        )
        begun = self._begin(sentence_case(f"{task}: {text}."), (Learnt(
            subject=task, attribute="about", value=subject, importance=0.6),))  # fmt: skip
        look = self.desk.look()
        if look["view"]["app"] != app:
            yield self._step(begun, self._pick(words.OPEN).format(A=APPS[app].title), [["click", f"[data-app={app}]"]])
            begun = self._begin()
        for group in self._order(app, subject):
            if self.desk.look()["apps"][app]["open"] != group:
                where = f"{APPS[app].where} {group}"
                move = ["click", f'[data-group="{group}"]']
                yield self._step(begun, self._pick(words.SEARCH).format(S=subject, V=where), [move])
                begun = self._begin()
            if self._item(app, item)["group"] == group:
                break
        yield self._step(begun, self._pick(words.SELECT).format(S=subject), [["click", f"[data-item={item}]"]])
        begun = self._begin()
        if kind != "check":
            freed = yield from self._free(begun, app, item)
            begun = self._begin() if freed else begun
            moves = [["fill", "#value", target], ["click", "#set"]]
            if kind == "move":
                moves = [["choose", "#target", target], ["click", "#move"]]
            yield self._step(begun, self._pick(words.ACT), moves, self._changed(kind, app, subject, target))
            begun = self._begin()
        ended = Learnt(subject=task, attribute="outcome", value="done", importance=1.0)
        yield self._step(begun, self._pick(words.STOP), [], (ended,), f"{sentence_case(task)} is done.", ends=True)

    def _order(self, app: str, subject: str) -> list[str]:
        """The groups in the order in which the agent looks through them: where it saw the item last comes first, be it
        that it only stood among others."""
        groups = list(APPS[app].groups)
        self._rngs["tasks"].shuffle(groups)
        last = self._believed.last(subject, "place") or self._spotted.get(subject, "")
        groups.sort(key=lambda group: last != f"{APPS[app].where} {group}")
        return groups

    def _free(self, begun: dict[str, Any], app: str, item: str) -> Generator[Step, None, bool]:
        """Find out what makes a protected item editable; False where it is not protected."""
        state = self.desk.look()
        if not self._item(app, item)["locked"]:
            return False
        title = f"the {APPS[app].title} application"
        known = self._believed.last(title, "remedy")
        tries = [known] if known else list(state["remedies"])
        if not known:
            self._rngs["noise"].shuffle(tries)
        for remedy in tries:
            helps = remedy == state["apps"][app]["remedy"]
            learnt = (Learnt(subject=title, attribute="remedy", value=remedy, importance=1.0),) if helps else ()
            refused = Refused(subject=title, attribute="remedy", value=remedy, kind="failed action")
            thought = self._pick(words.TRY).format(A=title, V=remedy)
            mine = begun if helps or begun["refused"] else begun | {"refused": (refused,), "told_by": "reasoning"}
            move = ["click", f'[data-remedy="{remedy}"]']
            yield self._step(mine, thought, [move], learnt, failed=not helps, about=title)
            if helps:
                break
            begun = self._begin()
        return True

    def _changed(self, kind: str, app: str, subject: str, target: str) -> tuple[Learnt, ...]:
        if kind == "move":
            return (Learnt(subject=subject, attribute="place", value=f"{APPS[app].where} {target}"),)
        return (Learnt(subject=subject, attribute="value", value=target),)

    def _begin(self, opening: str = "", told: tuple[Learnt, ...] = ()) -> dict[str, Any]:
        """The observation of a step, and what is known from it."""
        state = self.desk.look()
        app = state["view"]["app"]
        here = state["apps"][app]
        where = f"{APPS[app].where} {here['open']}"
        chosen = next((each for each in here["items"] if each["name"] == state["view"]["item"]), None)
        seen = [*told, *self._seen(app, here, where, chosen)]
        shows = tuple(self._shown(app, here, where))
        seen = [each for each in seen if not each.visual or self._believed.is_new(each)]
        picked = f"{self._full(app, chosen['name'])} {where}" if chosen else "nothing"
        text = f"The {APPS[app].title} application is open {where}. Selected: {picked}."
        text = f"{opening} {text}" if opening else text
        refused: tuple[Refused, ...] = ()
        if opening and self._rngs["noise"].random() < NOTED:
            old = self._believed.old_note(("place",), (), self._rngs["noise"])
            if old:
                text, refused = f"{text} {self._pick(words.NOTES).format(S=old.subject, V=old.value)}", (old,)
        begun: dict[str, Any] = {"observation": text, "seen": tuple(seen), "refused": refused}
        begun["told_by"] = "observation"
        shown = ", ".join(f"{each.subject}, {each.attribute}: {each.value}" for each in seen if each.visual)
        if shown:
            caption = self._pick(words.CAPTIONS).format(A=APPS[app].title)
            begun |= {"picture": self.desk.picture(), "caption": caption, "caption_full": f"{caption} ({shown})"}
            begun["shows"] = shows
            self._spotted.update((each.subject, each.value) for each in shows if each.attribute == "place")
        for each in seen:
            self._believed.take(each)
        return begun

    def _seen(self, app: str, here: dict[str, Any], where: str, chosen: dict[str, Any] | None) -> Iterator[Learnt]:
        """What the agent takes notice of: how many entries there are, what is selected, and what it handled before."""
        subject = self._full(app, chosen["name"]) if chosen else ""
        for each in self._shown(app, here, where):
            handled = self._believed.last(each.subject, "place") != ""
            if each.attribute == "items" or (handled and each.subject != subject):
                yield each
        if chosen:
            yield Learnt(subject=subject, attribute="place", value=where)
            visual = self._believed.last(subject, "value") != chosen["value"]
            if visual:
                yield Learnt(subject=subject, attribute="value", value=chosen["value"], visual=True, importance=0.6)
            yield Learnt(subject=subject, attribute="label", value=chosen["label"], visual=True)

    def _shown(self, app: str, here: dict[str, Any], where: str) -> Iterator[Learnt]:
        """All that the screen shows of what is open."""
        listed = [each for each in here["items"] if each["group"] == here["open"]]
        number = COUNTS[len(listed)] if len(listed) < len(COUNTS) else f"more than {COUNTS[-1]}"
        yield Learnt(subject=where, attribute="items", value=number, visual=True)
        for each in listed:
            subject = self._full(app, each["name"])
            for attribute, text in (("place", where), ("value", each["value"]), ("label", each["label"])):
                yield Learnt(subject=subject, attribute=attribute, value=text, visual=True)

    def _step(
        self,
        begun: dict[str, Any],
        thought: str,
        moves: Sequence[list[Any]],
        learnt: Sequence[Learnt] = (),
        feedback: str = "",
        *,
        failed: bool = False,
        ends: bool = False,
        about: str = "",
    ) -> Step:
        before = self.desk.look()
        app, selected = before["view"]["app"], before["view"]["item"]
        for move in moves:
            self.desk.make(move)
        if (learnt and not feedback) or failed:
            message = self.desk.look()["view"]["message"]
            feedback = sentence_case(message.replace(selected, self._full(app, selected)) if selected else message)
            feedback = f"{feedback} This is {about}." if about else feedback
        for each in learnt:
            self._believed.take(each)
        supposed = self._guess(begun, app, {before["apps"][app]["open"], self.desk.look()["apps"][app]["open"]})
        extra = {"reasoning": f"{thought} {supposed[0]}", "refused": (supposed[1],), "told_by": "reasoning"}
        begun = begun | (extra if supposed[1] else {"reasoning": thought})
        whole, self._moves = (*self._moves, *moves), []
        return Step(
            **begun,
            action=", ".join(words.action(move) for move in moves) or "stop()",
            feedback=feedback,
            learnt=tuple(learnt),
            failed=failed,
            ends=ends,
            day=self._day,
            moves=whole,
            state=self.desk.state(),
        )

    def _guess(self, begun: dict[str, Any], app: str, opened: Collection[str]) -> tuple[str, Refused | None]:
        """A guess now and then, about none of what stands in the groups that are `opened`."""
        if begun["refused"] or self._rngs["noise"].random() >= GUESSED:
            return "", None
        places = [f"{APPS[app].where} {group}" for group in APPS[app].groups if group not in opened]
        items = self.desk.look()["apps"][app]["items"]
        hidden = {self._full(app, each["name"]) for each in items if each["group"] not in opened} - {self._about}
        present = [name for name in self._believed.met if name not in hidden]
        guess = self._believed.guess("place", places, self._rngs["noise"], present)
        if guess is None:
            return "", None
        return self._pick(words.GUESSES).format(S=guess.subject, V=guess.value), guess

    def _meddle(self) -> None:
        """Somebody else changes something."""
        rng = self._rngs["meddling"]
        app = rng.choice(self._recipe.apps)
        known = [each for each in self._items(app) if self._full(app, each["name"]) in self._believed.met]
        name = rng.choice(known or self._items(app))["name"]
        label = self._item(app, name)["label"]
        changes = rng.choice(
            (
                {"group": rng.choice(self._elsewhere(app, name))},
                {"value": value(app, rng)},
                {"label": rng.choice([each for each in COLOURS if each != label])},
            )
        )
        move = ["behind", app, name, changes]
        self.desk.make(move)
        self._moves.append(move)

    def _pick(self, choices: Sequence[str]) -> str:
        return self._rngs["words"].choice(choices)
