"""Asks at checkpoints: chooses among what could be asked, proves the evidence, keeps each question once a sample."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from msgspec.structs import replace

from memarena.records import NOT_MENTIONED, TYPES, Record
from memarena_builder.packs.schema import Pack
from memarena_builder.plan.events import Plan
from memarena_builder.questions import knowledge, recall
from memarena_builder.questions.alternatives import alternatives
from memarena_builder.questions.chosen import Chosen
from memarena_builder.questions.known import Draft, Known
from memarena_builder.questions.mix import ANY, OPEN, Size, pieces_of
from memarena_builder.questions.query import Query, minimal, proved
from memarena_builder.questions.ranked import Ranked, ranked
from memarena_builder.questions.ways import CLAIM_EVERY, Make, ways
from memarena_builder.streams import Streams
from memarena_builder.world.facts import Fact

NAMES: Mapping[str, str] = {
    "FR": "factual_recall", "DU": "dynamic_update", "MB": "memory_boundary", "MC": "memory_change",
    "TR": "temporal_reasoning", "KR": "knowledge_reasoning", "TTL": "time_to_live", "VFR": "visual_factual_recall",
    "VS": "visual_search", "VU": "visual_update", "CMR": "cross_modal_reasoning",
}  # fmt: skip
"""The long name of each type."""
LOOKED_AT = 2
"""Of the questions whose evidence stands nearest to the place that was drawn, how many may be chosen."""


FAR = 0.4
"""How far from the place that was drawn evidence is too far off, for the types of `WAITING`."""
WAITING = frozenset({"FR", "DU", "TR", "KR", "VFR", "VU"})
"""Types of which one may wait for a later checkpoint, where the evidence of all that could be asked is too far off: by
then what was told stands nearer to the beginning."""
FILLING = ("FR", "TR", "KR", "DU", "VFR", "VS", "TTL", "CMR", "VU", "MC")
"""Types that fill the place of one that has no question left."""


class Asked(Record, frozen=True, kw_only=True):
    """One question with its gold, and how it came to be."""

    question_id: str
    """`QA01:Q003`, as a loader names it."""
    type: str
    text: str
    answer: str
    query: Query
    evidence: tuple[Fact, ...]
    alternatives: tuple[tuple[Fact, ...], ...] = ()
    """Further sets of evidence, each of which is enough too."""
    difficulty: str
    template: str
    stale: tuple[str, ...] = ()
    reason: str = ""
    """Why it cannot be answered; "" where it can."""
    twin: str = ""
    """Id of the question that it makes a pair with: one answerable, one not, of one family."""


class Stop(Record, frozen=True, kw_only=True):
    """One checkpoint."""

    checkpoint_id: str
    covered: tuple[str, ...]
    index: int
    """Place of its last session."""
    questions: tuple[Asked, ...]


def ask(
    pack: Pack, plan: Plan, checkpoints: int, streams: Streams, refuse: Callable[[Asked, Known], str]
) -> list[Stop]:
    """The checkpoints of a sample: one question of each type at each; a type that has none is made up for later.

    At the last checkpoint another type fills the place of one that has none left.
    `refuse` says what speaks against a question ("" for nothing); then another one is chosen.
    """
    total = len(plan.sessions)
    ends = [round((number + 1) * total / checkpoints) - 1 for number in range(checkpoints)]
    chosen = Chosen()
    parity = streams.number % (2 * CLAIM_EVERY)
    stops = []
    begin = 0
    owed: list[str] = []
    for number, end in enumerate(ends):
        asker = _Asker(Known(pack, plan, end), number, parity, streams.at(number), chosen, refuse)
        covered = tuple(session.session_id for session in plan.sessions[begin : end + 1])
        name = f"QA{number:02}"
        stops.append(
            Stop(
                checkpoint_id=name,
                covered=covered,
                index=end,
                questions=asker.questions(name, owed, last=number == checkpoints - 1),
            )
        )
        begin = end + 1
    return stops


class _Asker:
    """Asks at one checkpoint."""

    def __init__(
        self,
        known: Known,
        number: int,
        parity: int,
        streams: Streams,
        chosen: Chosen,
        refuse: Callable[[Asked, Known], str],
    ) -> None:
        self._known = known
        self._number = number
        self._parity = parity
        self._streams = streams
        self._chosen = chosen
        self._refuse = refuse

    def questions(self, name: str, owed: list[str], *, last: bool) -> tuple[Asked, ...]:
        """One question a type, the one that cannot be answered with its twin; then those of `owed`, which is kept."""
        made: dict[str, Asked] = {}
        pair = self._pair()
        if pair:
            made = {each.type: each for each in pair}
        for waits in (not last, False):
            missing = [kind for kind in TYPES if kind not in made]
            if len(missing) > 1:
                made |= self._asked([kind for kind in missing if kind != "MB"], waits=waits)
        missing = [kind for kind in TYPES if kind not in made]
        if last:
            owed += missing
        made |= self._made_up_for(owed, last=last)
        if not last:
            owed += missing
        order = [*(kind for kind in TYPES if kind in made), *(key for key in made if key not in TYPES)]
        self._streams.rng("order").shuffle(order)
        numbered = {kind: f"{name}:Q{place:03}" for place, kind in enumerate(order, 1)}
        twins = {pair[0].type: pair[1].type, pair[1].type: pair[0].type} if pair else {}
        return tuple(
            _named(made[kind], numbered[kind], numbered[twins[kind]] if kind in twins else "") for kind in order
        )

    def _asked(self, kinds: Sequence[str], *, waits: bool) -> dict[str, Asked]:
        """One question a type, by type; `waits`: none where it is better to wait for a later checkpoint. Those that can
        rest on many pieces of evidence come last, in an order by chance: they make up for all others."""
        order = list(kinds)
        self._streams.rng("sizes").shuffle(order)
        order.sort(key=OPEN.__contains__)
        found = ((kind, self._of_type(kind, kind, _passes(kind, waits=waits))) for kind in order)
        return {kind: question for kind, question in found if question}

    def _of_type(self, kind: str, name: str, passes: Sequence[bool]) -> Asked | None:
        return self._first(self._ways(kind), name, passes, self._chosen.mix.wanted(kind))

    def _made_up_for(self, owed: list[str], *, last: bool) -> dict[str, Asked]:
        """Further questions by names of their own: of the types that are owed, at the last checkpoint of any."""
        found: dict[str, Asked] = {}
        for place, kind in enumerate(tuple(owed)):
            for other in (kind, *(self._chosen.least(FILLING) if last else ())):
                name = f"{other} again {place}"
                again = self._of_type(other, name, _passes(other, waits=not last)) if other != "MB" else None
                if again:
                    found[name] = again
                    owed.remove(kind)
                    break
        return found

    def _pair(self) -> tuple[Asked, Asked] | None:
        """A question that cannot be answered, and one of the same family that can."""
        for reason in self._chosen.reasons(recall.REASONS, self._number + self._parity):
            rng = self._streams.rng("MB", reason)
            drafts = list(recall.memory_boundary(self._known, rng, reason))
            rng.shuffle(drafts)
            for near, draft in product((True, False), drafts):
                boundary = self._proved(draft)
                twin = self._twin(draft, near=near) if boundary else None
                if boundary and twin:
                    self._keep(draft, boundary)
                    return boundary, twin
        return None

    def _twin(self, draft: Draft, *, near: bool) -> Asked | None:
        """An answerable question of the family of `draft`; `near`: none whose evidence is too far off."""
        known = self._known
        name, _, family = draft.template.partition("/")
        attribute = known.pack.attribute(name)

        def same(drafts: Iterable[Draft]) -> Iterator[Draft]:
            for each in drafts:
                if each.template.partition("/")[0] == name:
                    subject = each.keys[0].subject
                    yield each._replace(text=attribute.asked[int(family)].format(S=subject), template=draft.template)

        ways: list[Make] = [
            lambda known, rng: same(recall.factual_recall(known, rng)),
            lambda known, rng: same(recall.visual_factual_recall(known, rng)),
            lambda known, rng: same(recall.dynamic_update(known, rng)),
            lambda known, rng: same(knowledge.knowledge(known, rng, "members")),
        ]
        return self._first(ways, f"twin {name}", (near,), ANY)

    def _ways(self, kind: str) -> list[Make]:
        return ways(kind, self._streams.rng("form", kind), self._number + self._parity)

    def _first(self, ways: Sequence[Make], name: str, passes: Sequence[bool], sizes: Sequence[Size]) -> Asked | None:
        """A question of the first way that has one; where one of `passes` is true, its pass over the ways takes nothing
        that is too far off. Of `sizes` what comes first is looked for by all ways before what comes next."""
        looked = cache(lambda number: self._ranked(ways[number], self._streams.rng(name, number)))
        for near, size, number in product(passes, sizes, range(len(ways))):
            fitting = [each for each in looked(number) if each.pieces in size and (each.off <= FAR or not near)]
            nearest, rest = fitting[:LOOKED_AT], fitting[LOOKED_AT:]
            self._streams.rng(name, number, "nearest").shuffle(nearest)
            for each in (*nearest, *rest):
                made = self._proved(each.draft)
                if made:
                    self._keep(each.draft, made)
                    return made
        return None

    def _ranked(self, way: Make, rng: random.Random) -> list[Ranked]:
        return ranked(way(self._known, rng), self._known, self._chosen, rng)

    def _keep(self, draft: Draft, made: Asked) -> None:
        self._chosen.add(draft, self._known.position(made.evidence) if made.evidence else None)
        if made.evidence:
            self._chosen.mix.add(made.type, pieces_of(made.evidence))

    def _proved(self, draft: Draft) -> Asked | None:
        """The question with its answer and evidence, unless something speaks against it."""
        made = None if self._chosen.has(draft) else proved_question(draft, self._known.facts)
        return None if made is None or self._refuse(made, self._known) else made


def _passes(kind: str, *, waits: bool) -> tuple[bool, ...]:
    """Whether a question of a type must not be too far off, pass by pass; `waits`: it may wait for later."""
    if kind not in WAITING and kind not in OPEN:
        return (False,)
    return (True,) if waits and kind in WAITING else (True, False)


def proved_question(draft: Draft, facts: Sequence[Fact]) -> Asked | None:
    """The question with its answer and its minimal evidence among `facts`; None where they do not bear it out."""
    found = draft.query.evaluate(facts)
    if (found is None) is not bool(draft.reason):
        return None
    evidence = minimal(draft.query, facts) if found else ()
    if proved(draft.query, facts, evidence):
        return None
    return Asked(
        question_id="",
        type=draft.type,
        text=draft.text,
        answer=found.answer if found else NOT_MENTIONED,
        query=draft.query,
        evidence=evidence,
        alternatives=alternatives(draft.query, facts, evidence),
        difficulty=draft.difficulty,
        template=draft.template,
        stale=draft.stale,
        reason=draft.reason,
    )


def _named(question: Asked, name: str, twin: str) -> Asked:
    return replace(question, question_id=name, twin=twin)
