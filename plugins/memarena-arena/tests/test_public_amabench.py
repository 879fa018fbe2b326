"""AMA-Bench, on invented episodes with every irregularity."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from public_lookalikes import amabench, codes, odd_in, only, paths, with_value, write_lines, write_list

from memarena.errors import UsageError
from memarena.records import Sample
from memarena_arena.public.amabench import AmaBench, AmaBenchOptions
from memarena_arena.public.opened import PublicSamples


def opened(path: Path, **options: Any) -> PublicSamples:
    return AmaBench().open(str(path), AmaBenchOptions(**options))


def episode(tmp_path: Path, record: Any, **options: Any) -> tuple[Sample, dict[str, int]]:
    data = opened(write_lines(tmp_path / "open_end_qa_set.jsonl", record), **options)
    return only(data), odd_in(data)


def changed(place: str, value: Any) -> dict[str, Any]:
    """The episode with `value` at `place`."""
    record: dict[str, Any] = with_value(amabench(), place, value)
    return record


def test_an_episode_is_a_sample_of_numbered_steps(tmp_path: Path) -> None:
    sample, odd = episode(tmp_path, amabench(), steps=2)
    assert odd == {}
    assert (sample.sample_id, sample.regime, sample.domain) == ("episode-7", "agentic", "amabench/game/babaisai")
    assert [[turn.turn_id for turn in session.turns] for session in sample.sessions] == [
        ["task", "step_0", "step_1"],
        ["step_2"],
    ]
    task, first, *_ = sample.sessions[0].turns
    assert (task.role, task.text) == ("user", "Task: Open the blue door.")
    assert (first.role, first.text) == ("agent", "Step 0\nAction: look\nObservation: A blue door.")
    assert sample.meta == {"success": True}


def test_an_observation_after_the_action_is_its_feedback(tmp_path: Path) -> None:
    parts = episode(tmp_path, amabench())[0].sessions[0].turns[1].parts
    assert parts is not None
    assert (parts.action, parts.feedback, parts.observation) == ("look", "A blue door.", "")


@pytest.mark.parametrize(
    ("record", "options"),
    [(amabench(), {"observation": "before"}), ({**amabench(), "observation_format": "text"}, {})],
)
def test_an_observation_before_the_action_comes_first(tmp_path: Path, record: Any, options: dict[str, str]) -> None:
    turn = episode(tmp_path, record, **options)[0].sessions[0].turns[1]
    assert turn.text == "Step 0\nObservation: A blue door.\nAction: look"
    assert turn.parts is not None
    assert (turn.parts.observation, turn.parts.feedback) == ("A blue door.", "")


def test_the_letters_become_question_types(tmp_path: Path) -> None:
    questions = episode(tmp_path, amabench())[0].checkpoints[0].questions
    assert [(question.raw_type, question.type) for question in questions[:4]] == [
        ("A", "FR"), ("B", "KR"), ("C", "DU"), ("D", "KR"),
    ]  # fmt: skip


def test_a_finer_type_wins(tmp_path: Path) -> None:
    question = episode(tmp_path, changed("qa_pairs.0.sub_type", "C2"))[0].checkpoints[0].questions[0]
    assert (question.raw_type, question.type) == ("C2", "DU")


def test_steps_that_are_named_are_evidence(tmp_path: Path) -> None:
    sample, odd = episode(tmp_path, changed("qa_pairs.0.relevant_turn_indices", [1, 1, 9, "x"]))
    first, second = sample.checkpoints[0].questions[0].evidence
    assert (first.turn_ids, first.content) == (("step_1",), "Step 1\nAction: take key\nObservation: You have a key.")
    assert second.content is None
    assert odd == {"duplicate_evidence": 1, "no_evidence_id": 1, "unresolved_evidence": 1}
    assert sample.checkpoints[0].questions[1].evidence == ()


MENDED: list[tuple[str, Any, str]] = [
    ("task", " ", "no_task"),
    ("num_turns", 9, "turn_count_off"),
    ("trajectory.1.turn_idx", "1", "odd_turn_idx"),
    ("trajectory.2.turn_idx", 5, "turn_idx_off"),
    ("trajectory.0.turn_idx", 5, "steps_sorted"),
    ("trajectory.0.action", None, "half_step"),
    ("trajectory.0", {"turn_idx": 0, "action": "", "observation": ""}, "empty_text"),
    ("trajectory.0.observation", "A \ud83d door", "lone_surrogate"),
    ("qa_pairs.11", ..., "question_count_off"),
    ("qa_pairs.1.question_uuid", "u0", "repeated_uuid"),
    ("qa_pairs.0.type", "Z", "odd_type"),
    ("qa_pairs.0.answer", 7, "number_answer"),
    ("weather", "fine", "unread_field"),
]


@pytest.mark.parametrize(("place", "value", "code"), MENDED)
def test_what_can_be_scored_without_guessing_is_reported(tmp_path: Path, place: str, value: Any, code: str) -> None:
    sample, odd = episode(tmp_path, changed(place, value))
    assert odd[code] == 1
    assert sum(len(session.turns) for session in sample.sessions) >= 3


REFUSED: list[tuple[str, Any, str]] = [
    ("episode_id", None, "odd_sample_id"),
    ("episode_id", "a/b", "odd_sample_id"),
    ("trajectory", [], "no_sessions"),
    ("trajectory", 5, "not_a_list"),
    ("trajectory.0", 5, "not_an_object"),
    ("trajectory.1.turn_idx", 0, "repeated_id"),
    ("trajectory.0.action", 5, "text_not_a_text"),
    ("qa_pairs", None, "not_a_list"),
    ("qa_pairs.0", 5, "not_an_object"),
    ("qa_pairs.0.question", "", "no_question"),
    ("qa_pairs.0.answer", "", "no_answer"),
]


@pytest.mark.parametrize(("place", "value", "code"), REFUSED)
def test_what_cannot_be_scored_is_refused_with_its_path(tmp_path: Path, place: str, value: Any, code: str) -> None:
    data = opened(write_lines(tmp_path / "open_end_qa_set.jsonl", changed(place, value), amabench(8)))
    assert [sample.sample_id for sample in data] == ["episode-8"]
    assert [path.replace("[", ".").replace("]", "") for path in paths(data, code)] == [f"$.{place}"]


def test_generated_episodes_lie_in_a_file_each(tmp_path: Path) -> None:
    generated = amabench(3) | {"observation_format": "text", "source": "babyai", "difficulty": "easy"}
    generated["qa_pairs"][0]["relevant_turn_indices"] = [1]
    for number in (1, 2):
        record = json.dumps(generated | {"episode_id": number}, indent=2)
        (tmp_path / f"task_babyai_{number}.json").write_text(record, encoding="utf-8")
    assert AmaBench().accepts(tmp_path)
    assert AmaBench().accepts(tmp_path / "task_babyai_1.json")
    data = opened(tmp_path)
    assert [sample.sample_id for sample in data] == ["episode-1", "episode-2"]
    assert data.report.counts == {}
    assert only(opened(tmp_path / "task_babyai_2.json")).checkpoints[0].questions[0].evidence[0].turn_ids == ("step_1",)
    write_lines(tmp_path / "open_end_qa_set.jsonl", amabench(9))
    assert only(opened(tmp_path)).sample_id == "episode-9"


def test_a_list_is_read_as_well_and_the_split_chooses_a_file(tmp_path: Path) -> None:
    write_list(tmp_path / "mcq_set.json", amabench(1))
    write_lines(tmp_path / "open_end_qa_set.jsonl", amabench(2))
    found = [only(opened(tmp_path, split=split)).sample_id for split in ("mcq", "open_end")]
    assert found == ["episode-1", "episode-2"]
    assert AmaBench().accepts(tmp_path / "mcq_set.json")
    with pytest.raises(UsageError, match="--split"):
        opened(tmp_path)
    with pytest.raises(UsageError, match="needs a step"):
        opened(tmp_path, split="mcq", steps=0)


@pytest.mark.parametrize("indent", [None, 2])
def test_the_hash_of_the_only_file_is_told(tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "one.json"
    path.write_text("\ufeff" + json.dumps(amabench(), indent=indent), encoding="utf-8")
    data = opened(path)
    assert codes(data) == {"file_hash": 1}
    assert sha256(path.read_bytes()).hexdigest() in data.report.findings[0].message
