"""Which picture carries which facts."""

from __future__ import annotations

import random
from collections.abc import Sequence

from msgspec.structs import replace

from memarena_builder.packs.schema import Attribute, Pack, Slot
from memarena_builder.pictures.spec import Field, PictureSpec
from memarena_builder.plan.events import Event
from memarena_builder.streams import Streams
from memarena_builder.world.facts import Fact
from memarena_builder.world.values import Values

DECOYS = (3, 5)
"""Entries of a picture that no fact stands behind."""
TICKED = 5
"""Options of which one is ticked."""
_DECOY = Slot(kind="code", pattern="99/999")


class Pictures:
    """Plans the pictures of one sample; `made` holds them by id."""

    def __init__(self, pack: Pack, values: Values, streams: Streams) -> None:
        self.made: dict[str, PictureSpec] = {}
        self._pack = pack
        self._values = values
        self._streams = streams
        self._kinds: dict[tuple[str, str], str] = {}
        self._count: dict[str, int] = {}

    def attach(self, session_id: str, events: Sequence[Event], quota: int, rng: random.Random) -> list[Event]:
        """The events with their pictures: one for each fact that only a picture tells, and up to `quota` others that
        show what is said anyway."""
        out = []
        shown = 0
        for event in events:
            fact = event.fact
            attribute = self._pack.attribute(fact.key.attribute) if fact else None
            if fact is None or attribute is None or not fact.slots:
                out.append(event)
                continue
            extra = shown < quota and attribute.visual and event.kind in ("E1", "E2") and rng.random() < 0.4
            if fact.visual or extra:
                image_id = self._make(session_id, fact, attribute, hidden=fact.visual)
                event = replace(event, image_id=image_id, fact=replace(fact, image_id=image_id))
                shown += 1
            out.append(event)
        return out

    def stale(self, session_id: str, old: Fact, attribute: Attribute) -> str:
        """A picture with a value that was replaced; returns its id."""
        return self._make(session_id, old, attribute, hidden=True)

    def _make(self, session_id: str, fact: Fact, attribute: Attribute, *, hidden: bool) -> str:
        number = self._count[session_id] = self._count.get(session_id, 0) + 1
        image_id = f"{session_id}_img_{number}"
        rng = self._streams.rng(image_id)
        place = (fact.key.subject, attribute.name)
        kind = self._kinds.setdefault(place, rng.choice(attribute.pictures))
        own = Field(
            label=attribute.label,
            value=fact.value or "",
            fact_id=fact.fact_id,
            shown=attribute.shown,
            options=self._options(attribute, fact.value or "", rng),
            hidden=hidden,
        )
        labels = rng.sample(self._pack.wording.decoys["labels"], rng.randint(*DECOYS))
        fields = [own, *(Field(label=label, value=self._values.draw(_DECOY, rng)) for label in labels)]
        rng.shuffle(fields)
        spoken = self._pack.wording.kinds[kind]
        caption = self._pack.writing.caption.format(kind=spoken.capitalize(), S=fact.key.subject)
        self.made[image_id] = PictureSpec(
            image_id=image_id,
            kind=kind,
            subject=fact.key.subject,
            fields=tuple(fields),
            caption=caption,
            caption_full=f"{caption}: {own.label} {own.value}",
            seed=self._streams.at(image_id).number,
            language=self._pack.language,
        )
        return image_id

    def _options(self, attribute: Attribute, value: str, rng: random.Random) -> tuple[str, ...]:
        """What a value is one of, where the picture shows it among others: a few to tick, or all in order."""
        if attribute.shown not in ("tick", "position", "trend"):
            return ()
        pool = self._pack.pools[next(iter(attribute.slots.values())).pool]
        if attribute.shown != "tick":
            return tuple(pool)
        others = rng.sample([each for each in pool if each != value], TICKED - 1)
        return tuple(rng.sample([value, *others], TICKED))
