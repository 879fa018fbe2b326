"""What the graph keeps and finds, with a scripted model and a real Bolt server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from graph_play import context, counts, hear, kept, started, told
from graph_replies import asked, fact, facts

from memarena.errors import ModelError
from memarena.modelclient import ModelCallFailed
from memarena.records import Attachment, RunContext
from memarena.testing.model_server import ModelServer
from memarena_graph.adapter import GraphMemory
from memarena_graph.extraction import UnusableReply

pytestmark = pytest.mark.usefixtures("bolt")

OSLO = fact("Ana", "lives in", "Oslo", single=True)
BERGEN = fact("Ana", "lives in", "Bergen", single=True, since="May")
PIXEL = fact("Ana", "has cat", "Pixel")


def test_a_fact_is_kept_with_its_entities_its_time_and_its_turn(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [facts(OSLO)]
    hear(adapter, "Ana lives in Oslo.", "Noted.")
    (item,) = adapter.snapshot_memories()
    assert (item.memory_id, item.text, item.session_id) == ("fact:1", "Ana lives in Oslo.", "S01")
    assert item.turn_ids == ("S01:T000",)
    assert item.metadata == {
        "relation": "live_in",
        "subject": "Ana",
        "object": "Oslo",
        "valid_from": "2026-01-01 09:00",
        "told": "2026-01-01 09:00",
    }


def test_a_contradiction_closes_the_old_fact_and_the_delta_says_what_was_replaced(
    upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [facts(OSLO, PIXEL), facts(BERGEN)]
    hear(adapter, "Ana lives in Oslo with Pixel.")
    hear(adapter, "Ana moved to Bergen in May.", session_id="S02")
    assert kept(adapter) == ["Ana has cat Pixel.", "Ana lives in Bergen."]
    (old,) = (item for item in adapter.snapshot_memories() if item.status == "archived")
    assert old.metadata["invalid_since"] == "May"
    assert old.metadata["replaced_by"] == "fact:3"
    update, archive = adapter.export_memory_delta("S02")
    assert (update.op, update.memory_id, update.previous, update.replaces) == (
        "update",
        "fact:3",
        ("Ana lives in Oslo.",),
        ("fact:1",),
    )
    assert (archive.op, archive.memory_id) == ("archive", "fact:1")


def test_the_model_may_close_a_fact_that_it_is_shown(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    lessons = fact("Ana", "takes", "accordion lessons")
    upstream.script = [facts(lessons, PIXEL), facts(fact("Ana", "stopped", "lessons", replaces=[1, 7]))]
    hear(adapter, "Ana takes accordion lessons and has the cat Pixel.")
    hear(adapter, "Ana has no accordion lessons any more.", session_id="S02")
    assert asked(upstream)["known"][0] == "1. Ana takes accordion lessons."
    assert kept(adapter, "archived") == ["Ana takes accordion lessons."]
    assert counts(adapter)["unknown_replaced"] == 1


def test_of_the_known_facts_only_current_ones_are_shown_and_no_more_than_wanted(
    upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path, known=1)
    upstream.script = [facts(OSLO, PIXEL), facts(BERGEN)]
    hear(
        adapter,
        "Ana lives in Oslo with Pixel.",
        "Fine.",
        "Ana moved from Oslo to Bergen.",
        "Fine.",
        "Where does Ana live in?",
    )
    assert [asked(upstream, chat)["known"] for chat in range(3)] == [
        [],
        ["1. Ana lives in Oslo."],
        ["1. Ana lives in Bergen."],
    ]


def test_what_is_said_again_has_both_turns_and_is_a_merge(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [facts(PIXEL), facts(PIXEL)]
    hear(adapter, "Ana has a cat, Pixel.")
    hear(adapter, "Ana has a cat, Pixel.", session_id="S02")
    (item,) = adapter.snapshot_memories()
    assert item.turn_ids == ("S01:T000", "S02:T000")
    assert told(adapter, "S02") == [("merge", "Ana has cat Pixel.")]


def test_a_short_name_means_the_same_entity(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [
        facts(fact("Ana Lund", "lives in", "Oslo", single=True)),
        facts(fact("Ana", "lives in", "Bergen", single=True)),
    ]
    hear(adapter, "Ana Lund lives in Oslo.")
    hear(adapter, "Ana lives in Bergen.", session_id="S02")
    assert kept(adapter) == ["Ana lives in Bergen."]


def test_a_picture_is_kept_by_its_caption_and_given_back(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    picture = Attachment(image_id="S01_img_1", path="/p.png", caption="A red boat.")
    hear(adapter, "Look.", pictures=(picture,))
    (item,) = adapter.snapshot_memories()
    assert (item.image_id, item.image_path) == ("S01_img_1", "/p.png")
    assert "A red boat." in item.text
    assert adapter.retrieve(query="Which boat is red?", top_k=1).items[0].image_path == "/p.png"


def test_a_question_finds_by_entity_text_and_vector_and_one_hop_further(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, hop=1)
    upstream.script = [
        facts(
            fact("Ana", "works at", "Harbourline"),
            fact("Harbourline", "stands in", "Ostend", "The seat of the firm is Ostend."),
            fact("Ben", "keeps", "bees"),
        )
    ]
    hear(adapter, "Some facts.")
    found = adapter.retrieve(query="Where does Ana work?", top_k=5)
    assert found.items[0].text == "[2026-01-01 09:00] Ana works at Harbourline."
    assert set(found.trace["ways"]["fact:1"]) == {"entity", "text", "vector"}
    assert "hop" in found.trace["ways"]["fact:2"]
    assert "hop" not in found.trace["ways"]["fact:3"]


def test_closed_facts_are_found_only_where_wanted_and_say_their_end(upstream: ModelServer, tmp_path: Path) -> None:
    for history, expected in ((False, []), (True, ["[2026-01-01 09:00] Ana lives in Oslo. (until May)"])):
        adapter = started(upstream, tmp_path, history=history)
        upstream.script = [facts(OSLO), facts(BERGEN)]
        hear(adapter, "Ana lives in Oslo.")
        hear(adapter, "Ana moved to Bergen.", session_id="S02")
        found = [item.text for item in adapter.retrieve(query="Was it Oslo?", top_k=9).items]
        assert [text for text in found if "Oslo" in text] == expected


def test_calls_are_those_of_the_readme(upstream: ModelServer, tmp_path: Path) -> None:
    """A round costs one completion, and one embedding request where it brought facts; a question one request."""
    adapter = started(upstream, tmp_path)
    upstream.script = [facts(OSLO, PIXEL), facts(), facts(OSLO)]
    hear(adapter, "One.", "Two.", "Three.", "Four.", "Five.", "Six.")
    assert (len(upstream.chats), len(upstream.embeddings)) == (3, 1)
    assert len(upstream.embeddings[0]["input"]) == 2
    adapter.retrieve(query="One?", top_k=5)
    assert (len(upstream.chats), len(upstream.embeddings)) == (3, 2)


def test_of_a_long_turn_the_model_sees_every_word_in_pieces(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, longest=500)
    words = " ".join(f"word{number}" for number in range(300))
    hear(adapter, words, "Long.")
    seen = [asked(upstream, chat)["messages"] for chat in range(len(upstream.chats))]
    assert all(len(text) <= 500 for text in seen)
    assert all(f"word{number}" in " ".join(seen).split() for number in range(300))


JUNK = [
    "I would rather not.",
    "",
    "[1, 2]",
    '{"facts": "none"}',
    '{"facts": [{"subject": "Ana"}]}',
    '{"facts": [{"subj',
]


@pytest.mark.parametrize("junk", JUNK)
def test_junk_is_asked_again_with_what_was_wrong_and_counted(junk: str, upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [junk, facts(PIXEL)]
    hear(adapter, "Ana has a cat.")
    assert kept(adapter) == ["Ana has cat Pixel."]
    assert "cannot be used" in upstream.chats[1]["messages"][-1]["content"]
    assert counts(adapter)["unusable_replies"] == 1


@pytest.mark.parametrize("junk", JUNK)
def test_junk_to_the_end_is_raised_counted_and_keeps_nothing(junk: str, upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, attempts=2)
    upstream.script = [junk, junk]
    with pytest.raises(UnusableReply, match="no facts in 2 replies"):
        hear(adapter, "Ana has a cat.")
    assert kept(adapter) == []
    assert counts(adapter)["given_up"] == 1


def test_of_a_list_the_facts_that_are_none_are_left_out_and_counted(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [facts(PIXEL, {"subject": "Ben"}, fact("Ben", " ", "bees"), {**OSLO, "replaces": "all"})]
    hear(adapter, "Ana has a cat.")
    assert kept(adapter) == ["Ana has cat Pixel."]
    assert counts(adapter)["unusable_facts"] == 3


def test_of_a_reply_that_was_cut_off_the_whole_facts_are_taken(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = ["Sure!\n```json\n" + facts(PIXEL, OSLO)[:-40]]
    hear(adapter, "Ana has a cat.")
    assert kept(adapter) == ["Ana has cat Pixel."]
    assert counts(adapter)["cut_replies"] == 1


@pytest.mark.parametrize("status", [429, 500])
def test_a_failed_completion_is_raised_counted_and_keeps_what_was_there(
    status: int, upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [facts(PIXEL), status]
    with pytest.raises(ModelCallFailed, match=f"status {status}"):
        hear(adapter, "Ana has a cat.", "Fine.", "And a dog.", "Fine.")
    assert kept(adapter) == ["Ana has cat Pixel."]
    assert counts(adapter)["failed_chats"] == 1


def test_a_failed_embedding_is_raised_and_keeps_no_fact(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [facts(PIXEL)]
    upstream.refuse = lambda kind, body: 500 if kind == "embeddings" else 0
    with pytest.raises(ModelCallFailed, match="planted 500"):
        hear(adapter, "Ana has a cat.")
    assert kept(adapter) == []
    assert counts(adapter)["failed_embeddings"] == 1


def test_the_same_replies_make_the_same_memories(upstream: ModelServer, tmp_path: Path) -> None:
    seen: list[Any] = []
    for _ in range(2):
        adapter = started(upstream, tmp_path)
        upstream.script = [facts(OSLO, PIXEL), facts(BERGEN)]
        hear(adapter, "Ana lives in Oslo.", "Fine.", "Ana moved to Bergen.")
        found = adapter.retrieve(query="Where does Ana live?", top_k=5)
        seen.append((adapter.snapshot_memories(), adapter.export_memory_delta("S01"), found.items))
    assert seen[0] == seen[1]


def test_cells_do_not_mix_in_one_database_and_reset_removes_only_its_own(
    upstream: ModelServer, tmp_path: Path, by_url: dict[str, str]
) -> None:
    one, two = started(upstream, tmp_path / "1", **by_url), started(upstream, tmp_path / "2", **by_url)
    for adapter, row in ((one, PIXEL), (two, OSLO)):
        upstream.script = [facts(row)]
        hear(adapter, "Ana.")
    assert (kept(one), kept(two)) == (["Ana has cat Pixel."], ["Ana lives in Oslo."])
    assert [item.memory_id for item in one.retrieve(query="Where does Ana live?", top_k=9).items] == ["fact:1"]
    one.reset(context(upstream, tmp_path / "1"))
    assert (kept(one), kept(two)) == ([], ["Ana lives in Oslo."])


def test_what_a_killed_attempt_left_in_a_database_is_removed(
    upstream: ModelServer, tmp_path: Path, by_url: dict[str, str]
) -> None:
    upstream.script = [facts(PIXEL)]
    hear(started(upstream, tmp_path, **by_url), "Ana.")
    assert kept(started(upstream, tmp_path, **by_url)) == []


@pytest.mark.parametrize(("missing", "flag"), [("model", "--model inner="), ("embedding", "--model embed=")])
def test_without_a_model_reset_names_the_flag(missing: str, flag: str, upstream: ModelServer, tmp_path: Path) -> None:
    given = {"model": upstream.endpoint, "embedding": upstream.endpoint}
    with pytest.raises(ModelError, match=flag):
        GraphMemory().reset(RunContext(folder=str(tmp_path), namespace="n", **{**given, missing: None}))


def test_only_this_machine_is_connected_to(upstream: ModelServer, tmp_path: Path, no_network: None) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [facts(PIXEL)]
    hear(adapter, "Ana has a cat.")
    assert len(adapter.retrieve(query="Which cat?", top_k=5).items) == 1


def test_a_picture_of_20_megabytes_is_kept_by_its_place_and_not_read(upstream: ModelServer, tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    with path.open("wb") as file:
        file.truncate(20_000_000)
    adapter = started(upstream, tmp_path / "cell")
    upstream.script = [facts(OSLO)]
    hear(adapter, "Look.", pictures=(Attachment(image_id="large", path=str(path), caption="A fjord"),))
    assert str(path) in [item.image_path for item in adapter.snapshot_memories()]
    assert max(len(str(request)) for request in upstream.asked) < 100_000
