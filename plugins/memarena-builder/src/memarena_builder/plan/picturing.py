"""Which picture carries which facts."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from datetime import date

from msgspec.structs import replace

from memarena_builder.packs.schema import Attribute, Pack
from memarena_builder.pictures.spec import Field, PictureSpec
from memarena_builder.pictures.words import Words, words
from memarena_builder.plan.events import Event
from memarena_builder.streams import Streams
from memarena_builder.world.facts import Fact

MOST_FACTS = 3
"""Facts that one picture shows, at most."""
SHOWN_TOO = 0.7
"""Share of what words tell that a picture shows too, where one can and the quota has room."""
DECOYS = (3, 5)
"""Entries of a picture that no fact stands behind."""
TICKED = 5
"""Options of which one is ticked."""


class Pictures:
    """Plans the pictures of one sample; `made` holds them by id."""

    def __init__(self, pack: Pack, streams: Streams) -> None:
        self.made: dict[str, PictureSpec] = {}
        self._pack = pack
        self._streams = streams
        self._kinds: dict[tuple[str, str], str] = {}
        self._first: date | None = None
        self._count: dict[str, int] = {}

    def attach(self, session_id: str, events: Sequence[Event], quota: int, rng: random.Random) -> list[Event]:
        """The events with their pictures: one for what only a picture tells of one subject, as far as one kind can show
        it, and up to `quota` others that show what is said anyway."""
        out = []
        shown = 0
        images: dict[str, str] = {}
        for event in events:
            fact = event.fact
            attribute = self._pack.attribute(fact.key.attribute) if fact else None
            if fact is None or attribute is None or not fact.slots:
                out.append(event)
                continue
            extra = shown < quota and attribute.visual and event.kind in ("E1", "E2") and rng.random() < SHOWN_TOO
            if fact.visual or extra:
                if fact.fact_id not in images:
                    facts = self._together(event, events, images) if fact.visual else [fact]
                    made = self._make(session_id, facts, hidden=fact.visual)
                    images.update((each.fact_id, made) for each in facts)
                image_id = images[fact.fact_id]
                event = replace(event, image_id=image_id, fact=replace(fact, image_id=image_id))
                shown += 1
            out.append(event)
        return out

    def stale(self, session_id: str, old: Fact) -> str:
        """A picture with a value that was replaced; returns its id."""
        return self._make(session_id, [old], hidden=True)

    def _together(self, first: Event, events: Sequence[Event], shown: Collection[str]) -> list[Fact]:
        """The fact of `first`, and those of later events that the same picture can reveal; `shown`: ids of facts that
        have a picture."""
        assert first.fact is not None
        facts = [first.fact]
        if first.kind != "E11":
            return facts
        kinds = set(self._pack.attribute(first.fact.key.attribute).pictures)
        for event in events[events.index(first) + 1 :]:
            fact = event.fact
            if event.kind != "E11" or fact is None or fact.fact_id in shown:
                continue
            if fact.key.subject != first.fact.key.subject:
                continue
            common = kinds & set(self._pack.attribute(fact.key.attribute).pictures)
            if common and len(facts) < MOST_FACTS:
                facts.append(fact)
                kinds = common
        return facts

    def _kind(self, facts: Sequence[Fact], rng: random.Random) -> str:
        """The kind that shows all of them; for a fact that was shown before the same as then."""
        first, *others = (self._pack.attribute(fact.key.attribute) for fact in facts)
        common = [kind for kind in first.pictures if all(kind in each.pictures for each in others)]
        chosen = rng.choice(common)
        for fact in facts:
            chosen = self._kinds.setdefault((fact.key.subject, fact.key.attribute), chosen)
        return chosen

    def _make(self, session_id: str, facts: Sequence[Fact], *, hidden: bool) -> str:
        number = self._count[session_id] = self._count.get(session_id, 0) + 1
        image_id = f"{session_id}_img_{number}"
        rng = self._streams.rng(image_id)
        kind, subject = self._kind(facts, rng), facts[0].key.subject
        article = self._pack.writing.articles.get(self._pack.attribute(facts[0].key.attribute).about, "{name}")
        own = [self._field(fact, rng, hidden=hidden) for fact in facts]
        spoken = self._pack.wording.kinds[kind]
        caption = self._pack.writing.caption.format(kind=spoken.capitalize(), S=article.format(name=subject))
        said = words(self._pack.language, rng, facts[0].day)
        about = said.about(kind, [field.name for field in own])
        many, told = rng.randint(*DECOYS), caption.lower()
        lasting = self._lasting(kind, subject, about, facts[0].day)
        others = said.decoys(kind, about, {field.label for field in own}, lasting)
        decoys = [Field(label=other.label, value=other.value) for other in others if other.value.lower() not in told]
        fields = [*own, *decoys[:many]]
        rng.shuffle(fields)
        self.made[image_id] = PictureSpec(
            image_id=image_id,
            kind=kind,
            subject=subject,
            fields=tuple(fields),
            caption=caption,
            caption_full=f"{caption}: {', '.join(f'{field.label} {field.value}' for field in own)}",
            day=facts[0].day,
            seed=self._streams.at(image_id).number,
            house=self._streams.at("house").number,
            language=self._pack.language,
            about=about,
        )
        return image_id

    def _lasting(self, kind: str, subject: str, about: str, day: date) -> Callable[[str], Words]:
        """Who finds the words of an entry that all pictures of a kind of `subject` share, or all of that kind that are
        about the attribute `about`, dated from the first one."""
        first = self._first = self._first or day

        def found(label: str) -> Words:
            said = words(self._pack.language, self._streams.rng("lasting", kind, subject, label), first)
            if not said.is_shared(kind, label):
                return said
            return words(self._pack.language, self._streams.rng("shared", kind, about, label), first)

        return found

    def _field(self, fact: Fact, rng: random.Random, *, hidden: bool) -> Field:
        attribute = self._pack.attribute(fact.key.attribute)
        return Field(
            label=attribute.label,
            name=attribute.name,
            value=fact.value or "",
            fact_id=fact.fact_id,
            shown=attribute.shown,
            options=self._options(attribute, fact.value or "", rng),
            hidden=hidden,
        )

    def _options(self, attribute: Attribute, value: str, rng: random.Random) -> tuple[str, ...]:
        """What a value is one of, where the picture shows it among others: a few to tick, or all in order."""
        if attribute.shown not in ("tick", "position", "trend"):
            return ()
        pool = self._pack.pools[next(iter(attribute.slots.values())).pool]
        if attribute.shown != "tick":
            return tuple(pool)
        others = rng.sample([each for each in pool if each != value], TICKED - 1)
        return tuple(rng.sample([value, *others], TICKED))
