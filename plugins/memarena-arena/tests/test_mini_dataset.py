"""The data set `mini`, opened the way a run opens it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from memarena.records import TYPES
from memarena_arena.mini import Mini

TOOLS = Path(__file__).resolve().parents[1] / "tools"


@pytest.fixture
def draw_mini(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TOOLS))
    spec = importlib.util.spec_from_file_location("draw_mini", TOOLS / "draw_mini.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "draw_mini", module)
    return module


def test_mini_opens_with_six_samples_in_the_order_of_their_paths() -> None:
    assert [sample.sample_id for sample in Mini().open()] == [
        "eb_alfred_long_horizon_01",
        "minecraft_001",
        "excel_001",
        "personal_01",
        "health_01",
        "software_01",
    ]


def test_the_load_report_of_mini_names_the_missing_picture_and_nothing_else() -> None:
    opened = Mini().open()
    list(opened)
    assert [(finding.code, finding.path) for finding in opened.report.findings] == [
        ("missing_picture", "$.sessions[6].dialogue[0].attachments[0].file_path")
    ]
    assert opened.report.refused == ()


def test_every_question_of_mini_is_reachable_and_its_evidence_resolves() -> None:
    checkpoints = [checkpoint for sample in Mini().open() for checkpoint in sample.checkpoints]
    questions = [question for checkpoint in checkpoints for question in checkpoint.questions]
    assert all(checkpoint.after_session for checkpoint in checkpoints)
    assert {question.type for question in questions} == set(TYPES)
    assert all(evidence.content for question in questions for evidence in question.evidence)


def test_drawing_again_gives_the_pictures_that_are_shipped(draw_mini: ModuleType, tmp_path: Path) -> None:
    from PIL import Image, ImageChops

    assert draw_mini.draw(tmp_path) == 35
    for drawn in tmp_path.rglob("*.png"):
        shipped = draw_mini.DATA / drawn.relative_to(tmp_path)
        with Image.open(drawn) as new, Image.open(shipped) as old:
            difference = ImageChops.difference(new.convert("L"), old.convert("L"))
        assert sum(difference.histogram()[48:]) < 0.02 * new.width * new.height, drawn.name
