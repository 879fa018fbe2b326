"""The metrics against a plain rewrite of their definitions, on cases made up at random."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memarena_arena.metrics import ranking, text

PLAIN = Path(__file__).resolve().parents[3] / "tests" / "bench" / "plain_scoring.py"

WORDS = ("The", "and", "a", "cats", "running", "3.5", "5.", "$1,240.50", "user_name", "S04_img_1", "S04_img_12", "’a")
TEXT = st.lists(st.sampled_from([*WORDS, "mp_S02_1", "D1:3", "É", "İstanbul", "北京。", "\n"]), max_size=9).map(
    " ".join
)
NAME = st.sampled_from(["", "m1", "m2", "mp_S02_1", "mp_S02_12", "MP_S02_1/v2", "S04_img_1", "D1:31", "D1:3", "1"])
TURNS = st.lists(st.sampled_from(["D1:1", "D1:2", "D1:3"]), max_size=2)
ITEM = st.fixed_dictionaries(
    {"memory_id": NAME, "backend_id": NAME, "image_path": NAME, "image_id": NAME, "text": TEXT, "turn_ids": TURNS}
)
POINT = st.fixed_dictionaries({"id": NAME, "content": TEXT | NAME, "turn_ids": TURNS})
SOURCES = st.dictionaries(st.sampled_from("123456"), st.lists(st.sampled_from(["S01", "S02", "s02"]), max_size=2))


@pytest.fixture(scope="module")
def plain() -> ModuleType:
    if not PLAIN.is_file():
        pytest.skip(f"the plain rewrite is in the repository only ({PLAIN})")
    spec = importlib.util.spec_from_file_location("plain_scoring", PLAIN)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["plain_scoring"] = module
    spec.loader.exec_module(module)
    return module


@settings(deadline=None)
@given(TEXT, TEXT)
def test_texts_score_as_in_the_plain_rewrite(plain: ModuleType, prediction: str, reference: str) -> None:
    assert text.f1(prediction, reference) == pytest.approx(plain.plain_f1(prediction, reference), abs=1e-12)
    assert text.bleu1(prediction, reference) == pytest.approx(plain.plain_bleu1(prediction, reference), abs=1e-12)


@settings(deadline=None)
@given(st.text(st.characters(exclude_characters="\ue000"), max_size=60))
def test_any_text_has_the_tokens_of_the_plain_rewrite(plain: ModuleType, sentence: str) -> None:
    assert list(text.words(sentence)) == plain.plain_tokens(sentence)


@settings(deadline=None)
@given(st.lists(ITEM, max_size=12), st.lists(POINT, max_size=5), SOURCES)
def test_rankings_score_as_in_the_plain_rewrite(
    plain: ModuleType, items: list[dict[str, Any]], evidence: list[dict[str, Any]], sources: dict[str, list[str]]
) -> None:
    ranked = [{"rank": rank, **item} for rank, item in enumerate(items, 1)]
    case = plain.Case(ranked, evidence, sources)
    for variant in ("paper", "release", "strict"):
        found = ranking.scores(ranked, evidence, sources, variant=variant)
        for k in (1, 5, 10):
            assert found[k]["recall"] == pytest.approx(plain.plain_recall(case, k, variant), abs=1e-12)
            assert found[k]["ndcg"] == pytest.approx(plain.plain_ndcg(case, k, variant), abs=1e-12)
