"""The life of facts, on a world by hand."""

from __future__ import annotations

import random

import pytest
from told_memory import DOG, HOME, MOVED, PHONE, history, question, rows_of, session, sessions

from memarena.records import (
    Capabilities,
    GoldPoint,
    MemoryChange,
    MemoryItem,
    Sample,
    SampleRecord,
    Session,
    SessionRecord,
)
from memarena_arena.scorers.life import LifeScorer

ALL = {"a": HOME, "b": DOG}


def found(record: SampleRecord, metric: str) -> list[tuple[str, float | None, float | None]]:
    return [(row.unit, row.n, row.d) for row in rows_of(LifeScorer(), record) if row.metric == metric]


def test_live_facts_are_those_that_no_update_has_replaced() -> None:
    kept = sessions(ALL, {"b": DOG}, {"b": DOG, "c": PHONE}, {"c": PHONE})
    assert found(history(kept), "live_recall") == [("S00", 2, 2), ("S01", 1, 2), ("S02", 2, 3), ("S03", 1, 3)]


def test_a_superseded_fact_that_is_still_active_is_counted_and_so_is_one_that_comes_back() -> None:
    kept = sessions(ALL, {**ALL, "n": MOVED}, {"n": MOVED}, {"n": MOVED, "x": HOME})
    assert found(history(kept), "stale_held") == [("S01", 1, 1), ("S02", 0, 1), ("S03", 1, 1)]
    assert found(history(kept), "came_back") == [("S03", 1, 1)]


def test_a_fact_is_at_risk_from_its_writing_until_it_is_lost_replaced_or_the_end() -> None:
    kept = sessions(ALL, {"n": MOVED}, {"n": MOVED, "c": PHONE}, {"n": MOVED, "c": PHONE})
    lost = {unit: (n, d) for unit, n, d in found(history(kept), "fact_lost")}
    # Boston is replaced by the next session, so it is never at risk; the dog is lost at once.
    assert lost == {"S00:mp_S00_1": (1, 1), "S01:mp_S01_0": (0, 2), "S02:mp_S02_0": (0, 1)}
    written = {unit: n for unit, n, _ in found(history(kept), "fact_written")}
    assert written == {"S00:mp_S00_0": 1, "S00:mp_S00_1": 1, "S01:mp_S01_0": 1, "S02:mp_S02_0": 1}


def test_a_fact_that_is_written_late_is_at_risk_from_then_on() -> None:
    kept = sessions({}, {"b": DOG}, {"b": DOG}, {"b": DOG})
    assert ("S00:mp_S00_1", 0, 2) in found(history(kept), "fact_lost")
    assert ("S00:mp_S00_0", 0, 1) in found(history(kept), "fact_written")


def test_returned_facts_are_those_that_some_list_held() -> None:
    kept = sessions(ALL, {"a": MOVED, "b": DOG}, {"a": MOVED, "b": DOG}, {"a": MOVED, "b": DOG})
    record = history(kept, question(MOVED, answer="In Leeds", retrieved=[MOVED]))
    assert {unit: n for unit, n, _ in found(record, "fact_returned")} == {
        "S00:mp_S00_0": 0, "S00:mp_S00_1": 0, "S01:mp_S01_0": 1,
    }  # fmt: skip


def changes(*ops: tuple[str, str, str]) -> list[MemoryChange]:
    return [MemoryChange(op=op, memory_id=name, text=text) for op, name, text in ops]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("after", "told", "form"),
    [
        ({**ALL, "n": MOVED}, [("add", "n", MOVED)], "appended"),
        ({"a": MOVED, "b": DOG}, [("update", "a", MOVED)], "revised"),
        ({"n": MOVED, "b": DOG}, [("add", "n", MOVED), ("delete", "a", HOME)], "replaced"),
        ({"n": f"{MOVED} {DOG}"}, [("merge", "n", f"{MOVED} {DOG}")], "merged"),
        (ALL, [], "nothing"),
    ],
)
def test_the_form_of_an_update_is_read_from_what_its_session_did(after, told, form) -> None:
    first = sessions(ALL)
    items = [MemoryItem(memory_id=name, text=text) for name, text in after.items()]
    record = history((*first, session(1, items, changes(*told))))
    forms = {row.metric: row.n for row in rows_of(LifeScorer(), record) if row.metric.startswith("update_")}
    assert [metric for metric, n in forms.items() if n] == [f"update_{form}"]


def test_a_system_whose_state_is_not_seen_has_no_life_of_facts() -> None:
    record = history(sessions(ALL, capabilities=Capabilities(state=False)))
    assert rows_of(LifeScorer(), record) == []
    assert LifeScorer().judgement_requests(record) == {}


def test_a_judgement_that_failed_makes_what_hangs_on_it_invalid() -> None:
    rows = rows_of(LifeScorer(), history(sessions(ALL, ALL)), fail="support:S00")
    assert {row.invalid for row in rows} == {1}


@pytest.mark.parametrize("rate", [0.05, 0.10, 0.20])
def test_a_planted_decay_is_read_back_within_two_points(rate: float) -> None:
    draw = random.Random(int(100 * rate))
    told = [[f"Fact {at}-{n} is so." for n in range(40)] for at in range(20)]
    gold = [
        tuple(GoldPoint(memory_id=f"m{n}", content=text, session_id=f"S{at:02}") for n, text in enumerate(texts))
        for at, texts in enumerate(told)
    ]
    whole = tuple(Session(session_id=f"S{at:02}", points=points) for at, points in enumerate(gold))
    sample = Sample(sample_id="s", sessions=whole)
    kept: list[str] = []
    heard = []
    for at, texts in enumerate(told):
        kept = [text for text in kept if draw.random() >= rate] + texts
        heard.append(
            SessionRecord(
                label="x",
                sample_id="s",
                regime="",
                domain="",
                index=at,
                session=whole[at],
                snapshot=tuple(MemoryItem(memory_id=text, text=text) for text in kept),
                capabilities=Capabilities(),
            )
        )
    record = SampleRecord(label="x", sample=sample, sessions=tuple(heard), questions=(), capabilities=Capabilities())
    rows = [row for row in rows_of(LifeScorer(), record) if row.metric == "fact_lost"]
    assert sum(row.n or 0 for row in rows) / sum(row.d or 0 for row in rows) == pytest.approx(rate, abs=0.02)
