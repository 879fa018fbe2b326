"""Storylines: scripts of the packs, cast with one entity each, scene by scene on the calendar."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from importlib.resources import files

import pytest

from memarena_builder.lifelong import streams_of
from memarena_builder.packs.load import domains_of, languages, load
from memarena_builder.plan import make_plan
from memarena_builder.plan.storylines import LATE
from memarena_builder.presets import PROJECTS, Variant, orders

EVERY_PACK = [(domain, language) for language in languages() for domain in domains_of(language)]


def plans(language="en"):
    for order in orders("small", 5, "lifelong", Variant(language)):
        pack = load(order.domain, language)
        yield pack, make_plan(pack, order.quota, streams_of(order).at("plan"))


@pytest.mark.parametrize(("domain", "language"), EVERY_PACK)
def test_every_domain_has_eight_scripts_or_more_of_both_arcs(domain, language):
    scripts = load(domain, language).scripts
    assert 8 <= len(scripts) <= 13 and {script.arc for script in scripts} == {"main", "side"}
    assert len({script.name for script in scripts}) == len(scripts)


@pytest.mark.parametrize("language", languages())
def test_every_script_of_a_language_is_of_some_domain(language):
    """Else it names a fact that no domain has, and nothing ever comes of it."""
    text = files("memarena_builder.packs").joinpath(language, "scripts.toml").read_text(encoding="utf-8")
    used = {script.name for domain in domains_of(language) for script in load(domain, language).scripts}
    assert {script["name"] for script in tomllib.loads(text)["script"]} == used


@pytest.mark.parametrize("domain", PROJECTS)
def test_every_project_has_scripts_of_what_only_it_knows(domain):
    pack = load(domain)
    assert sum(script.about == pack.thing for script in pack.scripts) >= 2


@pytest.mark.parametrize(("domain", "language"), EVERY_PACK)
def test_a_script_changes_something_and_has_scenes_of_few_facts(domain, language):
    for script in load(domain, language).scripts:
        names = [name for scene in script.scenes for name in scene]
        assert len(script.scenes) >= 3 and all(1 <= len(scene) <= 2 for scene in script.scenes)
        assert len(set(names)) < len(names)


def test_the_facts_of_a_story_are_of_one_entity_and_come_in_the_order_of_its_script():
    seen = 0
    for pack, plan in plans():
        scripts = {script.name: script for script in pack.scripts}
        told = defaultdict(list)
        for session in plan.sessions:
            for event in session.events:
                if event.story:
                    told[event.story].append((session.index, event))
        for story, events in told.items():
            name, _, subject = story.partition(": ")
            script = scripts[name]
            assert {event.fact.key.subject for _, event in events} == {subject}
            assert {event.arc for _, event in events} == {script.arc}
            wanted = [each for scene in script.scenes for each in scene]
            assert {event.fact.key.attribute for _, event in events} <= set(wanted)
            for attribute in set(wanted):
                of_it = [index for index, event in events if event.fact.key.attribute == attribute]
                assert len(of_it) <= wanted.count(attribute) and of_it == sorted(set(of_it))
            seen += len(events)
    assert seen > 100


def test_what_a_story_tells_first_was_not_known_before():
    firsts = new = 0
    for _, plan in plans():
        known, begun = set(), set()
        for event in plan.events():
            if event.fact is None:
                continue
            if event.story and event.fact.key not in begun:
                begun.add(event.fact.key)
                firsts += 1
                new += event.fact.key not in known
            known.add(event.fact.key)
    assert firsts > 60 and new == firsts


@pytest.mark.parametrize("language", languages())
def test_a_sixth_of_the_facts_and_more_are_of_stories_of_both_arcs(language):
    for _, plan in plans(language):
        facts = [event for event in plan.events() if event.fact]
        arcs = [event.arc for event in facts if event.story]
        assert len(arcs) >= len(facts) / 8
        assert min(arcs.count("main"), arcs.count("side")) >= len(arcs) / 8


def test_no_scene_is_told_before_its_time_or_long_after_it():
    for pack, plan in plans():
        scripts = {script.name: script for script in pack.scripts}
        begun = {}
        for session in plan.sessions:
            for event in session.events:
                if event.story:
                    begun.setdefault(event.story, session.index)
                    scenes = len(scripts[event.story.partition(": ")[0]].scenes)
                    assert session.index - begun[event.story] <= 6 * (scenes - 1) + LATE
