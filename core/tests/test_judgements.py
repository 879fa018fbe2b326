"""Each distinct request is judged once, and what failed is never kept."""

from __future__ import annotations

import threading
from asyncio import CancelledError
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from memarena.errors import ModelError, StoreError
from memarena.judgements import BATCH, Judgements
from memarena.records import JudgementRequest, Label


class Counting:
    """Says Correct where the answer is the reference; fails on `fail`, breaks on `break`."""

    name, revision = "counting", 1

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.batches: list[int] = []

    def label(self, requests: Sequence[JudgementRequest]) -> Sequence[Label | None]:
        self.batches.append(len(requests))
        self.seen += [request.answer for request in requests]
        if any(request.answer == "break" for request in requests):
            raise ValueError("cannot read this")
        return [
            None
            if request.answer == "fail"
            else Label(verdicts=("Correct" if request.answer == request.reference else "Omission",))
            for request in requests
        ]


def request(answer: str, reference: str = "tea") -> JudgementRequest:
    return JudgementRequest(task="answer", question="What?", reference=reference, answer=answer)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


def words(labels: Sequence[Label | None]) -> list[str | None]:
    return [label and label.verdicts[0] for label in labels]


def test_equal_requests_are_judged_once_and_remembered(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    judge = Counting()
    first = Judgements(tmp_path / "j.sqlite", judge, {"name": "counting"}, pool)
    assert words(first.label([request("tea"), request("milk"), request("tea")])) == ["Correct", "Omission", "Correct"]
    first.close()
    again = Judgements(tmp_path / "j.sqlite", judge, {"name": "counting"}, pool)
    assert words(again.label([request("milk")])) == ["Omission"]
    assert again.judged == 0
    again.close()
    assert sorted(judge.seen) == ["milk", "tea"]


def test_another_judge_has_labels_of_its_own(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    judge = Counting()
    for revision in (1, 2):
        judgements = Judgements(tmp_path / "j.sqlite", judge, {"name": "counting", "revision": revision}, pool)
        judgements.label([request("tea")])
        judgements.close()
    assert judge.seen == ["tea", "tea"]


def test_what_failed_is_none_and_asked_again_the_next_time(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    judge = Counting()
    for _ in range(2):
        judgements = Judgements(tmp_path / "j.sqlite", judge, {}, pool)
        assert words(judgements.label([request("fail"), request("tea")])) == [None, "Correct"]
        assert judgements.failed == 1
        judgements.close()
    assert judge.seen.count("fail") == 2
    assert judge.seen.count("tea") == 1


def test_a_request_that_breaks_the_judge_does_not_take_its_batch_with_it(
    tmp_path: Path, pool: ThreadPoolExecutor
) -> None:
    judgements = Judgements(tmp_path / "j.sqlite", Counting(), {}, pool)
    assert words(judgements.label([request("tea"), request("break"), request("milk")])) == [
        "Correct",
        None,
        "Omission",
    ]
    judgements.close()


@pytest.mark.parametrize("verdicts", [(), ("Correct", "Correct"), ("correct",), ("maybe",)])
def test_a_label_that_does_not_fit_is_a_failed_judgement(
    verdicts: tuple[str, ...], tmp_path: Path, pool: ThreadPoolExecutor
) -> None:
    judge = Counting()
    judge.label = lambda requests: [Label(verdicts=verdicts) for _ in requests]  # type: ignore[method-assign]
    judgements = Judgements(tmp_path / "j.sqlite", judge, {}, pool)
    assert judgements.label([request("tea")]) == [None]
    judgements.close()


def test_a_judge_that_returns_too_few_labels_is_not_zipped(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    judge = Counting()
    judge.label = lambda requests: [Label(verdicts=("Correct",))]  # type: ignore[method-assign]
    judgements = Judgements(tmp_path / "j.sqlite", judge, {}, pool)
    assert judgements.label([request("a"), request("b")]) == [None, None]
    judgements.close()


def test_many_requests_go_in_batches(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    judge = Counting()
    judgements = Judgements(tmp_path / "j.sqlite", judge, {}, pool)
    judgements.label([request(str(number)) for number in range(BATCH * 2 + 1)])
    judgements.close()
    assert sorted(judge.batches) == [1, BATCH, BATCH]


def test_threads_that_ask_the_same_wait_for_one_judgement(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    judge = Counting()
    judgements = Judgements(tmp_path / "j.sqlite", judge, {}, pool)
    wanted = [request(str(number)) for number in range(20)]
    results: list[list[str | None]] = []
    threads = [threading.Thread(target=lambda: results.append(words(judgements.label(wanted)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    judgements.close()
    assert results == [["Omission"] * 20] * 4
    assert sorted(judge.seen) == sorted(str(number) for number in range(20))


def test_two_runs_may_share_one_file(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    both = [Judgements(tmp_path / "j.sqlite", Counting(), {}, pool) for _ in range(2)]
    threads = [
        threading.Thread(target=one.label, args=([request(str(number)) for number in range(300)],)) for one in both
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one in both:
        one.close()


def test_a_judge_that_cannot_work_at_all_stops_the_run(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    judge = Counting()

    def refuse(requests: Sequence[JudgementRequest]) -> Sequence[Label | None]:
        raise ModelError("OPENAI_API_KEY is not set")

    judge.label = refuse  # type: ignore[method-assign]
    judgements = Judgements(tmp_path / "j.sqlite", judge, {}, pool)
    with pytest.raises(ModelError):
        judgements.label([request("tea")])
    judgements.close()


def test_a_file_that_is_no_database_says_what_to_do(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    (tmp_path / "j.sqlite").write_text("not a database " * 100, encoding="utf-8")
    with pytest.raises(StoreError, match="delete it"):
        Judgements(tmp_path / "j.sqlite", Counting(), {}, pool)


class Giving(Counting):
    """Gives what it is told to for each request of a batch of one."""

    def __init__(self, given: Any) -> None:
        super().__init__()
        self.given = given

    def label(self, requests: Sequence[JudgementRequest]) -> Any:
        if isinstance(self.given, BaseException):
            raise self.given
        return self.given


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (None, "TypeError: 'NoneType' object is not iterable"),
        (5, "TypeError"),
        ([], "0 labels came for 1 requests"),
        (["Correct"], "a label does not fit its answer request"),
        ([Label(verdicts=None)], "a label does not fit its answer request"),  # type: ignore[arg-type]
        ([Label(verdicts=("maybe",))], "a label does not fit its answer request"),
        (ConnectionError("gone"), "ConnectionError: gone"),
        (SystemExit(3), "SystemExit: 3"),
        (CancelledError(), "CancelledError"),
    ],
)
def test_whatever_a_judge_does_is_a_failed_judgement_with_a_reason(
    given: Any, problem: str, tmp_path: Path, pool: ThreadPoolExecutor
) -> None:
    judgements = Judgements(tmp_path / "j.sqlite", Giving(given), {"name": "giving"}, pool)
    assert judgements.label([request("tea")]) == [None]
    assert (judgements.judged, judgements.failed) == (1, 1)
    assert judgements.problem.startswith(problem)
    judgements.close()
