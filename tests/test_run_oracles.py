"""Oracles of `memarena run`: gold in place of what a stage of a system would have done."""

from __future__ import annotations

from pathlib import Path

from run_commands import memarena, run

from memarena.store import RunStore


def test_the_oracle_row_hands_the_evidence_to_the_answerer(tmp_path: Path) -> None:
    result = run(tmp_path / "r", "-a", "nothing", "--oracle", "retrieve")
    assert result.returncode == 0, result.stderr
    store = RunStore.open(tmp_path / "r")
    history = store.history("gold-evidence~tiny-home")
    asked = next(one for one in history.questions if one.question.type == "DU")
    assert [item.memory_id for item in asked.retrieval.items] == [one.evidence_id for one in asked.question.evidence]
    labels = {row.label for row in store.stats()}
    assert labels == {"nothing", "gold-evidence"}


def test_the_oracle_write_tells_gold_points_in_place_of_turns(tmp_path: Path) -> None:
    result = run(tmp_path / "r", "-a", "verbatim", "--oracle", "write")
    assert result.returncode == 0, result.stderr
    store = RunStore.open(tmp_path / "r")
    assert [row["label"] for row in store.header["adapters"]] == ["verbatim", "verbatim+write"]
    for session in store.history("verbatim+write~tiny-home").sessions:
        told = [change.text for change in session.changes]
        points = session.session.gold("new", "update")
        assert len(told) >= len(points)
        assert all(point.content in text for point, text in zip(points, told, strict=False))


def test_the_oracle_maintain_asks_a_memory_that_was_told_only_what_is_true_now(tmp_path: Path) -> None:
    result = run(tmp_path / "r", "-a", "verbatim", "--oracle", "maintain")
    assert result.returncode == 0, result.stderr
    store = RunStore.open(tmp_path / "r")
    last = store.history("verbatim+maintain~tiny-home").sessions[-1]
    kept = " ".join(item.text for item in last.snapshot)
    (update,) = last.session.gold("update")
    assert update.content in kept
    assert not any(old in kept for old in update.replaces)


def test_an_oracle_that_needs_gold_points_is_refused_where_there_are_none(tmp_path: Path) -> None:
    data = Path(__file__).parents[1] / "plugins/memarena-arena/tests/locomo_garden.json"
    result = memarena(
        "run", "-d", f"locomo:{data}", "-a", "verbatim", "--oracle", "write", "--out", str(tmp_path / "r")
    )
    assert result.returncode == 2
    assert "--oracle write" in result.stderr.splitlines()[-1]
    assert "this data set has none" in result.stderr.splitlines()[-1]
    assert not (tmp_path / "r").exists()


def test_a_run_with_oracles_goes_on_where_it_stopped(tmp_path: Path) -> None:
    words = ("-a", "verbatim", "--oracle", "maintain", "--oracle", "retrieve")
    assert run(tmp_path / "r", *words).returncode == 0
    again = memarena("run", "--resume", "--quiet", "--out", str(tmp_path / "r"))
    assert again.returncode == 0, again.stderr
