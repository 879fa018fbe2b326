from __future__ import annotations

from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena.records import JudgementRequest
from memarena_arena.lexical import LexicalJudge

TEXTS = st.lists(st.text(max_size=60), max_size=5).map(tuple)
WORDS = st.lists(
    st.sampled_from(
        (
            "Aiko",
            "Ruth",
            "moved",
            "from Boston",
            "to Leeds",
            "no longer",
            "lives",
            "3",
            "$1,240",
            "7 May 2023",
            "likes",
            "tea",
            ".",
            ",",
            "not",
        )
    ),
    max_size=12,
).map(" ".join)
FACTS = st.lists(WORDS, max_size=5).map(tuple)
VERDICTS = {
    "recall": {"yes", "no"},
    "coverage": {"yes", "no"},
    "correctness": {"correct", "hallucination", "irrelevant"},
    "update": {"updated", "both", "outdated", "missed"},
    "interference": {"rejected", "memorized"},
    "answer": {"Correct", "Hallucination", "Omission"},
}


def verdicts(**request: Any) -> tuple[str | None, ...]:
    [found] = LexicalJudge().label([JudgementRequest(**request)])
    assert found is not None
    return found.verdicts


@pytest.mark.parametrize("task", sorted(VERDICTS))
@given(points=TEXTS | FACTS, items=TEXTS | FACTS, text=st.text(max_size=80) | WORDS, other=st.text(max_size=80) | WORDS)
def test_every_task_gives_one_verdict_a_point_or_item(
    task: str, points: tuple[str, ...], items: tuple[str, ...], text: str, other: str
) -> None:
    request = {
        "task": task,
        "question": text,
        "reference": other,
        "answer": text,
        "points": points,
        "items": items,
        "replaces": tuple((other,) for _ in points),
        "dialogue": (text, other),
    }
    found = verdicts(**request)
    expected = {"answer": 1, "correctness": len(items)}.get(task, len(points))
    assert len(found) == expected
    assert set(found) <= VERDICTS[task]
    assert verdicts(**request) == found


@given(points=FACTS, items=FACTS, seed=st.randoms(use_true_random=False))
def test_the_order_of_the_items_does_not_matter(points: tuple[str, ...], items: tuple[str, ...], seed: Any) -> None:
    shuffled = list(items)
    seed.shuffle(shuffled)
    for task in ("recall", "interference"):
        assert verdicts(task=task, points=points, items=items) == verdicts(
            task=task, points=points, items=tuple(shuffled)
        )


@given(points=FACTS, items=FACTS, more=FACTS)
def test_more_items_never_take_support_away(
    points: tuple[str, ...], items: tuple[str, ...], more: tuple[str, ...]
) -> None:
    fewer = verdicts(task="recall", points=points, items=items)
    larger = verdicts(task="recall", points=points, items=items + more)
    assert all(after == "yes" for before, after in zip(fewer, larger, strict=True) if before == "yes")


@given(st.lists(st.sampled_from(["Leeds", "7 May 2023", "$1,240", "tea", "S01_img_1"]), min_size=1, max_size=3))
def test_an_answer_equal_to_the_reference_is_correct(parts: list[str]) -> None:
    reference = ", ".join(dict.fromkeys(parts))
    assert verdicts(task="answer", question="What is it?", reference=reference, answer=reference) == ("Correct",)


def test_labels_come_in_the_order_of_the_requests() -> None:
    requests = [
        JudgementRequest(task="answer", question="Where?", reference="Leeds", answer=answer)
        for answer in ("Leeds", "Boston", "")
    ]
    assert [label.verdicts[0] for label in LexicalJudge().label(requests) if label] == [
        "Correct",
        "Hallucination",
        "Omission",
    ]


@pytest.mark.parametrize("unit", ["1", "a", "A ", "not ", "from ", ", ", "or ", "前", "7 May ", "\n", "answer: ", "1,"])
def test_a_hundred_thousand_characters_of_one_kind_are_judged_at_once(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    start = process_time()
    verdicts(task="answer", question="Where?", reference="Leeds", answer=text)
    verdicts(task="recall", points=("Aiko lives in Leeds.",), items=(text,))
    verdicts(task="correctness", items=("Aiko lives in Leeds.", text[:5000]), dialogue=(text,))
    assert process_time() - start < 20


def test_a_growing_snapshot_of_eight_hundred_items_is_judged_in_seconds() -> None:
    facts = [f"Person{n} owns {n} sheep in town {n % 97} since 1 May 2023." for n in range(800)]
    start = process_time()
    for session in range(30):
        snapshot = tuple(facts[: (session + 1) * 26])
        points = tuple(f"Person{n} owns {n} sheep." for n in range(session, session + 3))
        old = tuple((f"Person{n} owns {n + 1} sheep.",) for n in range(session, session + 3))
        assert verdicts(task="update", points=points, replaces=old, items=snapshot) == ("updated",) * 3
        assert verdicts(task="interference", points=("Zoe owns 5000 sheep.",), items=snapshot) == ("rejected",)
    assert process_time() - start < 10
