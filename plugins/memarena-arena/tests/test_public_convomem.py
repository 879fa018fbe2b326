"""ConvoMem, on invented shards with every irregularity: gold is text that must be found again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from public_lookalikes import codes, convomem_item, only, paths, write_list, write_one

from memarena.errors import DataError, UsageError
from memarena.records import NOT_MENTIONED
from memarena_arena.public.convomem import ConvoMem, ConvoMemOptions
from memarena_arena.public.opened import PublicSamples

SHARD = "core_benchmark/evidence_questions/user_evidence/1_evidence/shard.json"


def opened(path: Path, **options: Any) -> PublicSamples:
    return ConvoMem().open(str(path), ConvoMemOptions(**options))


def shard(tmp_path: Path, *items: Any, place: str = SHARD) -> PublicSamples:
    return opened(write_one(tmp_path / place, {"evidence_items": items, "checkpoint": "done"}))


def changed(**fields: Any) -> dict[str, Any]:
    return {**convomem_item(), **fields}


def said(text: str, speaker: str = "User") -> dict[str, Any]:
    return changed(message_evidences=[{"speaker": speaker, "text": text}])


def test_an_item_is_a_sample_named_after_its_place(tmp_path: Path) -> None:
    data = shard(tmp_path, convomem_item(), convomem_item())
    first, second = data
    assert data.report.counts == {}
    assert (first.sample_id, second.sample_id) == ("user_evidence.1.shard.0000", "user_evidence.1.shard.0001")
    turns = [(turn.turn_id, turn.role, turn.time) for session in first.sessions for turn in session.turns]
    assert turns == [
        ("S001:T000", "user", None),
        ("S001:T001", "assistant", None),
        ("S002:T000", "user", None),
        ("S002:T001", "assistant", None),
    ]
    question = first.checkpoints[0].questions[0]
    assert (question.type, question.raw_type, question.reference) == ("FR", "user_evidence", "Green")
    assert [point.turn_ids for point in question.evidence] == [("S002:T000",)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("my bicycle is GREEN by the way", ""),
        ("By the way: my bicycle is green, by the way. Anyhow.", "evidence_matched_partly"),
        ("bicycle is green, by the way", "evidence_matched_partly"),
        ("My bicycle is by the way green", "evidence_matched_loosely"),
    ],
)
def test_the_text_of_a_message_is_found_though_it_was_changed(tmp_path: Path, text: str, code: str) -> None:
    data = shard(tmp_path, said(text))
    point = only(data).checkpoints[0].questions[0].evidence[0]
    assert (point.turn_ids, point.content) == (("S002:T000",), "My bicycle is green, by the way.")
    assert data.report.counts == ({code: 1} if code else {})


def test_of_two_messages_the_one_in_a_conversation_with_evidence_is_taken(tmp_path: Path) -> None:
    record = convomem_item()
    record["conversations"][0]["messages"].append(record["conversations"][1]["messages"][0])
    data = shard(tmp_path, record)
    assert only(data).checkpoints[0].questions[0].evidence[0].turn_ids == ("S002:T000",)
    assert data.report.counts == {"several_matches": 1}


def test_a_message_of_another_speaker_is_taken_and_reported(tmp_path: Path) -> None:
    data = shard(tmp_path, said("My bicycle is green, by the way.", "Assistant"))
    assert only(data).checkpoints[0].questions[0].evidence[0].turn_ids == ("S002:T000",)
    assert data.report.counts == {"evidence_speaker_off": 1}


def test_a_text_that_nobody_says_stays_without_content(tmp_path: Path) -> None:
    data = shard(tmp_path, said("I own seven ships."))
    (point,) = only(data).checkpoints[0].questions[0].evidence
    assert (point.content, point.turn_ids) == (None, ())
    assert paths(data, "unresolved_evidence") == ["$.evidence_items[0].message_evidences[0]"]


@pytest.mark.parametrize(
    ("kind", "of_type"),
    [("user_evidence", "FR"), ("assistant_facts_evidence", "FR"), ("changing_evidence", "DU"),
     ("preference_evidence", "TTL"), ("implicit_connection_evidence", "KR"), ("abstention_evidence", "MB")],
)  # fmt: skip
def test_the_folder_tells_the_type(tmp_path: Path, kind: str, of_type: str) -> None:
    question = only(shard(tmp_path, convomem_item(), place=f"{kind}/1_evidence/x.json")).checkpoints[0].questions[0]
    assert (question.type, question.raw_type) == (of_type, kind)


def test_an_abstention_has_no_evidence(tmp_path: Path) -> None:
    data = shard(tmp_path, convomem_item(), place="abstention_evidence/1_evidence/x.json")
    sample = only(data)
    question = sample.checkpoints[0].questions[0]
    assert (question.answerable, question.reference, question.evidence) == (False, NOT_MENTIONED, ())
    assert sample.meta["explanations"] == {"end:Q001": "Green"}
    assert data.report.counts == {"evidence_of_abstention": 1, "unanswerable": 1}


def test_a_mixed_test_case_is_one_sample_with_shared_conversations(tmp_path: Path) -> None:
    item = convomem_item()
    conversations = item.pop("conversations")
    case = {"evidenceItems": [item, item], "conversations": conversations, "contextSize": 2}
    for path in (
        write_list(tmp_path / "a" / "user_evidence" / "case.json", case),
        write_one(tmp_path / "b" / "user_evidence" / "case.json", case),
    ):
        data = opened(path)
        sample = only(data)
        assert data.report.counts == {}
        assert (sample.sample_id, len(sample.sessions)) == ("user_evidence.case.0000", 2)
        assert [question.question_id for question in sample.checkpoints[0].questions] == ["end:Q001", "end:Q002"]


def test_a_shard_outside_the_folders_has_no_type(tmp_path: Path) -> None:
    data = shard(tmp_path, convomem_item(), place="loose.json")
    assert only(data).checkpoints[0].questions[0].type == "UNKNOWN"
    assert data.report.counts == {"no_category": 1}


def test_the_split_chooses_a_kind(tmp_path: Path) -> None:
    for kind in ("user_evidence", "changing_evidence"):
        write_one(tmp_path / kind / "1_evidence" / "x.json", {"evidence_items": [convomem_item()]})
    assert [sample.domain for sample in opened(tmp_path)] == ["convomem/changing_evidence", "convomem/user_evidence"]
    assert only(opened(tmp_path, split="changing_evidence")).domain == "convomem/changing_evidence"
    with pytest.raises(DataError, match="abstention_evidence"):
        opened(tmp_path, split="abstention_evidence")
    assert ConvoMem().accepts(tmp_path)
    assert ConvoMem().accepts(tmp_path / "user_evidence" / "1_evidence" / "x.json")


# -- fillers ----------------------------------------------------------------------------------


def benchmark(tmp_path: Path, fillers: int, *more: Any) -> Path:
    """A folder with a shard of one item (two conversations), and as many fillers of the same person."""
    root = tmp_path / "core_benchmark"
    write_one(root / "evidence_questions" / "user_evidence" / "1_evidence" / "ann.json", {
        "evidence_items": [convomem_item()]
    })  # fmt: skip
    starters = [
        {
            "question": "Shall we talk?", "answer": "They will talk.", "message_evidences": [],
            "conversations": [{"messages": [{"speaker": "User", "text": f"Filler {number}."}]}],
        }
        for number in range(fillers)
    ]  # fmt: skip
    write_one(root / "filler_conversations" / "ann.json", {"evidence_items": [*starters, *more]})
    write_one(root / "filler_conversations" / "bob.json", {
        "evidence_items": [{"conversations": [{"messages": [{"speaker": "User", "text": "Bob here."}]}]}]
    })  # fmt: skip
    return root


def firsts(sample: Any) -> list[str]:
    """The first text of each session."""
    return [session.turns[0].text for session in sample.sessions]


def test_fillers_are_no_questions(tmp_path: Path) -> None:
    root = benchmark(tmp_path, 3)
    data = opened(root)
    assert only(data).sample_id == "user_evidence.1.ann.0000"
    assert data.report.counts == {}
    with pytest.raises(DataError, match="ask nothing"):
        opened(root / "filler_conversations")
    with pytest.raises(DataError, match="ask nothing"):
        opened(root / "filler_conversations" / "ann.json")


def test_a_question_is_asked_among_fillers_of_the_same_person(tmp_path: Path) -> None:
    root = benchmark(tmp_path, 20)
    data = opened(root, context_size=6)
    sample = only(data)
    told = firsts(sample)
    own = [text for text in told if not text.startswith("Filler")]
    assert own == ["How do I oil a chain?", "My bicycle is green, by the way."]
    assert len(set(told)) == 6
    (point,) = sample.checkpoints[0].questions[0].evidence
    assert told[int((point.session_id or "")[1:]) - 1] == point.content == own[1]
    assert data.report.counts == {}


def test_the_seed_says_which_fillers_come_and_where(tmp_path: Path) -> None:
    root = benchmark(tmp_path, 40)
    read = [firsts(only(opened(root, context_size=12, seed=seed))) for seed in (0, 0, 1)]
    assert read[0] == read[1] != read[2]


@pytest.mark.parametrize("size", [0, 1, 2])
def test_the_own_conversations_all_stay_and_alone(tmp_path: Path, size: int) -> None:
    assert len(only(opened(benchmark(tmp_path, 3), context_size=size)).sessions) == 2


def test_too_few_fillers_and_broken_ones_are_reported(tmp_path: Path) -> None:
    broken = [{"conversations": [{"messages": []}, {"messages": [{"text": 5}]}, 7]}, 8]
    data = opened(benchmark(tmp_path, 1, *broken), context_size=9)
    assert len(only(data).sessions) == 3
    assert data.report.counts == {"few_fillers": 1, "odd_filler": 1}
    assert paths(data, "odd_filler") == ["$.evidence_items[0].conversations"]
    messages = " ".join(finding.message for finding in data.report.findings)
    assert "3 conversations, not 9" in messages
    assert "4 entries of 'ann.json'" in messages


def test_a_message_of_a_filler_is_no_evidence_where_the_question_has_its_own(tmp_path: Path) -> None:
    same = {"conversations": [convomem_item()["conversations"][1]] * 4}
    data = opened(benchmark(tmp_path, 0, same), context_size=6)
    sample = only(data)
    (point,) = sample.checkpoints[0].questions[0].evidence
    place = int((point.session_id or "")[1:]) - 1
    chain = firsts(sample).index("How do I oil a chain?")
    assert place > chain
    assert data.report.counts == {"several_matches": 1}


def test_a_mixed_case_gets_no_further_fillers(tmp_path: Path) -> None:
    root = benchmark(tmp_path, 5)
    item = convomem_item()
    case = {"evidenceItems": [item], "conversations": item["conversations"], "contextSize": 2}
    path = write_list(root / "pre_mixed_testcases" / "user_evidence" / "1_evidence" / "batched_000.json", case)
    assert len(only(opened(path, context_size=5)).sessions) == 2
    with pytest.raises(UsageError, match="evidence_questions and in pre_mixed_testcases"):
        opened(root)


def test_the_folder_of_fillers_can_be_named_and_must_be_there(tmp_path: Path) -> None:
    root = benchmark(tmp_path, 5)
    (root / "filler_conversations").rename(tmp_path / "elsewhere")
    with pytest.raises(DataError, match="no folder filler_conversations"):
        opened(root, context_size=4)
    with pytest.raises(DataError, match="no such folder"):
        opened(root, context_size=4, fillers=str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match="context_size=-1"):
        opened(root, context_size=-1)
    assert len(only(opened(root, context_size=4, fillers=str(tmp_path / "elsewhere"))).sessions) == 4


MENDED: list[tuple[dict[str, Any], str]] = [
    ({"answer": 4}, "number_answer"),
    ({"message_evidences": []}, "no_evidence"),
    ({"message_evidences": [{"speaker": "User"}]}, "no_evidence_id"),
    ({"message_evidences": convomem_item()["message_evidences"] * 2}, "duplicate_evidence"),
    ({"message_evidences": convomem_item()["message_evidences"] * 2}, "evidence_count_off"),
    ({"mood": "fine"}, "unread_field"),
    ({"conversations": [*convomem_item()["conversations"], {"messages": []}]}, "empty_session"),
    ({"conversations": [{"messages": [{"speaker": "Dog", "text": "Wuff"}]}]}, "odd_role"),
    ({"conversations": [{"messages": [{"speaker": "User", "text": ""}]}]}, "empty_text"),
    ({"conversations": [{"messages": [{"text": "Hello"}]}]}, "no_role"),
    ({"conversations": [{"messages": [], "containsEvidence": "perhaps"}]}, "odd_flag"),
]


@pytest.mark.parametrize(("fields", "code"), MENDED)
def test_what_can_be_scored_without_guessing_is_reported(tmp_path: Path, fields: dict[str, Any], code: str) -> None:
    data = shard(tmp_path, changed(**fields))
    assert len(list(data)) == 1
    assert code in data.report.counts


REFUSED: list[tuple[Any, str, str]] = [
    (5, "not_an_object", "$.evidence_items[0]"),
    (changed(question=""), "no_question", "$.evidence_items[0].question"),
    (changed(answer=None), "no_answer", "$.evidence_items[0].answer"),
    (changed(conversations=[]), "no_sessions", "$.evidence_items[0].conversations"),
    (changed(conversations=[5]), "not_an_object", "$.evidence_items[0].conversations[0]"),
    (changed(conversations=[{"messages": 5}]), "not_a_list", "$.evidence_items[0].conversations[0].messages"),
    (
        changed(conversations=[{"messages": [{"speaker": "User", "text": 5}]}]),
        "text_not_a_text",
        "$.evidence_items[0].conversations[0].messages[0].text",
    ),
]


@pytest.mark.parametrize(("item", "code", "path"), REFUSED)
def test_what_cannot_be_scored_is_refused_with_its_path(tmp_path: Path, item: Any, code: str, path: str) -> None:
    data = shard(tmp_path, item, convomem_item())
    assert [sample.sample_id for sample in data] == ["user_evidence.1.shard.0001"]
    assert path in paths(data, code)


def test_a_shard_that_is_cut_off_is_refused_behind_what_is_whole(tmp_path: Path) -> None:
    path = write_one(tmp_path / SHARD, {"evidence_items": [convomem_item(), convomem_item()]})
    path.write_text(path.read_text(encoding="utf-8")[:-40], encoding="utf-8")
    data = opened(path)
    assert len(list(data)) == 1
    assert codes(data) == {"unreadable": 1}
    assert paths(data, "unreadable") == ["$.evidence_items[1]"]
