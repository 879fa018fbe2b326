"""A run with models: through the gateway, counted by owner and stage, recorded, replayed, and with faults."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from run_commands import memarena

from memarena.store import RunStore
from memarena.testing.loopback import Reply, Request, serving

pytest.importorskip("memarena_models", reason="memarena-models is not installed")

from memarena_models import offline

KEY = "sk-upstream-secret-4242"


class Upstream:
    """An OpenAI-compatible server with the rules of the model offline behind it; it wants its key."""

    def __init__(self) -> None:
        self.url = ""
        self.calls = 0

    def answer(self, request: Request) -> Reply:
        if request.method == "GET":
            return Reply.of({"object": "list", "data": [{"id": "test-model", "object": "model"}]})
        if request.authorization != f"Bearer {KEY}":
            return Reply.of({"error": {"message": "wrong key"}}, 401)
        self.calls += 1
        body = request.body
        return Reply.of(offline.embeddings(body) if "input" in body else offline.chat(body))


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    found = Upstream()
    with serving(found.answer) as address:
        found.url = f"{address}/v1"
        yield found


def settings(folder: Path, base_url: str, more: str = "") -> None:
    (folder / "memarena.toml").write_text(
        f'[gateway.upstreams.test]\nbase_url = "{base_url}"\nkey_env = "TEST_KEY"\nmodels = ["test-*"]\n{more}',
        encoding="utf-8",
    )


def in_folder(folder: Path, *words: str, key: str = KEY) -> subprocess.CompletedProcess[str]:
    return memarena(*words, cwd=folder, env={"TEST_KEY": key})


LLM = ("run", "-d", "tiny", "-a", "verbatim", "--quiet", "--answerer", "llm", "--judge", "llm")
MODEL = ("--model", "test-model")


def scores(folder: Path) -> bytes:
    return (folder / "scores.jsonl").read_bytes()


def test_the_embedded_model_needs_no_key_and_no_upstream(tmp_path: Path) -> None:
    result = in_folder(tmp_path, *LLM, "--model", "offline", "--out", "r")
    assert result.returncode == 0, result.stderr
    used = RunStore.open(tmp_path / "r").usage()
    assert {stage for stages in used.values() for stage in stages} == {"answer", "judge"}
    assert used["verbatim~tiny-home"]["answer"].calls == 3


def test_a_run_whose_prompts_differ_is_not_compared(tmp_path: Path) -> None:
    words = ("run", "-d", "tiny", "-a", "verbatim", "--answerer", "llm", "--model", "offline", "--quiet")
    for name in ("one", "two"):
        assert in_folder(tmp_path, *words, "--out", name).returncode == 0
    assert in_folder(tmp_path, "compare", "one", "two").returncode == 0
    header = json.loads((tmp_path / "two" / "run.json").read_bytes())
    header["plugins"]["answerer"]["prompts"] = ["another"]
    (tmp_path / "two" / "run.json").write_text(json.dumps(header), encoding="utf-8")
    refused = in_folder(tmp_path, "compare", "one", "two")
    assert refused.returncode == 2
    assert "plugins.answerer.prompts" in refused.stderr


def test_a_run_with_repeats_draws_answers_and_labels_anew_through_the_gateway(tmp_path: Path) -> None:
    result = in_folder(tmp_path, *LLM, "--model", "offline", "--repeats", "2", "--out", "r")
    assert result.returncode == 0, result.stderr
    calls = {
        stage: RunStore.open(tmp_path / "r" / "redrawn" / stage).usage() for stage in ("retrieve", "answer", "judge")
    }
    answered = {stage: used.get("verbatim~tiny-home", {}).get("answer") for stage, used in calls.items()}
    assert [None if one is None else one.calls for one in answered.values()] == [3, 3, None]
    assert all(used["judge"]["judge"].calls for used in calls.values())
    assert scores(tmp_path / "r" / "redrawn" / "judge") == scores(tmp_path / "r")
    replayed = in_folder(tmp_path, *LLM, "--model", "offline", "--repeats", "2", "--replay-from", "r", "--out", "again")
    assert replayed.returncode == 0, replayed.stderr
    for stage in calls:
        assert scores(tmp_path / "again" / "redrawn" / stage) == scores(tmp_path / "r" / "redrawn" / stage)


def test_every_call_has_an_owner_and_the_key_is_in_no_file(tmp_path: Path, upstream: Upstream) -> None:
    settings(tmp_path, upstream.url)
    result = in_folder(tmp_path, *LLM, *MODEL, "--out", "r")
    assert result.returncode == 0, result.stderr
    assert KEY not in result.stdout + result.stderr
    for file in (tmp_path / "r").rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file
    assert RunStore.open(tmp_path / "r").header["models"]["names"]["answer"] == "test-model"


def test_a_replayed_run_asks_nobody_and_has_the_same_scores(tmp_path: Path, upstream: Upstream) -> None:
    settings(tmp_path, upstream.url)
    assert in_folder(tmp_path, *LLM, *MODEL, "--out", "first").returncode == 0
    before = upstream.calls
    settings(tmp_path, "http://127.0.0.1:9/v1")
    again = in_folder(tmp_path, *LLM, *MODEL, "--out", "second", "--replay-from", "first", key="")
    assert again.returncode == 0, again.stderr
    assert upstream.calls == before
    assert scores(tmp_path / "second") == scores(tmp_path / "first")
    rescored = in_folder(tmp_path, "score", "second", "--record", "replay", "--quiet", key="")
    assert rescored.returncode == 0, rescored.stderr
    assert scores(tmp_path / "second") == scores(tmp_path / "first")


def test_a_request_that_was_never_recorded_is_a_miss_that_says_so(tmp_path: Path, upstream: Upstream) -> None:
    settings(tmp_path, upstream.url)
    assert in_folder(tmp_path, *LLM, *MODEL, "--out", "first").returncode == 0
    missed = in_folder(
        tmp_path, *LLM, *MODEL, "--out", "second", "--replay-from", "first", "-o", "answerer.max_words=7"
    )
    assert missed.returncode == 2
    assert "was not recorded" in missed.stderr
    assert missed.stderr.count("\n") == 1


def test_a_wrong_key_stops_the_run_at_once_and_names_the_variable(tmp_path: Path, upstream: Upstream) -> None:
    settings(tmp_path, upstream.url)
    result = in_folder(tmp_path, *LLM, *MODEL, "--out", "r", key="sk-wrong")
    assert result.returncode == 2
    assert "TEST_KEY" in result.stderr
    assert "sk-wrong" not in result.stderr


def test_no_key_is_an_error_before_anything_starts(tmp_path: Path, upstream: Upstream) -> None:
    settings(tmp_path, upstream.url)
    result = in_folder(tmp_path, *LLM, *MODEL, "--out", "r", key="")
    assert result.returncode == 2
    assert "TEST_KEY" in result.stderr


def test_an_llm_part_without_a_model_says_which_flag_to_give(tmp_path: Path) -> None:
    result = in_folder(tmp_path, *LLM, "--out", "r")
    assert result.returncode == 2
    assert "--model answer=NAME" in result.stderr
    assert not (tmp_path / "r").exists()


def test_with_faults_of_every_passing_kind_valid_scores_are_those_of_a_run_without(
    tmp_path: Path, upstream: Upstream
) -> None:
    settings(tmp_path, upstream.url)
    assert in_folder(tmp_path, *LLM, *MODEL, "--out", "calm").returncode == 0
    faults = "\n[gateway.faults]\nrate = 0.2\nseconds = 0.01\n[gateway.retries]\nbase = 0.01\nlongest = 0.05\n"
    settings(tmp_path, upstream.url, faults)
    result = in_folder(tmp_path, *LLM, *MODEL, "--out", "stormy")
    assert result.returncode == 0, result.stderr
    calm, stormy = (_by_place(RunStore.open(tmp_path / name)) for name in ("calm", "stormy"))
    # Of a fact whose judgements failed, nobody can say whether it was ever there to be lost or returned.
    assert {place for place in calm.keys() ^ stormy.keys() if place[3] not in {"fact_lost", "fact_returned"}} == set()
    # Where a judgement failed, the variants part: one leaves out what another counts as wrong.
    valid = [place for place, rows in stormy.items() if not any(stat.invalid for stat in rows.values())]
    assert len(valid) > 0.8 * len(stormy)
    for place in valid:
        assert stormy[place] == calm[place]


def _by_place(store: RunStore) -> dict[tuple[str, ...], dict[str, Any]]:
    """The rows of a unit and metric of a system, by variant."""
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in store.stats():
        stat = row.stat
        found.setdefault((row.label, stat.sample_id, stat.unit, stat.metric), {})[stat.variant] = stat
    return found


NEEDS_MODEL = """
from memarena.floors import Verbatim

class Memory(Verbatim):
    def reset(self, context):
        assert context.model is not None and context.model.model == "offline", "no model"
        assert context.embedding is not None, "no embeddings"
        super().reset(context)
"""


def test_check_lends_an_adapter_the_model_that_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "m_needs.py").write_text(NEEDS_MODEL, encoding="utf-8")
    info = tmp_path / "memarena_needs-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: memarena-needs\nVersion: 0.1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[memarena.adapters]\nneeds = m_needs:Memory\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert in_folder(tmp_path, "check", "needs", "--model", "offline").returncode == 0
    without = in_folder(tmp_path, "check", "needs")
    assert without.returncode == 1
    assert "no model" in without.stdout
