"""Which events of a session are told one after the other."""

from __future__ import annotations

import random
from collections import Counter

from memarena_builder.plan.events import Event
from memarena_builder.plan.threads import MOST, subject_of, threaded
from memarena_builder.world.facts import Key

KINDS = {"Mara": "person", "Sven": "person", "Mailbird": "service"}


def about(subject, number, image_id=""):
    return Event(event_id=f"{subject}{number}", kind="distractor", claim=Key(subject, "home"), image_id=image_id)


def told(*units, seed=0):
    return threaded(units, {"F001": "Sven"}, KINDS, random.Random(seed))


def test_what_is_about_one_subject_is_told_in_one_thread_beside_what_is_about_its_like():
    for seed in range(20):
        made = told([about("Mara", 1)], [about("Mailbird", 1)], [about("Sven", 1)], [about("Mara", 2)], seed=seed)
        runs = [event.claim.subject for event in made]
        assert [name for place, name in enumerate(runs) if runs[place - 1 : place] != [name]] in (
            ["Mara", "Sven", "Mailbird"], ["Mailbird", "Mara", "Sven"],
        )  # fmt: skip
        assert len({event.thread for event in made}) == 2


def test_a_thread_has_four_units_at_most_and_each_event_is_told_once():
    units = [[about(subject, number)] for subject in KINDS for number in range(6)]
    made = told(*units)
    assert max(Counter(event.thread for event in made).values()) == MOST == 4
    assert sorted(event.event_id for event in made) == sorted(unit[0].event_id for unit in units)
    threads = [event.thread for event in made]
    assert threads == sorted(threads)


def test_events_of_one_unit_stay_in_the_order_given():
    pair = [about("Mara", 1, "S01_img_1"), about("Mara", 2, "S01_img_1")]
    for seed in range(20):
        names = [event.event_id for event in told(pair, [about("Mara", 3)], [about("Sven", 1)], seed=seed)]
        assert names.index("Mara2") == names.index("Mara1") + 1


def test_what_is_only_mentioned_is_about_the_subject_of_its_fact():
    assert subject_of(Event(event_id="", kind="E15", mentions="F001"), {"F001": "Sven"}) == "Sven"
