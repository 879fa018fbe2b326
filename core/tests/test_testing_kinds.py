"""Each check of the smaller contracts finds the fault that it is for, and no other check finds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from memarena.hookspecs import hookimpl
from memarena.instruments.boundary import Boundary
from memarena.instruments.timing import Timing
from memarena.instruments.tokens import Tokens
from memarena.instruments.trace import Trace
from memarena.records import (
    JudgementRequest,
    Label,
    Metric,
    QuestionRecord,
    Retrieval,
    Stat,
)
from memarena.testing import checks_of, run_checks
from memarena.testing.tiny import Tiny, TinyOpened, tiny_samples


def failed(make: Callable[[], Any], kind: str) -> set[str]:
    return {result.name for result in run_checks(make, kind) if result.outcome == "failed"}


# -- instruments ------------------------------------------------------------------------------


class Watching:
    layer = 50

    @hookimpl(wrapper=True)
    def retrieve(self):
        return (yield)

    @hookimpl(wrapper=True)
    def ingest_turn(self):
        return (yield)


class WithoutLayer(Watching):
    layer = "outer"


class LosesResults(Watching):
    @hookimpl(wrapper=True)
    def retrieve(self):
        yield


class HidesFailures(Watching):
    @hookimpl(wrapper=True)
    def retrieve(self):
        try:
            return (yield)
        except Exception:
            return Retrieval(query="")


class Shouts(Watching):
    @hookimpl(wrapper=True)
    def ingest_turn(self):
        print("a turn")
        return (yield)


# -- scorers ----------------------------------------------------------------------------------


class Hits:
    """Whether the reference is in the answer, and what the judge says."""

    name = "hits"
    revision = 1
    metrics = {"hits": Metric(title="Hits", stage="use"), "judged": Metric(title="Judged", stage="use")}  # noqa: RUF012

    @hookimpl
    def judgement_requests(self, record):
        if not isinstance(record, QuestionRecord):
            return {}
        request = JudgementRequest(
            task="answer", question=record.question.text, reference=record.reference, answer=record.answer.text
        )
        return {"label": request}

    @hookimpl
    def score(self, record, labels):
        return self.rows(record, labels)

    def rows(self, record, labels):
        if not isinstance(record, QuestionRecord):
            return ()
        hit = record.reference.casefold() in record.answer.text.casefold()
        return (Stat.of(record, self, n=float(hit)), self.judged(record, labels["label"]))

    def judged(self, record, label: Label | None) -> Stat:
        if label is None:
            return Stat.of(record, self, metric="judged", n=None, d=None, invalid=1)
        return Stat.of(record, self, metric="judged", n=float(label.verdicts == ("Correct",)))


class NamesNoMetrics(Hits):
    metrics: dict[str, str] = {"hits": "Hits", "judged": "Judged"}  # noqa: RUF012


class IsNotDecorated(Hits):
    def score(self, record, labels):
        return self.rows(record, labels)


class AsksWithWrongTypes(Hits):
    @hookimpl
    def judgement_requests(self, record):
        return {name: replace(request, points=(7,)) for name, request in super().judgement_requests(record).items()}


class GivesInfinity(Hits):
    def rows(self, record, labels):
        return tuple(replace(stat, n=float("inf")) if stat.n else stat for stat in super().rows(record, labels))


class TakesFailureForZero(Hits):
    def judged(self, record, label):
        return super().judged(record, label or Label(verdicts=("Omission",)))


class CountsItsCalls(Hits):
    calls = 0

    def rows(self, record, labels):
        CountsItsCalls.calls += 1
        return tuple(replace(stat, weight=float(self.calls)) for stat in super().rows(record, labels))


class PrintsScores(Hits):
    def rows(self, record, labels):
        print(record.unit)
        return super().rows(record, labels)


# -- data sets --------------------------------------------------------------------------------


def dataset(change: Callable[[Any], Any]) -> type[Tiny]:
    """The tiny data set with each sample changed."""

    class Opened(TinyOpened):
        def __iter__(self):
            return map(change, tiny_samples())

    class Changed(Tiny):
        def open(self, source, options):
            return Opened()

    return Changed


def in_session(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda sample: replace(sample, sessions=tuple(map(change, sample.sessions)))


def in_turn(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return in_session(lambda session: replace(session, turns=tuple(map(change, session.turns))))


def in_checkpoint(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda sample: replace(sample, checkpoints=tuple(map(change, sample.checkpoints)))


def in_question(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return in_checkpoint(lambda stop: replace(stop, questions=tuple(map(change, stop.questions))))


def moved(turn):
    return replace(turn, attachments=tuple(replace(it, path="gone/1.png") for it in turn.attachments))


class WithoutRevision(Tiny):
    revision = 0


class WithoutReport(Tiny):
    def open(self, source, options):
        return list(tiny_samples())


class Shuffles(Tiny):
    opened = 0

    def open(self, source, options):
        Shuffles.opened += 1
        samples = tiny_samples()[:: -1 if Shuffles.opened % 2 else 1]

        class Opened(TinyOpened):
            def __iter__(self):
                return iter(samples)

        return Opened()


class Announces(Tiny):
    def open(self, source, options):
        print("reading ...")
        return super().open(source, options)


FAULTS = {
    "instrument": {
        "mounts": WithoutLayer,
        "results_pass_through": LosesResults,
        "failures_pass_through": HidesFailures,
        "no_stray_output": Shouts,
    },
    "scorer": {
        "named": NamesNoMetrics,
        "hooks_decorated": IsNotDecorated,
        "requests_typed": AsksWithWrongTypes,
        "rows_typed": GivesInfinity,
        "failed_judgements_are_invalid": TakesFailureForZero,
        "same_rows_twice": CountsItsCalls,
        "no_stray_output": PrintsScores,
    },
    "dataset": {
        "named": WithoutRevision,
        "samples_typed": dataset(lambda sample: replace(sample, domain=7)),
        "report_given": WithoutReport,
        "ids_unique": dataset(lambda sample: replace(sample, sample_id="tiny")),
        "turns_in_their_session": dataset(in_turn(lambda turn: replace(turn, index=0))),
        "text_holds_everything": dataset(in_turn(lambda turn: replace(turn, text=turn.text[:5]))),
        "pictures_are_files": dataset(in_turn(moved)),
        "checkpoints_follow_sessions": dataset(in_checkpoint(lambda stop: replace(stop, covered=("S09",)))),
        "questions_have_gold": dataset(in_question(lambda question: replace(question, reference=" "))),
        "gold_points_at_what_is_there": dataset(
            in_session(
                lambda session: replace(
                    session, points=tuple(replace(point, turn_ids=("S07:T001",)) for point in session.points)
                )
            )
        ),
        "same_samples_twice": Shuffles,
        "no_stray_output": Announces,
    },
}
GOOD = {
    "instrument": [Watching, Timing, Tokens, Trace, Boundary],
    "scorer": [Hits],
    "dataset": [Tiny],
}


@pytest.mark.parametrize("kind", FAULTS)
def test_every_check_has_a_planted_fault(kind):
    assert list(FAULTS[kind]) == [check.name for check in checks_of(kind)]


@pytest.mark.parametrize(("kind", "make"), [(kind, make) for kind, makers in GOOD.items() for make in makers])
def test_a_good_plugin_passes(kind, make):
    assert {result.outcome for result in run_checks(make, kind)} == {"passed"}


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, faults in FAULTS.items() for name in faults])
def test_a_planted_fault_fails_its_own_check_and_no_other(kind, name):
    assert failed(FAULTS[kind][name], kind) == {name}
