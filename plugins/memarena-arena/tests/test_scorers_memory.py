from __future__ import annotations

from typing import Any, get_args

import pytest

from memarena.errors import PluginError
from memarena.records import (
    Capabilities,
    GoldPoint,
    JudgementRequest,
    Label,
    MemoryChange,
    MemoryItem,
    Op,
    Session,
    SessionRecord,
    Stat,
    Turn,
)
from memarena_arena.metrics.units import Ratio
from memarena_arena.scorers.memory import MemoryScorer
from memarena_arena.scorers.rows import Rows
from memarena_arena.scorers.selectivity import SelectivityScorer

VISIBLE = Capabilities()
NEW = GoldPoint(memory_id="mp_S02_1", content="moved to Lyon in May", session_id="S02", importance=0.8)
UPDATE = GoldPoint(
    memory_id="mp_S02_2", content="lives in Lyon", session_id="S02", kind="update", replaces=("lives in Paris",)
)
TRAP = GoldPoint(memory_id="mp_S02_3", content="won the lottery", session_id="S02", kind="interference")


def record(
    *points: GoldPoint,
    wrote: tuple[str, ...] = ("I moved to Lyon in May",),
    snapshot: tuple[MemoryItem, ...] = (MemoryItem(memory_id="m1", text="I moved to Lyon in May"),),
    turns: tuple[str, ...] = ("I moved to Lyon in May",),
    capabilities: Capabilities = VISIBLE,
    changes: tuple[MemoryChange, ...] | None = None,
) -> SessionRecord:
    added = tuple(MemoryChange(op="add", memory_id=f"m{number}", text=text) for number, text in enumerate(wrote))
    return SessionRecord(
        label="x",
        sample_id="s1",
        regime="lifelong",
        domain="lifelong/personal",
        index=2,
        session=Session(
            session_id="S02",
            points=points,
            turns=tuple(
                Turn(turn_id=f"S02:T{place:03}", session_id="S02", index=place, text=text, body=text)
                for place, text in enumerate(turns)
            ),
        ),
        changes=added if changes is None else changes,
        snapshot=snapshot,
        capabilities=capabilities,
    )


def asked(of: SessionRecord) -> dict[str, JudgementRequest]:
    return dict(MemoryScorer().judgement_requests(record=of))


def scored(of: SessionRecord, **verdicts: tuple[str | None, ...] | None) -> dict[tuple[str, str], Stat]:
    labels = {name: None if found is None else Label(verdicts=found) for name, found in verdicts.items()}
    stats = MemoryScorer().score(record=of, labels=labels)
    return {(stat.metric, stat.variant): stat for stat in stats if not stat.metric.startswith("point_")}


def share(stat: Stat) -> tuple[float | None, float | None, int]:
    return stat.n, stat.d, stat.invalid


def test_a_session_asks_for_each_judgement_once() -> None:
    found = asked(record(NEW, UPDATE, TRAP))
    assert list(found) == ["recall", "correctness", "update", "interference"]
    assert found["recall"].points == (NEW.content, UPDATE.content)
    assert found["correctness"].dialogue == ("I moved to Lyon in May",)
    assert found["update"].replaces == (("lives in Paris",),)
    assert found["interference"].points == (TRAP.content,)


def test_new_points_come_before_updates_in_what_is_judged() -> None:
    assert asked(record(UPDATE, NEW))["recall"].points == (NEW.content, UPDATE.content)


def test_only_added_updated_and_merged_texts_are_written() -> None:
    changes = tuple(MemoryChange(op=op, memory_id=op, text=f"text of {op}") for op in get_args(Op))
    found = asked(record(NEW, changes=changes))
    assert found["recall"].items == ("text of add", "text of update", "text of merge")


def test_what_is_not_active_is_judged_for_release_alone() -> None:
    old = MemoryItem(memory_id="m0", text="lives in Paris", status="archived")
    new = MemoryItem(memory_id="m1", text="lives in Lyon")
    of = record(UPDATE, snapshot=(old, new))
    assert (asked(of)["update"].items, asked(of)["update_all"].items) == (
        ("lives in Lyon",),
        ("lives in Paris", "lives in Lyon"),
    )
    found = scored(of, recall=("yes",), correctness=("correct",), update=("updated",), update_all=("both",))
    assert share(found["update", "paper"]) == (1.0, 1.0, 0)
    assert share(found["update", "release"]) == (0.5, 1.0, 0)
    assert share(found["update", "strict"]) == (1.0, 1.0, 0)


def test_weights_and_the_unweighted_recall_stand_apart() -> None:
    found = scored(record(NEW, UPDATE), recall=("yes", "no"), correctness=("correct",), update=("missed",))
    assert share(found["recall", "paper"]) == (0.8, 1.8, 0)
    assert share(found["recall", "release"]) == (0.8, 0.8, 0)
    assert share(found["recall_unweighted", ""]) == (1.0, 2.0, 0)


def test_nothing_written_covers_nothing_and_asks_nothing() -> None:
    of = record(NEW, wrote=(" ",))
    assert asked(of) == {}
    found = scored(of)
    assert share(found["recall", ""]) == (0.0, 0.8, 0)
    assert share(found["corr", "release"]) == (0.0, 1.0, 0)
    assert ("corr", "paper") not in found and ("hallu", "") not in found


def test_an_update_of_an_empty_store_is_missed_and_stays_an_update() -> None:
    of = record(UPDATE, TRAP, wrote=(), snapshot=())
    assert asked(of) == {}
    found = scored(of)
    assert share(found["update", ""]) == (0.0, 1.0, 0)
    assert share(found["update_missed", ""]) == (1.0, 1.0, 0)
    assert share(found["int_rej", ""]) == (1.0, 1.0, 0)


