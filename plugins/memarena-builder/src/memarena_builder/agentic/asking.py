"""Asks at checkpoints of a trajectory: type by type, until the checkpoint has the questions that were ordered."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from memarena.records import TYPES
from memarena_builder.agentic.drafts import MAKERS, MOST, Make, memory_boundary, memory_conflict
from memarena_builder.agentic.known import Learned
from memarena_builder.agentic.queries import sort
from memarena_builder.questions.ask import Asked, Stop, proved_question
from memarena_builder.questions.chosen import MIDDLE, Chosen
from memarena_builder.questions.known import Draft
from memarena_builder.questions.query import minimal
from memarena_builder.streams import Streams

Refuse = Callable[[Asked, Learned], str]
"""What speaks against a question; "" for nothing."""
TENDENCY = {"DU": 0.8, "VU": 0.8, "MC": 0.7, "TTL": 0.8}
"""Where evidence of a type would stand by itself: what changed was seen late."""
NEAR = 3
"""Of the drafts whose evidence stands nearest to the place that was drawn, how many may be chosen."""
LEANS, LEANS_LESS = 0.3, {"TTL": 0.2}
"""How far the evidence of a type may lean to one end in a sample; and of types of which a sample asks few."""
FAR = 0.35
"""How far evidence may stand from there, as a share of what was told; what is farther is asked last."""
USUAL = {
    "state": "open", "distinct": "two", "many place": "two", "on entering": "two", "items": "two", "needs": "a table",
    "new needs": "a table",
}  # fmt: skip
"""By family: the answer that most questions of it would have; no more of those are asked than of all others, unless
there is nothing else to ask."""
LOOKED_AT = 60
"""Drafts of one type that are looked at for one question, at most."""


def ask(
    known_at: Sequence[tuple[Learned, tuple[str, ...]]], questions: int, streams: Streams, refuse: Refuse
) -> list[Stop]:
    """The checkpoints: for each what is known there and which sessions it covers. `questions`: of all together.

    What one checkpoint cannot ask the later ones do, as far as they can.
    """
    chosen = Chosen(TENDENCY)
    balance = [0, streams.number % 2]
    order = list(TYPES)
    streams.rng("types").shuffle(order)
    asked, drift = dict.fromkeys(order, 0), dict.fromkeys(order, 0.0)
    usual = dict.fromkeys((*USUAL, "VS"), 0)
    stops: list[Stop] = []
    for number, (known, covered) in enumerate(known_at):
        done = sum(len(stop.questions) for stop in stops)
        wanted = (questions * (number + 1)) // len(known_at) - done
        asker = _Asker(known, balance, asked, streams.at(number), chosen, drift, usual, refuse)
        name = f"QA{number:02}"
        made = asker.questions(name, wanted, late=2 * number >= len(known_at))
        stops.append(Stop(checkpoint_id=name, covered=covered, index=known.until, questions=made))
    return stops


class _Asker:
    """Asks at one checkpoint."""

    def __init__(
        self,
        known: Learned,
        balance: list[int],
        asked: dict[str, int],
        streams: Streams,
        chosen: Chosen,
        drift: dict[str, float],
        usual: dict[str, int],
        refuse: Refuse,
    ) -> None:
        self._asked = asked
        """How many questions the sample has so far, by type; of equal ones the first is asked next."""
        self._known = known
        self._balance = balance
        """How many claims were wrong and right so far, the first of a sample put one ahead or not by its seed."""
        self._streams = streams
        self._chosen = chosen
        self._drift = drift
        """How far the evidence of all questions of a type leans to the end, by type: the sum of what each is beyond the
        middle."""
        self._usual = usual
        """How many answers more were the usual one than another, by family."""
        self._refuse = refuse
        self._strict = True
        """Whether evidence may not yet stand just anywhere."""
        self._late = False

    def questions(self, name: str, wanted: int, *, late: bool) -> tuple[Asked, ...]:
        """`wanted` questions, each of the type of which the sample has the fewest by then; fewer where there is nothing
        more to ask. Where it is `late` the evidence of the first question of most types may stand anywhere."""
        self._late = late
        made: list[tuple[Asked, int]] = []
        for self._strict in (True, False):
            left = list(self._asked)
            while left and len(made) < wanted:
                kind = min(left, key=self._asked.__getitem__)
                found = self._some(kind, len(made), room=wanted - len(made))
                if not found:
                    left.remove(kind)
                made += [(each, len(made) if len(found) > 1 else -1) for each in found]
                for each in found:
                    self._asked[each.type] += 1
        return self._named(name, made)

    def _some(self, kind: str, number: int, *, room: int) -> tuple[Asked, ...]:
        """A question of a type, the `number`-th of the checkpoint; of what cannot be answered a pair, where there is
        `room` for two."""
        if kind == "MB":
            return self._pair(number) if room > 1 else ()
        return self._one(kind, number)

    def _named(self, name: str, made: Sequence[tuple[Asked, int]]) -> tuple[Asked, ...]:
        places = list(range(len(made)))
        self._streams.rng("order").shuffle(places)
        ids = {place: f"{name}:Q{number:03}" for number, place in enumerate(places, 1)}
        twins: dict[int, int] = {}
        for place, (_, pair) in enumerate(made):
            for other, (_, same) in enumerate(made):
                if pair >= 0 and same == pair and other != place:
                    twins[place] = other
        return tuple(
            replace(made[place][0], question_id=ids[place], twin=ids[twins[place]] if place in twins else "")
            for place in places
        )

    def _one(self, kind: str, number: int) -> tuple[Asked, ...]:
        make = MAKERS.get(kind)
        if kind == "MC":
            agrees = self._balance[True] <= self._balance[False]
            make = partial(memory_conflict, agrees=agrees)
        assert make is not None
        found = self._first(make, f"{kind} {number}")
        if kind == "MC" and found:
            self._balance["," not in found.answer] += 1
        return (found,) if found else ()

    def _pair(self, number: int) -> tuple[Asked, ...]:
        """A question that cannot be answered, and one of the same family that can."""
        rng = self._streams.rng("MB", number)
        drafts = list(memory_boundary(self._known, rng))
        rng.shuffle(drafts)
        for draft in drafts[:LOOKED_AT]:
            boundary = self._proved(draft)
            twin = self._twin(draft, number) if boundary else None
            if boundary and twin:
                self._chosen.add(draft, None)
                return boundary, twin
        return ()

    def _twin(self, draft: Draft, number: int) -> Asked | None:
        known = self._known
        name, _, family = draft.template.partition("/")
        attribute = known.trajectory.attribute(name)

        def same(kind: str, _: Learned, rng: random.Random) -> Iterator[Draft]:
            for each in MAKERS[kind](known, rng):
                key = each.keys[0]
                alike = sort(key.subject) == sort(draft.keys[0].subject)
                if key.attribute == name and alike and each.template.partition("/")[0] == name:
                    text = attribute.asked[int(family)].format(S=key.subject)
                    yield each._replace(text=text, template=draft.template)

        kinds = ("FR", "VFR", "DU", "VU")
        found = (self._first(partial(same, kind), f"twin {kind} {number}") for kind in kinds)
        return next((each for each in found if each), None)

    def _first(self, make: Make, name: str) -> Asked | None:
        """A question of which the evidence stands near a place that is drawn anew each time."""
        rng = self._streams.rng(name)
        ranked: list[tuple[bool, float, int, Draft]] = []
        drafts = [draft for draft in make(self._known, rng) if not self._chosen.has(draft)]
        rng.shuffle(drafts)
        for order, draft in enumerate(drafts[:LOOKED_AT]):
            evidence = minimal(draft.query, self._known.facts)
            if 0 < len(evidence) <= MOST:
                place = self._known.position(evidence)
                far = abs(place - self._chosen.place(draft.type, self._streams.rng(name, draft.type)))
                usual = self._is_usual(draft)
                fair = not usual or self._usual[_family(draft)] <= 0
                overdue = self._late and not self._asked[draft.type] and draft.type not in LEANS_LESS
                if not self._strict or overdue or (fair and far <= FAR and self._bears(draft.type, place)):
                    ranked.append((usual, far, order, draft))
        ranked.sort(key=lambda each: each[:3])
        near = [draft for usual, _, _, draft in ranked[:NEAR] if usual is ranked[0][0]]
        rest = [draft for _, _, _, draft in ranked[len(near) :]]
        rng.shuffle(near)
        return self._kept((*near, *rest))

    def _bears(self, kind: str, place: float) -> bool:
        """Whether the evidence of a type still stands around the middle, all in all, with one more there."""
        drift = self._drift[kind]
        return abs(drift + place - MIDDLE) <= max(LEANS_LESS.get(kind, LEANS), abs(drift))

    def _is_usual(self, draft: Draft) -> bool:
        """Whether its answer is the one that is nearly always right, or the newest picture of its subject: then it is
        asked when nothing else can be."""
        usual = USUAL.get(_family(draft), "")
        if draft.type == "VS":
            usual = self._known.newest_picture(draft.keys[0].subject)
        found = draft.query.evaluate(self._known.facts) if usual else None
        return found is not None and found.answer == usual

    def _kept(self, drafts: Iterable[Draft]) -> Asked | None:
        for draft in drafts:
            made = self._proved(draft)
            if made:
                place = self._known.position(made.evidence)
                self._chosen.add(draft, place)
                self._drift[made.type] += place - MIDDLE
                if _family(draft) in self._usual:
                    self._usual[_family(draft)] += 1 if self._is_usual(draft) else -1
                return made
        return None

    def _proved(self, draft: Draft) -> Asked | None:
        """The question with its answer and evidence, unless something speaks against it."""
        made = None if self._chosen.has(draft) else proved_question(draft, self._known.facts)
        return None if made is None or self._refuse(made, self._known) else made


def _family(draft: Draft) -> str:
    """The words and the kind of answer of a question, whatever it is asked of."""
    return "VS" if draft.type == "VS" else draft.template.rpartition("/")[0].rpartition(">")[2]
