"""The whole way from experience to behaviour without a model, in all three parts: what a memory keeps decides the lift.

Nothing kept: no lift. All kept: a lift. Every second session dropped: between. One false lesson more: worse.
"""

from __future__ import annotations

import pytest
from aha_runs import start

from memarena.store import RunStore
from memarena_aha.suite.card import PartCard
from memarena_aha.suite.runcard import RunCard

OPTIONS = {
    "puzzle": ("aha.pairs=16",),
    "euler": ("aha.pairs=4", 'euler.conditions="full"', 'euler.kinds="single"'),
    "vending": ("aha.pairs=1", "vending.horizon=30", "vending.practice_days=30", "vending.practice=2"),
}
SEEDS = {"puzzle": 0, "euler": 0, "vending": 1}


@pytest.fixture(scope="module", params=list(OPTIONS))
def cards(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, PartCard]:
    """By arm, the card of one part."""
    part = request.param
    controls = 'aha.controls=["null","long-context","lossy"]'
    options = (f'aha.parts=["{part}"]', controls, 'aha.extras=["poisoned"]', *OPTIONS[part])
    folder = tmp_path_factory.mktemp(part) / "run"
    start(folder, agent="lesson-reader", seed=SEEDS[part], options=options)
    card = RunCard(RunStore.open(folder))
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
