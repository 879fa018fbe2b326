"""Two runs that differ in one setting are not compared, and the setting is named."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from report_runs import Plan, write_run

from memarena import codec
from memarena.errors import StoreError, UsageError
from memarena.meter import UsageRow
from memarena_report.comparison import Comparison
from memarena_report.conditions import flat, unequal, versions


def header(**changes: Any) -> dict[str, Any]:
    found = {
        "memarena": "1.0.0",
        "settings": {"top_k": 10, "seed": 0, "captions": "given", "pictures": True, "budget_tokens": None},
        "adapters": [adapter("mem", k=5), adapter("other")],
        "plugins": {
            "answerer": {"name": "llm", "revision": 1, "prompts": ["aa"]},
            "judge": {"name": "llm", "revision": 1, "prompts": ["bb", "cc"]},
            "scorers": [{"name": "answers", "revision": 1}],
        },
        "models": {"names": {"inner": "small", "embed": "vectors", "answer": "a", "judge": "j"}, "gateway": "local"},
        "data": {"samples": [{"sample_id": "s1", "fingerprint": "a" * 64}]},
    }
    return found | changes


def adapter(label: str, version: str = "1", **options: Any) -> dict[str, Any]:
    return {"label": label, "name": label, "distribution": f"x-{label}", "version": version, "options": options}


def changed(place: str, value: Any) -> dict[str, Any]:
    """The header with another value at `place`, e.g. `settings.top_k`."""
    found: dict[str, Any] = json.loads(json.dumps(header()))
    *way, last = place.split(".")
    inner = found
    for name in way:
        inner = inner[name]
    inner[last] = value
    return found


def names(one: Mapping[str, Any], two: Mapping[str, Any], *labels: str) -> list[str]:
    chosen = labels or ("mem", "other")
    return [row.name for row in unequal([one, two], [chosen, chosen])]


def test_equal_conditions_are_equal() -> None:
    assert names(header(), changed("settings.seed", 5)) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("memarena", "1.1.0"),
        ("settings.top_k", 5),
        ("settings.captions", "full"),
        ("settings.pictures", False),
        ("settings.budget_tokens", 100),
        ("settings.evidence_mode", "session"),
        ("plugins.answerer.name", "extractive"),
        ("plugins.answerer.prompts", ["ab"]),
        ("plugins.judge.revision", 2),
        ("plugins.judge.prompts", ["bb", "cd"]),
        ("models.names.inner", "large"),
        ("models.names.embed", "other-vectors"),
        ("models.names.answer", "b"),
        ("models.options", {"force_decoding": {"temperature": 0}}),
    ],
)
def test_the_one_condition_that_differs_is_named(name: str, value: Any) -> None:
    found = names(header(), changed(name, value))
    assert len(found) == 1
    assert found[0].startswith(name)


def test_a_sample_of_both_runs_has_to_be_the_same() -> None:
    other = header(
        data={"samples": [{"sample_id": "s1", "fingerprint": "b" * 64}, {"sample_id": "s2", "fingerprint": ""}]}
    )
    assert names(header(), other) == ["data.s1"]


def test_one_label_has_to_mean_one_system_with_one_set_of_options() -> None:
    other = header(adapters=[adapter("mem", k=7), adapter("other")])
    assert names(header(), other) == ["adapters.mem.options.k"]
    assert names(header(), other, "other") == []
    renamed = header(adapters=[adapter("mem", k=5) | {"name": "memory"}, adapter("other")])
    assert names(header(), renamed) == ["adapters.mem.name"]


def test_systems_of_other_labels_may_have_other_options() -> None:
    other = header(adapters=[adapter("mem-7", k=7)])
    assert unequal([header(), other], [["mem"], ["mem-7"]]) == []


def test_another_version_of_a_system_is_told_and_not_refused() -> None:
    other = header(adapters=[adapter("mem", version="2", k=5), adapter("other")])
    assert names(header(), other) == []
    assert [str(row) for row in versions([header(), other], [["mem"], ["mem"]])] == ["mem (x-mem 1 / x-mem 2)"]


def test_a_system_that_uses_no_model_may_stand_beside_one_that_does() -> None:
    without = header(models={})
    assert unequal([header(), without], [["mem"], ["other"]]) == []
    found = [row.name for row in unequal([header(), without], [["mem"], ["mem"]])]
    assert "models.names.inner" in found


def test_nested_settings_are_flattened_by_their_names() -> None:
    assert dict(flat({"a": {"b": 1}, "c": [{"name": "x", "v": 2}], "d": [1, 2]})) == {
        "a.b": 1,
        "c.x.name": "x",
        "c.x.v": 2,
        "d": [1, 2],
    }


def record(run: Path, *calls: tuple[str, str, Mapping[str, Any]]) -> None:
    """What a gateway leaves in a run folder: `calls` are cell, stage and body."""
    rows = [UsageRow(session=1, cell_id=cell, stage=stage, model=body["model"], calls=1) for cell, stage, body in calls]
    (run / "usage.jsonl").write_bytes(b"".join(codec.encode(row) + b"\n" for row in rows))
    database = sqlite3.connect(run / "exchanges.sqlite")
    database.execute("CREATE TABLE requests (request BLOB, endpoint TEXT, model TEXT, body BLOB)")
    database.execute("CREATE TABLE exchanges (request BLOB, owner TEXT, stage TEXT)")
    for number, (cell, stage, body) in enumerate(calls):
        told = zlib.compress(json.dumps(body).encode())
        database.execute("INSERT INTO requests VALUES (?, 'chat', ?, ?)", (b"%d" % number, body["model"], told))
        database.execute("INSERT INTO exchanges VALUES (?, ?, ?)", (b"%d" % number, cell, stage))
    database.commit()
    database.close()


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    for name in ("one", "two"):
        write_run(tmp_path / name, Plan(shares={"mem": 0.5}, samples=2))
    return [tmp_path / "one", tmp_path / "two"]


def refused(runs: list[Path]) -> str:
    with pytest.raises(UsageError) as found:
        Comparison.of(runs, [], ["qa_c"], "paper")
    return str(found.value)


CELL = "mem~sample-00"
CALL = {"model": "small", "temperature": 0, "seed": 1, "messages": []}


def test_the_same_calls_are_equal_whatever_their_seed(two: list[Path]) -> None:
    record(two[0], (CELL, "write", CALL), ("judge", "judge", CALL))
    record(two[1], (CELL, "write", {**CALL, "seed": 2}), ("judge", "judge", {**CALL, "seed": 2}))
    assert Comparison.of(two, [], ["qa_c"], "paper").unequal == []


def test_another_inner_model_than_the_header_says_is_seen(two: list[Path]) -> None:
    record(two[0], (CELL, "write", CALL))
    record(two[1], (CELL, "write", {**CALL, "model": "large"}))
    assert "seen.models of the systems (small / large)" in refused(two)


@pytest.mark.parametrize(
    ("cell", "stage", "name"),
    [
        (CELL, "write", "mem.write"),
        (CELL, "retrieve", "mem.retrieve"),
        (CELL, "answer", "answer"),
        ("judge", "judge", "judge"),
    ],
)
def test_another_decoding_is_seen(two: list[Path], cell: str, stage: str, name: str) -> None:
    record(two[0], (cell, stage, CALL))
    record(two[1], (cell, stage, CALL), (cell, stage, {**CALL, "temperature": 0.7}))
    assert f"seen.decoding.{name} (– / temperature=0.7)" in refused(two)


def test_a_damaged_record_is_said(two: list[Path]) -> None:
    record(two[0], (CELL, "write", CALL))
    record(two[1], (CELL, "write", CALL))
    (two[1] / "exchanges.sqlite").write_bytes(b"no database, but text" * 100)
    with pytest.raises(StoreError, match=r"exchanges\.sqlite: .*it is damaged"):
        Comparison.of(two, [], ["qa_c"], "paper")


def test_the_comparison_says_where_versions_differ(two: list[Path]) -> None:
    file = two[1] / "run.json"
    text = file.read_text(encoding="utf-8")
    file.write_text(
        text.replace(
            '"distribution":"memarena-mem","version":"1.0.0"', '"distribution":"memarena-mem","version":"1.1"'
        ),
        encoding="utf-8",
    )
    found = Comparison.of(two, [], ["qa_c"], "paper")
    assert [str(row) for row in found.versions] == ["mem (memarena-mem 1.0.0 / memarena-mem 1.1)"]
