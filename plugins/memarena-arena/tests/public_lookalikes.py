"""Invented records in the shapes of the public data sets: a plain one each, which the tests change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Json = dict[str, Any]


def write_list(path: Path, *records: Any) -> Path:
    """A JSON list."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


def write_lines(path: Path, *records: Any) -> Path:
    """JSON Lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def write_one(path: Path, record: Any) -> Path:
    """A JSON file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


def codes(opened: Any) -> dict[str, int]:
    """Read everything, and return what was odd."""
    for _ in opened:
        pass
    counts: Mapping[str, int] = opened.report.counts
    return dict(sorted(counts.items()))


def with_value(record: Any, place: str, value: Any, names: Mapping[str, str] = {}) -> Any:
    """`record` with `value` at `place`, a dotted path in which `names` stand for longer ones; `...` removes it."""
    *steps, last = (int(step) if step.isdigit() else names.get(step, step) for step in place.split("."))
    parent = record
    for step in steps:
        parent = parent[step]
    if value is ...:
        del parent[last]
    else:
        parent[last] = value
    return record


def odd_in(opened: Any) -> dict[str, int]:
    """What was odd in what was read, without the hash of the file, which is always told."""
    return {code: count for code, count in opened.report.counts.items() if code != "file_hash"}


def paths(opened: Any, code: str) -> list[str]:
    """The JSON paths of the findings of a code."""
    return [finding.path for finding in opened.report.findings if finding.code == code]


def only(samples: Iterable[Any]) -> Any:
    """The one sample there is."""
    (sample,) = samples
    return sample


def longmemeval(question_id: str = "q1") -> Json:
    """A question on two sessions, the first of which holds the answer."""
    return {
        "question_id": question_id,
        "question_type": "single-session-user",
        "question": "Which instrument do I play?",
        "answer": "The oboe",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["answer_ab12_1", "filler_7"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "I play the oboe in a band.", "has_answer": True},
                {"role": "assistant", "content": "How nice!", "has_answer": False},
            ],
            [{"role": "user", "content": "Any tips for tomatoes?"}, {"role": "assistant", "content": "Water them."}],
        ],
        "answer_session_ids": ["answer_ab12_1"],
    }


def halumem(uuid: str = "6c4d-01") -> Json:
    """A user with two sessions: a fact, then its update and something wrong that the assistant says."""
    return {
        "uuid": uuid,
        "persona_info": "Name: Mara Voss; Age: 41",
        "sessions": [
            {
                "start_time": "Sep 04, 2025, 21:11:58",
                "end_time": "Sep 04, 2025, 21:31:58",
                "dialogue_turn_num": 1,
                "dialogue": [
                    _turn("user", "I earn 18,000 a month as a potter.", "Sep 04, 2025, 21:11:58"),
                    _turn("assistant", "Good to know.", "Sep 04, 2025, 21:12:58"),
                ],
                "memory_points": [_point(1, "Mara earns 18000 a month.")],
                "questions": [
                    {
                        "question": "How much does Mara earn?",
                        "answer": "18000 a month",
                        "evidence": [{"memory_content": "Mara earns 18000 a month.", "memory_type": "Persona Memory"}],
                        "difficulty": "easy",
                        "question_type": "Basic Fact Recall",
                    }
                ],
                "dialogue_token_length": 30,
            },
            {
                "start_time": "Oct 04, 2025, 08:00:00",
                "end_time": "Oct 04, 2025, 08:10:00",
                "dialogue_turn_num": 2,
                "dialogue": [
                    _turn("user", "I earn 20,000 now.", "Oct 04, 2025, 08:00:00"),
                    _turn("assistant", "And you live in Turin.", "Oct 04, 2025, 08:01:00"),
                ],
                "memory_points": [
                    _point(1, "Mara earns 20000 a month.")
                    | {"is_update": "True", "original_memories": ["Mara earns 18000 a month."]},
                    _point(2, "Mara lives in Turin.") | {"memory_source": "interference", "importance": None},
                ],
                "questions": [
                    {
                        "question": "What is the name of Mara's dog?",
                        "answer": "It is not known whether she has one.",
                        "evidence": [],
                        "difficulty": "medium",
                        "question_type": "Memory Boundary",
                    }
                ],
                "dialogue_token_length": 20,
            },
        ],
    }


def _turn(role: str, content: str, time: str) -> Json:
    return {"role": role, "content": content, "timestamp": time, "dialogue_turn": 1}


