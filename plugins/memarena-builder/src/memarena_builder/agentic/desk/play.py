"""The agent does tasks at a desk, by real clicks, and what it does is written down step by step."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from functools import partial
from typing import Any

from memarena_builder.agentic.desk import words
from memarena_builder.agentic.desk.browser import Desk
from memarena_builder.agentic.desk.world import APPS, ATTRIBUTES, COLOURS, value, world
from memarena_builder.agentic.player import Player
from memarena_builder.agentic.recipes import DeskRecipe
from memarena_builder.agentic.trajectory import Learnt, Refused, Step, Trajectory
from memarena_builder.questions.known import sentence_case
from memarena_builder.streams import Streams
from memarena_builder.world.values import COUNTS

MEDDLED, FAMILIAR = 0.8, 0.65
"""How often somebody changes something between two tasks; a task is about what the agent has met."""
LISTED = 10
"""Entries of a group at most, so that all are on the screen."""


class Clerk(Player):
    """One agent at one desk."""

    def __init__(self, recipe: DeskRecipe, streams: Streams) -> None:
        super().__init__(words, streams)
        self.world = world(recipe.apps, recipe.items, streams.rng("world"), small=recipe.small)
        self._spare = self.world.pop("spare")
        self._recipe = recipe
        self._spotted: dict[str, str] = {}
        """Where pictures showed each item, the last time."""
        self._about = ""
        """What the present task is about."""
        self.desk = Desk(self.world)

    def trajectory(self, sessions: int) -> Trajectory:
        """Task after task, until there are `sessions` sessions; the window is closed then."""
        try:
            steps = self._played(sessions, self._task)
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
            steps=steps,
            called=self._called(),
            subjects=tuple(subjects),
            strangers=tuple(strangers),
            cases={
                f"{APPS[app].where} {group}": f"{APPS[app].item} {new}"
                for app in self._recipe.apps
                for group in APPS[app].groups
            },
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
        rng = self._next()
        app = rng.choice(self._recipe.apps)
        known = [each for each in self._items(app) if self._full(app, each["name"]) in self._believed.met]
        item = rng.choice(known if known and rng.random() < FAMILIAR else self._items(app))["name"]
        kind = rng.choice(("check", "edit", "move"))
        target = rng.choice(self._elsewhere(app, item)) if kind == "move" else value(app, rng) if kind == "edit" else ""
        yield from self._do(kind, app, item, target)

    def _do(self, kind: str, app: str, item: str, target: str) -> Iterator[Step]:
        subject = self._about = self._full(app, item)
        text = self._pick(words.TASKS[kind]).format(
            S=subject, V=f"{APPS[app].where} {target}" if kind == "move" else target, F=APPS[app].field.lower()
        )
        begun = self._begin(text)
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
        ended = Learnt(subject=self._name, attribute="outcome", value="done", importance=1.0)
        feedback = f"{sentence_case(self._name)} is done."
        yield self._step(begun, self._pick(words.STOP), [], (ended,), feedback, ends=True)

    def _order(self, app: str, subject: str) -> list[str]:
        """The groups in the order in which the agent looks through them: where it saw the item last comes first, be it
        that it only stood among others."""
        groups = list(APPS[app].groups)
        self._rngs["tasks"].shuffle(groups)
        last = self._believed.last(subject, "place") or self._spotted.get(subject, "")
        groups.sort(key=lambda group: last != f"{APPS[app].where} {group}")
        return groups

    def _free(self, begun: dict[str, Any], app: str, item: str) -> Generator[Step, None, bool]:
        """Find out what makes a protected item editable where it is; False where it is not protected."""
        state, found = self.desk.look(), self._item(app, item)
        if not found["locked"]:
            return False
        where = f"{APPS[app].where} {found['group']}"
        known = self._believed.last(where, "remedy")
        tries = [known] if known else list(state["remedies"])
        if not known:
            self._rngs["noise"].shuffle(tries)
        for remedy in tries:
            helps = remedy == state["apps"][app]["remedies"][found["group"]]
            learnt = (Learnt(subject=where, attribute="remedy", value=remedy, importance=1.0),) if helps else ()
            refused = Refused(subject=where, attribute="remedy", value=remedy, kind="failed action")
            thought = self._pick(words.TRY).format(A=where, V=remedy)
            mine = begun if helps or begun["refused"] else begun | {"refused": (refused,), "told_by": "reasoning"}
            move = ["click", f'[data-remedy="{remedy}"]']
            yield self._step(mine, thought, [move], learnt, failed=not helps, about=where)
            if helps:
                break
            begun = self._begin()
        return True

    def _changed(self, kind: str, app: str, subject: str, target: str) -> tuple[Learnt, ...]:
        if kind == "move":
            return (Learnt(subject=subject, attribute="place", value=f"{APPS[app].where} {target}"),)
        return (Learnt(subject=subject, attribute="value", value=target),)

    def _begin(self, opening: str = "") -> dict[str, Any]:
        """The observation of a step, and what is known from it."""
        state = self.desk.look()
        app = state["view"]["app"]
        here = state["apps"][app]
        where = f"{APPS[app].where} {here['open']}"
        chosen = next((each for each in here["items"] if each["name"] == state["view"]["item"]), None)
        found = tuple(self._shown(app, here, where))
        seen = [each for each in self._seen(found, where, chosen) if not each.visual or self._believed.is_new(each)]
        picked = f"{self._full(app, chosen['name'])} {where}" if chosen else "nothing"
        text = f"The {APPS[app].title} application is open {where}. Selected: {picked}."
        about = Learnt(subject=self._name, attribute="about", value=self._about, importance=0.6)
        begun = self._looked(text, found, seen, partial(self._shot, app), opening, [about] if opening else [])
        if "picture" in begun:
            self._spotted.update((each.subject, each.value) for each in found if each.attribute == "place")
        return begun

    def _shot(self, app: str) -> tuple[bytes, str]:
        return self.desk.picture(), self._pick(words.CAPTIONS).format(A=APPS[app].title)

    def _seen(self, found: Sequence[Learnt], where: str, chosen: dict[str, Any] | None) -> Iterator[Learnt]:
        """What the agent takes notice of: how many entries there are, what is selected, and what it handled before."""
        subject = next((each.subject for each in found if chosen and each.subject.endswith(f" {chosen['name']}")), "")
        for each in found:
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
            feedback = f"{feedback} This was {about}." if about else feedback
        opened = {before["apps"][app]["open"], self.desk.look()["apps"][app]["open"]}
        begun = begun | self._supposed(thought, begun, *self._out_of_sight(app, opened))
        actions = map(words.action, moves)
        return self._stepped(begun, moves, actions, self.desk.state(), feedback, learnt, failed=failed, ends=ends)

    def _out_of_sight(self, app: str, opened: Collection[str]) -> tuple[list[str], list[str]]:
        """The places that are not `opened`; and what the agent met of which it has nothing to suppose."""
        places = [f"{APPS[app].where} {group}" for group in APPS[app].groups if group not in opened]
        items = self.desk.look()["apps"][app]["items"]
        hidden = {self._full(app, each["name"]) for each in items if each["group"] not in opened} - {self._about}
        return places, [name for name in self._believed.met if name not in hidden]

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
