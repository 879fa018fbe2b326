"""The judge `panel`: the majority, no verdict without one, and how far its members agree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena import catalog
from memarena.errors import PluginError, UsageError
from memarena.records import JudgementRequest, Label
from memarena.testing import JudgeContract
from memarena_arena.lexical import LexicalJudge
from memarena_models.kappa import cohen_kappa
from memarena_models.panel import PanelJudge, PanelOptions

REQUEST = JudgementRequest(task="recall", items=("x",), points=("a", "b", "c"))


class Says:
    """A judge that always says the same; None: it fails."""

    name, revision = "says", 1

    def __init__(self, *words: str | None, fails: bool = False) -> None:
        self._label = None if fails else Label(verdicts=words)

    def label(self, requests: Sequence[JudgementRequest]) -> list[Label | None]:
        return [self._label for _ in requests]


class TestContract(JudgeContract):
    def make(self) -> PanelJudge:
        return PanelJudge(members={"one": LexicalJudge(), "two": LexicalJudge(), "three": LexicalJudge()})


def verdicts(**members: Says) -> tuple[str | None, ...] | None:
    (label,) = PanelJudge(members=members).label([REQUEST])
    return None if label is None else label.verdicts


def test_the_majority_decides_each_point() -> None:
    found = verdicts(a=Says("yes", "no", "no"), b=Says("yes", "yes", "no"), c=Says("no", "yes", "no"))
    assert found == ("yes", "yes", "no")


def test_a_tie_gives_no_verdict() -> None:
    assert verdicts(a=Says("yes", "no", "no"), b=Says("yes", "yes", "no")) == ("yes", None, "no")


def test_the_most_votes_are_no_majority_where_they_are_half_or_less() -> None:
    members = {"a": Says("updated"), "b": Says("updated"), "c": Says("both"), "d": Says("outdated")}
    (label,) = PanelJudge(members=members).label([JudgementRequest(task="update", points=("p",))])
    assert label == Label(verdicts=(None,), reason="a: updated; b: updated; c: both; d: outdated")


def test_a_member_that_failed_has_no_vote() -> None:
    assert verdicts(a=Says("yes", "no", "no"), b=Says("yes", "no", "no"), c=Says(fails=True)) == ("yes", "no", "no")


def test_a_tie_for_want_of_a_member_is_a_failure_that_is_asked_for_again() -> None:
    assert verdicts(a=Says("yes", "no", "no"), b=Says("no", "no", "no"), c=Says(fails=True)) is None


def test_where_all_members_fail_the_panel_fails() -> None:
    assert verdicts(a=Says(fails=True), b=Says(fails=True)) is None


def test_a_label_tells_what_each_member_said() -> None:
    members = {"a": Says("yes", "no", None), "b": Says("yes", "no", "no"), "c": Says(fails=True)}
    (label,) = PanelJudge(members=members).label([REQUEST])
    assert label == Label(verdicts=("yes", "no", "no"), reason="a: yes, no, none; b: yes, no, no; c: failed")


def test_agreement_is_counted_over_all_verdicts_of_a_pair() -> None:
    panel = PanelJudge(members={"a": Says("yes", "no", "no"), "b": Says("yes", "yes", "no")})
    panel.label([REQUEST, REQUEST])
    (pair,) = panel.agreement()
    assert (pair.one, pair.other, pair.n, pair.agreed) == ("a", "b", 6, 4)
    # Each says yes in 2 of 6 and 4 of 6: by chance they agree in (2 * 4 + 4 * 2) / 36 = 4 / 9 of all.
    assert pair.kappa == pytest.approx((4 / 6 - 4 / 9) / (1 - 4 / 9))


def test_the_members_are_named_by_an_option() -> None:
    row = catalog.find("judges", "panel")
    panel = catalog.make(row.load(), {"judges": ["a=lexical", "b=lexical", "c=llm"], "options": {"c": {"model": "x"}}})
    assert [(pair.one, pair.other) for pair in panel.agreement()] == [("a", "b"), ("a", "c"), ("b", "c")]


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        (PanelOptions(judges=("lexical",)), UsageError, "at least two judges"),
        (PanelOptions(judges=("lexical", "lexical")), UsageError, "two adapters are labelled"),
        (PanelOptions(judges=("lexical", "panel")), UsageError, "cannot sit on a panel"),
        (
            PanelOptions(judges=("lexical", "a=llm"), options={"b": {}}),
            UsageError,
            "no judge of the panel is labelled 'b'",
        ),
        (PanelOptions(judges=("lexical", "nobody")), PluginError, "unknown judge 'nobody'"),
    ],
)
def test_a_panel_that_cannot_sit_is_refused(options: PanelOptions, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        PanelJudge(options)


def test_failures_of_members_are_kept_where_they_can_keep_them(tmp_path: Path) -> None:
    kept: list[Path] = []

    class Keeps(Says):
        def keep_failures(self, folder: Path) -> None:
            kept.append(folder)

    PanelJudge(members={"a": Keeps("yes"), "b": Says("yes")}).keep_failures(tmp_path)
    assert kept == [tmp_path]


def test_kappa_is_that_of_the_published_example() -> None:
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 0.7, expected 0.5.
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert cohen_kappa(pairs) == pytest.approx(0.4)


def test_kappa_is_undefined_without_units_or_without_variety() -> None:
    assert cohen_kappa([]) is None
    assert cohen_kappa([("y", "y")] * 3) is None


words = st.sampled_from(["Correct", "Omission", "Hallucination"])


@given(st.lists(st.tuples(words, words), min_size=1, max_size=60))
def test_kappa_is_symmetric_and_at_most_one(pairs: list[tuple[str, str]]) -> None:
    kappa = cohen_kappa(pairs)
    assert kappa == cohen_kappa([(other, one) for one, other in pairs])
    assert kappa is None or -1 <= kappa <= 1
    if kappa == 1:
        assert all(one == other for one, other in pairs)
