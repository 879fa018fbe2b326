"""Grids: what can be swept, what shares a memory phase, and what each point asks for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memarena.config import Settings, settings
from memarena.errors import UsageError
from memarena.sweep import Axis, Grid, name_of, parse

LABELS = ("bm25", "v1.2")


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    def made(**flags: Any) -> Settings:
        return settings({"adapters": ("bm25", "v1.2=bm25@memarena-rag"), **flags}, folder=tmp_path)

    for name in ("MEMARENA_ADAPTERS", "MEMARENA_OPTIONS", "MEMARENA_MODELS"):
        monkeypatch.delenv(name, raising=False)
    return made


@pytest.mark.parametrize(
    ("text", "axis"),
    [
        ("top_k=5,10", Axis("top_k", ("5", "10"))),
        ("captions=none, given", Axis("captions", ("none", "given"))),
        ('bm25.fields=["a"],["a","b"]', Axis("bm25.fields", ('["a"]', '["a", "b"]'))),
        ("v1.2.k1=0.9,1.2", Axis("v1.2.k1", ("0.9", "1.2"))),
        ("pictures=true,false", Axis("pictures", ("true", "false"))),
        ("model.answer=a,b", Axis("model.answer", ("a", "b"))),
        ("answerer.max_tokens=10,20", Axis("answerer.max_tokens", ("10", "20"))),
    ],
)
def test_an_axis_is_a_key_and_its_values(text: str, axis: Axis) -> None:
    assert parse([text], LABELS) == (axis,)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["top_k"], r"write KEY=a,b"),
        (["top_k=5"], r"two values or more, each once"),
        (["top_k=5,5"], r"two values or more, each once"),
        (["top_k=5,10", "top_k=1,2"], r"top_k is given twice"),
        (["topk=5,10"], r"'topk' cannot be swept; did you mean 'top_k'\?"),
        (["out=a,b"], r"'out' cannot be swept"),
        (["mem0.k=1,2"], r"'mem0\.k' cannot be swept"),
        (["model.referee=a,b"], r"'model\.referee' cannot be swept"),
    ],
)
def test_what_cannot_be_swept_is_refused(texts: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse(texts, LABELS)


def grid(made: Settings, *texts: str) -> Grid:
    return Grid(parse(texts, [choice.label for choice in made.adapters()]), made)


def test_what_is_read_after_the_memory_shares_its_phase_with_the_largest_k_first(asked: Any) -> None:
    found = grid(asked(), "top_k=5,10", "evidence_mode=memory,session")
    (group,) = found.groups(ranked=True)
    assert [name_of(point) for point in group] == [
        "top_k=10,evidence_mode=memory",
        "top_k=10,evidence_mode=session",
        "top_k=5,evidence_mode=memory",
        "top_k=5,evidence_mode=session",
    ]


def test_what_the_memory_hears_makes_a_phase_each(asked: Any) -> None:
    found = grid(asked(), "captions=none,given", "answerer=extractive,llm")
    assert [[name_of(point) for point in group] for group in found.groups(ranked=True)] == [
        ["captions=none,answerer=extractive", "captions=none,answerer=llm"],
        ["captions=given,answerer=extractive", "captions=given,answerer=llm"],
    ]


def test_k_is_shared_only_where_all_systems_rank(asked: Any) -> None:
    found = grid(asked(), "top_k=5,10")
    assert [len(group) for group in found.groups(ranked=False)] == [1, 1]
    assert [(one.shared, one.why) for one in found.shared(ranked=False)] == [
        (False, "some system returns a bundle and ranks nothing")
    ]


def test_options_of_an_adapter_are_rows_of_each_run(asked: Any) -> None:
    found = grid(asked(options=("bm25.b=0.5", "v1.2.k1=2", "sim.x=1")), "bm25.k1=0.9,1.2", "top_k=5,10")
    assert len(found.points) == 2
    flags = found.flags(found.points[0])
    assert flags["adapters"] == ("bm25-k1-0.9=bm25", "bm25-k1-1.2=bm25", "v1.2=bm25@memarena-rag")
    assert flags["options"] == (
        "sim.x=1",
        "bm25-k1-0.9.b=0.5",
        "bm25-k1-0.9.k1=0.9",
        "bm25-k1-1.2.b=0.5",
        "bm25-k1-1.2.k1=1.2",
        "v1.2.k1=2",
    )
    assert flags["top_k"] == 5


def test_a_swept_option_takes_the_place_of_the_one_that_was_given(asked: Any) -> None:
    found = grid(asked(options=("bm25.k1=3", "answerer.x=3")), "bm25.k1=1,2", "answerer.x=1,2")
    options = found.flags(found.points[1])["options"]
    assert set(options) == {"bm25-k1-1.k1=1", "bm25-k1-2.k1=2", "answerer.x=2"}


def test_a_model_of_a_role_takes_the_place_of_the_one_that_was_given(asked: Any) -> None:
    found = grid(asked(models=("offline", "answer=c")), "model.answer=a,b")
    assert [found.flags(point)["models"] for point in found.points] == [
        ("offline", "answer=a"),
        ("offline", "answer=b"),
    ]


def test_adapters_of_memarena_toml_are_swept_as_well(tmp_path: Path) -> None:
    (tmp_path / "memarena.toml").write_text('[adapters.short]\nname = "bm25"\noptions = {k1 = 2}\n', encoding="utf-8")
    made = settings({}, folder=tmp_path)
    found = grid(made, "short.b=0.1,0.2")
    flags = found.flags(found.points[0])
    assert flags["adapters"] == ("short-b-0.1=short", "short-b-0.2=short")
    again = settings(flags, folder=tmp_path)
    assert [choice.name for choice in again.adapters()] == ["bm25", "bm25"]
    assert again.options(["short-b-0.1", "short-b-0.2"])["short-b-0.1"] == {"k1": 2, "b": 0.1}


@pytest.mark.parametrize(
    ("text", "message"), [("top_k=5,no", "expected a whole number"), ("captions=none,all", "one of")]
)
def test_a_value_that_a_setting_cannot_have_is_refused(asked: Any, text: str, message: str) -> None:
    found = grid(asked(), text)
    with pytest.raises(UsageError, match=message):
        [found.flags(point) for point in found.points]


def test_the_name_of_a_point_is_a_plain_name_of_a_folder() -> None:
    assert (
        name_of({"answerer": "llm@memarena-models", "model.answer": "a/b:c"})
        == "answerer=llm_memarena-models,model.answer=a_b_c"
    )
    assert name_of({}) == "run"
