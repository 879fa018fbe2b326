"""Every family that is registered: its two solvers, its wordings, its draws and its teaching."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import combinations

import pytest
from euler_families import drawn, known, small

from memarena_aha.euler.draws import HAND_STEPS, degenerate
from memarena_aha.euler.family import Split
from memarena_aha.euler.register import all_families, family, family_ids
from memarena_aha.euler.steps import StepLimit, count_steps
from memarena_aha.euler.values import Span, apart

FAMILIES = family_ids()
SIDES: tuple[Split, Split] = ("teach", "test")
KNOWN = known()
DRAWS = 200

every_family = pytest.mark.parametrize("family_id", FAMILIES)


@every_family
def test_the_fast_solver_agrees_with_the_slow_one_on_200_small_instances_of_both_regimes(family_id: str) -> None:
    chosen, instances = family(family_id), small(family_id, DRAWS)
    answers = [chosen.solve_fast(**params) for params in instances]
    assert len(instances) == DRAWS
    assert answers == [chosen.solve_brute(**params) for params in instances]
    assert len({str(params) for params in instances}) >= 30
    assert len(set(answers)) >= 15
    assert 20 <= sum(chosen.held_out(**params) for params in instances) <= DRAWS - 20


@every_family
def test_known_answers_are_reproduced(family_id: str) -> None:
    rows = KNOWN[family_id]
    assert len(rows) >= 2
    assert [family(family_id).solve_fast(**params) for params, _ in rows] == [answer for _, answer in rows]


@every_family
def test_the_slow_solver_reproduces_the_small_known_answer(family_id: str) -> None:
    params, answer = KNOWN[family_id][0]
    assert family(family_id).solve_brute(**params) == answer


@every_family
def test_no_instance_is_degenerate_and_each_is_of_its_regime(family_id: str) -> None:
    chosen = family(family_id)
    for split in SIDES:
        for instance in drawn(family_id, split, DRAWS):
            assert not degenerate(instance.answer, instance.statement, chosen.floor)
            assert chosen.valid(**instance.params)
            assert chosen.held_out(**instance.params) == (split == "test")
    pairs = zip(drawn(family_id, "teach", DRAWS), drawn(family_id, "test", DRAWS), strict=True)
    assert all((taught.answer - held.answer) % 10**6 for taught, held in pairs)


@every_family
def test_taught_and_held_out_values_share_nothing_in_two_slots_or_more(family_id: str) -> None:
    chosen = family(family_id)
    disjoint = [slot.name for slot in chosen.slots if apart(slot.teach, slot.test)]
    assert len(disjoint) >= 2
    seen = {
        split: [{str(instance.params[name]) for instance in drawn(family_id, split, DRAWS)} for name in disjoint]
        for split in SIDES
    }
    overlaps = [bool(taught & held) for taught, held in zip(seen["teach"], seen["test"], strict=True)]
    assert overlaps.count(False) >= 2


@every_family
def test_no_guesser_reaches_one_per_cent(family_id: str) -> None:
    taught, held = drawn(family_id, "teach", DRAWS), drawn(family_id, "test", DRAWS)
    assert Counter(instance.answer for instance in held).most_common(1)[0][1] <= DRAWS / 100
    for old, new in zip(taught, held, strict=True):
        first = next(iter(old.params))
        before, now = old.params[first], new.params[first]
        assert old.answer != new.answer
        if isinstance(before, int) and isinstance(now, int) and before:
            assert old.answer * now // before != new.answer


@every_family
def test_the_slow_solver_is_out_of_reach_with_a_million_steps(family_id: str) -> None:
    for instance in drawn(family_id, "test", DRAWS)[:2]:
        with pytest.raises(StepLimit):
            count_steps(family(family_id).solve_brute, instance.params, 10**6)


@every_family
def test_the_fast_solver_keeps_its_budget_of_steps(family_id: str) -> None:
    chosen = family(family_id)
    for split in SIDES:
        for instance in drawn(family_id, split, DRAWS)[:3]:
            assert count_steps(chosen.solve_fast, instance.params, chosen.op_budget)[0] == instance.answer


@every_family
def test_each_wording_says_every_slot_and_stands_in_a_world_of_its_own(family_id: str) -> None:
    chosen = family(family_id)
    instance = drawn(family_id, "test", DRAWS)[0]
    for split in SIDES:
        assert len(chosen.skins(split)) >= 3
        named = {slot.name: f"<{slot.name}>" for slot in chosen.slots}
        for number, skin in enumerate(chosen.skins(split)):
            text = chosen.statement(instance.params, split, number, named)
            assert all(f"<{slot.name}>" in text for slot in chosen.slots if not slot.spoken)
            assert all(noun in skin.text.casefold() for noun in skin.nouns) and len(skin.nouns) >= 2
            assert ("modulo 1000000007" in text) == bool(chosen.modulus)
    for skin in chosen.test_skins:
        taught_nouns = {noun for other in chosen.teach_skins for noun in other.nouns}
        assert not [noun for noun in taught_nouns if noun in skin.text.casefold()]
    for skin in chosen.teach_skins:
        held_nouns = {noun for other in chosen.test_skins for noun in other.nouns}
        assert not [noun for noun in held_nouns if noun in skin.text.casefold()]


@every_family
def test_the_three_wordings_of_a_side_are_all_drawn(family_id: str) -> None:
    for split in SIDES:
        used = {instance.skin for instance in drawn(family_id, split, DRAWS)}
        assert used == set(range(len(family(family_id).skins(split))))


@every_family
def test_the_listing_runs_by_itself_and_prints_the_answer(family_id: str) -> None:
    for split in SIDES:
        instance = drawn(family_id, split, DRAWS)[0]
        source = family(family_id).listing(instance.params)
        command = [sys.executable, "-I", "-S", "-c", source]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert (done.stdout, done.stderr) == (f"{instance.answer}\n", "")
        assert "memarena" not in source


@every_family
def test_the_explanation_has_steps_and_numbers_but_no_answer(family_id: str) -> None:
    chosen = family(family_id)
    for split in SIDES:
        instance = drawn(family_id, split, DRAWS)[0]
        assert 3 <= len(chosen.explain(**instance.params)) <= 6
        assert str(instance.answer) not in chosen.explanation(instance.params)
    for text in (chosen.idea, chosen.explanation(instance.params)):
        assert all(any(stem in text.casefold() for stem in group) for group in chosen.method)


@every_family
def test_a_closed_instance_needs_few_steps_by_hand(family_id: str) -> None:
    steps = family(family_id).hand_steps
    if steps is not None:
        for split in SIDES:
            assert all(0 < steps(**one.params) <= HAND_STEPS for one in drawn(family_id, split, 20, "closed"))


@every_family
def test_a_port_takes_another_number_and_stays_a_task_of_its_regime(family_id: str) -> None:
    chosen = family(family_id)
    for port in chosen.ports:
        changed = False
        for split in SIDES:
            span = chosen.port_span(port, split)
            assert span.high - span.low >= 99
            fit = 0
            for instance in drawn(family_id, split, DRAWS)[:40]:
                carried = span.low + instance.answer % (span.high - span.low + 1)
                params = chosen.repair(**{**instance.params, port: carried})
                assert all(params[name] == instance.params[name] for name in params.keys() - set(chosen.ports))
                changed |= params[port] != carried
                fit += chosen.valid(**params) and chosen.held_out(**params) == (split == "test")
            assert fit >= 12
        assert ("{port}" in chosen.repair_rule) == changed


def test_families_are_found_by_the_names_of_their_files() -> None:
    assert [one.family_id for one in all_families()] == list(FAMILIES) == sorted(FAMILIES)
    assert "F01" in FAMILIES


def test_no_two_families_have_the_same_slots() -> None:
    names = {one.family_id: frozenset(slot.name for slot in one.slots) for one in all_families()}
    assert not [pair for pair in combinations(names, 2) if names[pair[0]] == names[pair[1]]]


def test_every_slot_of_a_port_is_a_span() -> None:
    for one in all_families():
        assert all(isinstance(one.slot(port).teach, Span) for port in one.ports)
