"""The whole way from experience to behaviour without a model, in all three parts: what a memory keeps decides the lift.

Nothing kept: no lift. All kept: a lift. Every second session dropped: between. One false lesson more: worse.
"""

from __future__ import annotations

import pytest
from aha_runs import start

from memarena.store import RunStore
from memarena_aha.suite.card import PartCard
from memarena_aha.suite.lines import episodes_of, steps_of
from memarena_aha.suite.playing import action_of, replay
from memarena_aha.suite.plugin import load_part
from memarena_aha.suite.runcard import RunCard

OPTIONS = {
    "puzzle": ("aha.pairs=16",),
    "euler": ("aha.pairs=4", 'euler.conditions="full"', 'euler.kinds="single"'),
    "vending": ("aha.pairs=1", "vending.horizon=30", "vending.practice_days=30", "vending.practice=2"),
}
SEEDS = {"puzzle": 0, "euler": 0, "vending": 1}


@pytest.fixture(scope="module", params=list(OPTIONS))
def part(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="module")
def store(part: str, tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    """A finished run of one part."""
    controls = 'aha.controls=["null","long-context","lossy"]'
    options = (f'aha.parts=["{part}"]', controls, 'aha.extras=["poisoned"]', *OPTIONS[part])
    folder = tmp_path_factory.mktemp(part) / "run"
    start(folder, agent="lesson-reader", seed=SEEDS[part], options=options)
    return RunStore.open(folder)


@pytest.fixture(scope="module")
def cards(part: str, store: RunStore) -> dict[str, PartCard]:
    """By arm, the card of one part."""
    card = RunCard(store)
    assert card.warnings == []
    return {arm.label: arm.parts[part] for arm in card.arms}


def lift(card: PartCard) -> float:
    assert card.lift.value is not None
    return card.lift.value


def test_nothing_kept_is_no_lift(cards: dict[str, PartCard]) -> None:
    assert (cards["null"].lift.value, cards["null"].null_gap.value) == (0, 0)


def test_all_kept_lifts_and_half_of_it_less(cards: dict[str, PartCard]) -> None:
    assert lift(cards["long-context"]) > 5
    assert 0 < lift(cards["lossy"]) < lift(cards["long-context"])


def test_one_false_lesson_more_makes_it_worse(cards: dict[str, PartCard]) -> None:
    poison = cards["long-context"].poison.value
    assert poison is not None
    assert poison < 0


def test_what_was_recorded_leads_to_the_same_traces_again(part: str, store: RunStore) -> None:
    given = {text.split("=")[0].partition(".")[2]: text.partition("=")[2].strip('"') for text in OPTIONS[part]}
    count = int(given.pop("pairs"))
    pairs = {pair.pair_id: pair for pair in load_part(part).pairs(SEEDS[part], count, given)}
    replayed = 0
    for spec in store.specs():
        folder = store.path / "cells" / spec.cell_id
        for line in episodes_of(folder):
            wanted = (spec.label, line.condition) in {("baseline", "supported"), ("long-context", "poisoned")}
            if wanted and line.session == "evaluation" and replayed < 6:
                place = (line.condition, "evaluation")
                actions = [action_of(step) for step in steps_of(folder) if (step.condition, step.session) == place]
                support = "supported" if line.condition == "supported" else ""
                again = replay(pairs[line.pair_id].evaluate(support), actions, "crash")
                assert again == line.trace
                replayed += 1
    assert replayed >= 2


def test_all_scores_lie_between_0_and_100(store: RunStore) -> None:
    scores = [line.score for spec in store.specs() for line in episodes_of(store.path / "cells" / spec.cell_id)]
    assert scores
    assert all(0 <= score <= 100 for score in scores)


def test_two_seeds_share_no_instance(part: str) -> None:
    first, second = ({pair.pair_id for pair in load_part(part).pairs(seed, 6, {})} for seed in (7, 8))
    assert len(first) == len(second) == 6
    assert not first & second
