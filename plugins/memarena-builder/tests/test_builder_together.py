"""Pictures that reveal several facts at once."""

from __future__ import annotations

from datetime import date
from itertools import combinations

import pytest
from builder_orders import order

from memarena_builder.lifelong import build_sample
from memarena_builder.packs.load import load
from memarena_builder.pictures.drawn import drawn
from memarena_builder.pictures.spec import Field, PictureSpec
from memarena_builder.plan.picturing import MOST_FACTS, TICKED
from memarena_builder.streams import Streams
from memarena_builder.world.values import Values


@pytest.fixture(scope="module")
def samples():
    return [build_sample(order("health", 3)), build_sample(order("startup", 6))]


def shared(built):
    """Pictures with several facts: id -> ids of the facts, in order."""
    found = {name: [each.fact_id for each in spec.fields if each.fact_id] for name, spec in built.plan.pictures.items()}
    return {name: ids for name, ids in found.items() if len(ids) > 1}


def test_some_pictures_reveal_two_or_three_facts_of_their_subject(samples):
    for built in samples:
        facts = {fact.fact_id: fact for fact in built.plan.facts()}
        assert shared(built)
        for name, ids in shared(built).items():
            spec = built.plan.pictures[name]
            assert len(ids) <= MOST_FACTS
            assert {facts[each].key.subject for each in ids} == {spec.subject}
            assert all(spec.kind in built.pack.attribute(facts[each].key.attribute).pictures for each in ids)
            assert all(f"{f.label} {f.value}" in spec.caption_full for f in spec.fields if f.fact_id)


def test_one_turn_sends_the_picture_and_each_fact_has_a_point_there(samples):
    for built in samples:
        for name, ids in shared(built).items():
            session = next(each for each in built.plan.sessions if name.startswith(f"{each.session_id}_"))
            lines = built.spoken[session.session_id].lines
            sent = [place for place, line in enumerate(lines) if line.image_id == name]
            assert len(sent) == 1 and len(lines[sent[0]].event_ids) == len(ids)
            points = [point for point in built.points[session.session_id] if point.fact_id in ids]
            assert len(points) == len(ids) and all(point.turns == (sent[0],) for point in points)


def test_the_first_sessions_show_one_fact_a_picture_but_for_what_happens_in_one_scene(samples):
    for built in samples:
        events = [event for session in built.plan.sessions for event in session.events if event.fact is not None]
        story = {event.fact.fact_id: event.story for event in events}
        for name, ids in shared(built).items():
            if name.startswith(("S00", "S01")):
                assert len({story[each] for each in ids}) == 1 and story[ids[0]]


def field(pack, attribute, number, values, rng):
    value, options = values.draw(attribute.slots["V"], rng), ()
    if attribute.shown in ("tick", "position", "trend"):
        options = tuple(pack.pools[attribute.slots["V"].pool])
        options = options if attribute.shown != "tick" else (value, *[e for e in options if e != value][: TICKED - 1])
    return Field(
        label=attribute.label, value=value, fact_id=f"F{number}", shown=attribute.shown, options=options, hidden=True
    )


CASES = [
    (kind, tuple(each.name for each in some))
    for many in (2, 3)
    for some in combinations([each for each in load("software").attributes if each.visual], many)
    if len({each.about for each in some}) == 1
    for kind in sorted(set.intersection(*(set(each.pictures) for each in some)))
]


@pytest.mark.parametrize(("kind", "names"), CASES)
def test_every_fact_of_a_picture_with_several_is_read_back(kind, names):
    pack, rng = load("software"), Streams(5).rng(kind, *names)
    values = Values(pack.pools, date(2026, 1, 5))
    fields = [field(pack, pack.attribute(name), number, values, rng) for number, name in enumerate(names)]
    fields += [Field(label=label, value=f"{rng.randint(11, 99)}/{rng.randint(111, 999)}") for label in ("Batch", "Lot")]
    rng.shuffle(fields)
    made = drawn(
        PictureSpec(
            image_id="S01_img_1", kind=kind, subject="Mara Okafor", fields=tuple(fields), caption="", caption_full="",
            day=date(2026, 3, 12), seed=rng.getrandbits(64),
        )
    )  # fmt: skip
    assert made.unread == ()
