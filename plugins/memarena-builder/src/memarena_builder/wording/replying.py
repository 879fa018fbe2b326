"""What the assistant answers to an event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memarena_builder.packs.schema import Pack
from memarena_builder.plan.events import Event, Plan
from memarena_builder.wording.clauses import content, of_kind, sentence
from memarena_builder.wording.names import ASSISTANT, Names
from memarena_builder.wording.persona import Hand
from memarena_builder.world.facts import Fact

REPEATS = 0.2
"""Share of the replies to a fact that repeat it."""
FITTING = 0.85
"""Share of the others that take up what the fact is about, where it brings such."""
TAKEN_UP = 0.4
"""The same share of the replies to pictures, which name the picture else."""
FOLLOWED = 0.2
"""Share of these in which more follows, where they ask nothing."""


class Reply(NamedTuple):
    """What is answered."""

    text: str
    repeats: bool = False
    """It tells the fact once more."""


class Replier:
    """Words of the assistant in one session; nothing in them depends on a value, but where a fact is repeated."""

    def __init__(self, pack: Pack, plan: Plan, names: Names, hand: Hand) -> None:
        self.hand = hand
        self._pack = pack
        self._wording = pack.wording
        self._plan = plan
        self._names = names
        self._gap = " " if pack.writing.stop == "." else ""

    def to_half(self, kind: str) -> str:
        """The reply to a value that is told without its owner, which is of `kind`."""
        return self.hand.take(of_kind(self._wording, self._wording.owners, kind))

    def to_fact(self, event: Event, fact: Fact, *, may_repeat: bool = True, may_name: bool = True) -> Reply:
        """The reply to a fact that becomes known, or is told again; `may_name`: and may call its subject by name."""
        if fact.visual:
            return Reply(self._to_picture(event, fact))
        subject = fact.key.subject
        if may_repeat and event.kind not in ("E15", "E5") and self.hand.chance(REPEATS):
            point = self._point(event, fact)
            return Reply(self.hand.take(self._wording.repeats).format(point=point), repeats=True)
        acks = _said(self._pack.attribute(fact.key.attribute).acks, may_name=may_name)
        kind = event.kind if fact.slots else "E4"
        texts = _said(self._wording.reactions.get(kind, ()), may_name=may_name)
        if texts:
            return Reply(self._fill(self.hand.take(texts), subject))
        if acks and self.hand.chance(FITTING):
            return Reply(self._taken_up(acks, subject, _said(self._wording.follow_ups, may_name=may_name)))
        return Reply(self._fill(self.hand.take(_said(self._wording.replies, may_name=may_name)), subject))

    def to_kind(self, kind: str, subject: str) -> str:
        """The reply to what is no fact, by its kind."""
        return self._fill(self.hand.take(self._wording.reactions.get(kind) or self._wording.replies), subject)

    def to_stale(self, event: Event, subject: str) -> str:
        """The reply to a picture that is out of date."""
        texts = self._wording.reactions.get("stale") or self._wording.picture_replies
        return self._of_picture(self.hand.take(texts), event, subject)

    def _to_picture(self, event: Event, fact: Fact) -> str:
        subject = fact.key.subject
        texts = self._wording.reactions.get(event.kind)
        acks = () if texts else self._pack.attribute(fact.key.attribute).acks
        if acks and self.hand.chance(TAKEN_UP):
            return self._taken_up(acks, subject, self._wording.follow_ups)
        return self._of_picture(self.hand.take(texts or self._wording.picture_replies), event, subject)

    def _taken_up(self, texts: Sequence[str], subject: str, more: Sequence[str]) -> str:
        said = self._fill(self.hand.take(texts), subject)
        if not more or said.endswith(("?", "？")) or not self.hand.chance(FOLLOWED):
            return said
        return said + self._gap + self._fill(self.hand.take(more), subject)

    def _of_picture(self, frame: str, event: Event, subject: str) -> str:
        kind = self._plan.pictures[event.image_id].kind
        filled = self._names.framed(frame, kind, subject, self.hand.rng, ASSISTANT)
        return sentence(self._pack, filled)

    def _point(self, event: Event, fact: Fact) -> str:
        until = self._pack.writing.write(event.until) if event.until else ""
        point = content(self._pack, fact, dated=event.dated, until=until)
        return self._names.to_user(point, fact.key.subject)

    def _fill(self, text: str, subject: str) -> str:
        return sentence(self._pack, self._names.fill(text, subject, self.hand.rng, ASSISTANT))


def _said(texts: Sequence[str], *, may_name: bool) -> Sequence[str]:
    return texts if may_name else tuple(each for each in texts if "{S}" not in each)
