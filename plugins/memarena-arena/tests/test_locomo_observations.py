"""LoCoMo's observations as silver points."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from json_places import leads_to

from memarena.datachecks import check
from memarena.records import Sample
from memarena_arena.locomo import Conversations, LoCoMo, LoCoMoOptions

SHARED = Path(os.environ.get("MEMARENA_SHARED") or Path(__file__).resolve().parents[3] / ".." / "shared")
PUBLISHED = SHARED / "data" / "locomo" / "locomo10.json"


def record(**observation: Any) -> dict[str, Any]:
    """Two sessions of two turns, one question, and `observation`."""
    talk: dict[str, Any] = {"speaker_a": "Ada", "speaker_b": "Bo"}
    for number, text in ((1, "I moved to Oslo."), (2, "I bought a boat.")):
        talk[f"session_{number}"] = [
            {"speaker": "Ada", "dia_id": f"D{number}:1", "text": text},
            {"speaker": "Bo", "dia_id": f"D{number}:2", "text": "Lovely!"},
        ]
        talk[f"session_{number}_date_time"] = f"1:5{number} pm on {number} May, 2023"
    asked = {"question": "Where does Ada live?", "answer": "Oslo", "evidence": ["D1:1"], "category": 4}
    return {"sample_id": "conv-1", "conversation": talk, "qa": [asked], "observation": observation}


def opened(tmp_path: Path, raw: Any, **options: Any) -> Conversations:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([raw]), encoding="utf-8")
    return LoCoMo().open(str(path), LoCoMoOptions(**{"observations": True, **options}))


def read(tmp_path: Path, raw: Any) -> tuple[Sample, dict[str, str]]:
    data = opened(tmp_path, raw)
    (sample,) = data
    assert all(leads_to([raw], finding.path) for finding in data.report.findings)
    return sample, {finding.code: finding.path for finding in data.report.findings}


def test_observations_are_points_of_their_session_with_the_turns_they_rest_on(tmp_path: Path) -> None:
    sample, odd = read(
        tmp_path,
        record(
            session_1_observation={
                "Ada": [["Ada lives in Oslo. ", "D1:1"]],
                "Bo": [["Bo is glad.", ["D1:2", "D1:01"]]],
            },
            session_2_observation={"Ada": [["Ada has a boat.", "D2:1"]]},
        ),
    )
    points = [[(point.memory_id, point.content, point.turn_ids) for point in s.points] for s in sample.sessions]
    assert points == [
        [("S01_ob_1", "Ada lives in Oslo.", ("D1:1",)), ("S01_ob_2", "Bo is glad.", ("D1:2", "D1:1"))],
        [("S02_ob_1", "Ada has a boat.", ("D2:1",))],
    ]
    assert {(point.source, point.kind, point.importance) for s in sample.sessions for point in s.points} == {
        ("observation", "new", None)
    }
    assert odd["silver_points"] == "$[0].observation"


def test_without_being_asked_for_there_are_none(tmp_path: Path) -> None:
    raw = record(session_1_observation={"Ada": [["Ada lives in Oslo.", "D1:1"]]})
    data = opened(tmp_path, raw, observations=False)
    (sample,) = data
    assert not any(session.points for session in sample.sessions)
    assert "silver_points" not in data.report.counts


FIRST = "session_1_observation.Ada[0]"


@pytest.mark.parametrize(
    ("observation", "code", "path", "kept"),
    [
        ({"session_1_observation": {"Ada": ["x"]}}, "odd_observation", FIRST, 0),
        ({"session_1_observation": {"Ada": [[" ", "D1:1"]]}}, "odd_observation", FIRST, 0),
        ({"session_1_observation": {"Ada": [["x", "D2:1"]]}}, "unresolved_observation", FIRST, 1),
        ({"session_1_observation": {"Ada": [["x", None]]}}, "unresolved_observation", FIRST, 1),
        ({"session_7_observation": {"Ada": [["x", "D7:1"]]}}, "observations_without_session", "", 0),
    ],
)
def test_odd_observations_are_reported_with_their_place(
    tmp_path: Path, observation: Any, code: str, path: str, kept: int
) -> None:
    sample, odd = read(tmp_path, record(**observation))
    assert odd[code] == f"$[0].observation.{path}".rstrip(".")
    assert sum(len(session.points) for session in sample.sessions) == kept


def test_a_conversation_without_observations_says_so(tmp_path: Path) -> None:
    raw = record()
    del raw["observation"]
    assert read(tmp_path, raw)[1]["no_observations"] == "$[0].observation"


@pytest.mark.skipif(not PUBLISHED.is_file(), reason="locomo10.json is not beside the checkout (MEMARENA_SHARED)")
def test_all_observations_of_the_published_file_are_points() -> None:
    data = LoCoMo().open(str(PUBLISHED), LoCoMoOptions(observations=True))
    samples = list(data)
    points = [point for sample in samples for session in sample.sessions for point in session.points]
    assert len(points) == 2541
    assert data.report.counts["silver_points"] == 10
    assert not {"odd_observation", "observations_without_session"} & data.report.counts.keys()
    assert not [finding for sample in samples for finding in check(sample) if finding.code in ("V4", "V7")]