def test_the_four_outcomes_of_updates_are_counted_apart() -> None:
    points = tuple(UPDATE for _ in range(4))
    found = scored(record(*points), update=("updated", "both", "outdated", "missed"))
    assert share(found["update", ""]) == (1.5, 4.0, 0)
    for metric in ("update_success", "update_both", "update_outdated", "update_missed"):
        assert share(found[metric, ""]) == (1.0, 4.0, 0)


def test_a_failed_judgement_is_counted_and_is_neither_zero_nor_one() -> None:
    found = scored(record(NEW, UPDATE, TRAP), recall=None, correctness=None, update=None, interference=None)
    for metric in ("recall", "corr", "update", "int_rej"):
        assert found[metric, "paper"].n is None
        assert found[metric, "strict"].n is None
        assert found[metric, "paper"].invalid >= 1
    assert share(found["update", "release"]) == (0.0, 1.0, 1)
    assert share(found["recall", "release"]) == (0.0, 0.8, 2)
    assert share(found["irrel", "release"]) == (1.0, 1.0, 1)


def test_a_label_with_too_few_verdicts_has_failed() -> None:
    found = scored(record(NEW, UPDATE), recall=("yes",), correctness=("correct",), update=("updated",))
    assert share(found["recall_unweighted", ""]) == (None, None, 2)


def test_a_verdict_outside_its_list_has_failed() -> None:
    found = scored(record(UPDATE, UPDATE), update=("updated", "C"))
    assert share(found["update", "paper"]) == (1.0, 1.0, 1)


def test_weights_that_add_up_to_zero_are_an_invalid_session() -> None:
    weightless = GoldPoint(memory_id="mp", content="x", session_id="S02", importance=0.0)
    found = scored(record(weightless), recall=("yes",), correctness=("correct",))
    assert share(found["recall", "paper"]) == (None, None, 0)
    assert share(found["recall", "release"]) == (1.0, 1.0, 0)


def test_a_system_whose_state_is_unseen_gets_no_rows() -> None:
    of = record(NEW, UPDATE, TRAP, capabilities=Capabilities(state=False))
    assert asked(of) == {}
    assert MemoryScorer().score(record=of, labels={}) == ()
    assert SelectivityScorer().score(record=of, labels={}) == ()


def test_a_row_a_point_can_be_grouped_by_kind() -> None:
    labels = {"recall": Label(verdicts=("yes", "no")), "update": Label(verdicts=("both",))}
    stats = MemoryScorer().score(record=record(NEW, UPDATE, TRAP), labels=labels)
    found = {stat.unit: stat for stat in stats if stat.metric.startswith("point_")}
    assert list(found) == ["S02:mp_S02_1", "S02:mp_S02_2", "S02:mp_S02_3"]
    assert (found["S02:mp_S02_2"].metric, found["S02:mp_S02_2"].facets["outcome"]) == ("point_updated", "both")
    assert found["S02:mp_S02_3"].invalid == 1


def test_points_that_share_a_memory_id_keep_rows_of_their_own() -> None:
    stats = MemoryScorer().score(record=record(NEW, NEW), labels={})
    assert [stat.unit for stat in stats if stat.metric == "point_written"] == ["S02:mp_S02_1", "S02:mp_S02_1#2"]


def test_usefulness_is_not_told_by_words_of_a_system_that_rewrites() -> None:
    assert "useful" not in selected(record(NEW, capabilities=Capabilities(verbatim=False)))


def test_every_row_says_where_it_belongs() -> None:
    facets = scored(record(NEW), recall=("yes",), correctness=("correct",))["recall", ""].facets
    assert facets == {"session": 2, "regime": "lifelong", "domain": "lifelong/personal"}


@pytest.mark.parametrize(
    "ratio", [Ratio(5.0, 1.0), Ratio(float("nan"), 1.0), Ratio(float("inf"), 1.0), Ratio(0.0, 0.0)]
)
def test_a_share_that_is_no_share_is_refused(ratio: Ratio) -> None:
    with pytest.raises(PluginError, match="scorer 'memory' gives recall"):
        Rows(record(), MemoryScorer(), {}).add("recall", ratio)


def selected(of: SessionRecord) -> dict[str, Stat]:
    return {stat.metric: stat for stat in SelectivityScorer().score(record=of, labels={})}


def test_an_item_is_useful_where_it_holds_a_gold_point() -> None:
    of = record(NEW, wrote=("user: I moved to Lyon in May", "user: it rained"))
    assert share(selected(of)["useful"]) == (1.0, 2.0, 0)


def test_a_turn_kept_word_for_word_is_a_copy() -> None:
    turns = ("I moved to Lyon in May", "ok")
    of = record(NEW, turns=turns, wrote=("[May 3] user: I moved to Lyon in May", "moved to Lyon", "ok", "ok then"))
    assert share(selected(of)["verbatim"]) == (2.0, 4.0, 0)


def test_operations_and_the_size_of_the_store_are_counted() -> None:
    found = selected(record(NEW))
    assert (found["op_add"].n, found["op_delete"].n, found["items"].n) == (1.0, 0.0, 1.0)
    assert share(found["item_tokens"])[1] == 1.0


def test_all_metrics_are_described_and_have_names_of_their_own() -> None:
    described: dict[str, Any] = {}
    for scorer in (MemoryScorer, SelectivityScorer):
        assert not described.keys() & scorer.metrics.keys()
        described |= scorer.metrics
    assert all(metric.title and metric.about for metric in described.values())