def _point(index: int, content: str) -> Json:
    return {
        "index": index,
        "memory_content": content,
        "memory_type": "Persona Memory",
        "memory_source": "primary",
        "is_update": "False",
        "original_memories": [],
        "importance": 0.75,
        "timestamp": "Sep 04, 2025, 21:11:58",
    }


def memgallery() -> Json:
    """A dialogue of two sessions with one picture, and a question with a picture of its own."""
    return {
        "character_profile": {"name": "Ida", "persona_summary": "", "traits": [], "conversation_style": ""},
        "multi_session_dialogues": [
            {
                "session_id": "D1",
                "date": "2024-06-17",
                "dialogues": [
                    {
                        "round": "D1:1",
                        "user": "This is my new boat.",
                        "assistant": "A fine boat!",
                        "image_id": ["D1:IMG_001"],
                        "input_image": ["../image/Boats/D1_IMG_001.png"],
                        "image_caption": ["A blue boat on a lake"],
                    },
                    {"round": "D1:2", "user": "I call it Perch.", "assistant": "Good name."},
                ],
            },
            {
                "session_id": "D2",
                "date": "2024-07-01",
                "dialogues": [{"round": "D2:1", "user": "I sold Perch.", "assistant": "A pity."}],
            },
        ],
        "human-annotated QAs": [
            {"point": "VS", "question": "Which image shows the boat?", "answer": "D1:IMG_001", "session_id": ["D1"],
             "clue": ["D1:1"]},
            {"point": "AR", "question": "Does Ida have a car?", "answer": "Not mentioned.", "session_id": ["D1"],
             "clue": []},
            {"point": "TTL", "question": "What is the boat in the picture called?",
             "question_image": "../image/Boats/QA_IMG_001.png", "answer": "Perch", "session_id": ["D1"],
             "clue": ["D1:1", "D1:2"], "image_caption": "A blue boat in a harbour"},
            {"point": "CD", "question": "Did Ida keep the boat?", "answer": "No.", "session_id": ["D2"],
             "clue": ["D2:1"]},
        ],
    }  # fmt: skip


def convomem_item() -> Json:
    """An evidence item with two conversations."""
    return {
        "question": "What colour is my bicycle?",
        "answer": "Green",
        "message_evidences": [{"speaker": "User", "text": "My bicycle is green, by the way."}],
        "conversations": [
            {
                "messages": [
                    {"speaker": "User", "text": "How do I oil a chain?"},
                    {"speaker": "Assistant", "text": "Drop by drop."},
                ]
            },
            {
                "messages": [
                    {"speaker": "User", "text": "My bicycle is green, by the way."},
                    {"speaker": "Assistant", "text": "A fine colour."},
                ],
                "containsEvidence": True,
                "id": "c2",
            },
        ],
        "category": "Home",
        "scenario_description": "A rider asks.",
    }


def memoryagentbench() -> Json:
    """A row of numbered facts with two questions."""
    facts = "\n".join(f"{number}. Fact number {number} says {number * 7}." for number in range(60))
    return {
        "context": facts,
        "questions": ["What does fact number 3 say?", "What does fact number 5 say?"],
        "answers": [["21"], ["35", "thirty-five"]],
        "metadata": {
            "demo": None,
            "haystack_sessions": None,
            "keypoints": None,
            "previous_events": None,
            "qa_pair_ids": ["a", "b"],
            "question_dates": None,
            "question_ids": None,
            "question_types": None,
            "source": "factconsolidation_sh_6k",
        },
    }


def amabench(episode: int = 7) -> Json:
    """An episode of three steps, with twelve questions."""
    return {
        "episode_id": episode,
        "task": "Open the blue door.",
        "task_type": "babaisai",
        "domain": "Game",
        "success": True,
        "num_turns": 3,
        "total_tokens": 315,
        "trajectory": [
            {"turn_idx": 0, "action": "look", "observation": "A blue door."},
            {"turn_idx": 1, "action": "take key", "observation": "You have a key."},
            {"turn_idx": 2, "action": "open door", "observation": "It opens."},
        ],
        "qa_pairs": [
            {"question": f"Question {number}: what came of step 1?", "answer": "A key was taken.",
             "type": "ABCD"[number % 4], "question_uuid": f"u{number}"}
            for number in range(12)
        ],
    }  # fmt: skip
