"""The algorithm of amem, step by step, with a model that says what a script holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from amem_play import attributes, counts, hear, started
from amem_replies import evolve, note, say, stay

from memarena.errors import ModelError
from memarena.modelclient import ModelCallFailed
from memarena.records import Attachment, RunContext
from memarena.testing.model_server import ModelServer
from memarena_amem.amem import AMem
from memarena_amem.asking import UnusableReply


def test_a_note_is_a_round_with_what_the_model_says_of_it(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, unit="round")
    upstream.script = [note("dog", "Bruno", context="Ana tells of her dog.", tags=["pets", " pets "])]
    hear(adapter, "My dog is Bruno.", "A fine dog.", pictures=(Attachment(image_id="S01_img_1", path="/p.png"),))
    (item,) = adapter.snapshot_memories()
    assert item.text == "[2026-01-01 09:00] user: My dog is Bruno.\n[2026-01-01 09:00] assistant: A fine dog."
    assert item.turn_ids == ("S01:T000", "S01:T001")
    assert (item.image_id, item.image_path) == ("S01_img_1", "/p.png")
    assert item.metadata == {
        "time": "2026-01-01 09:00",
        "context": "Ana tells of her dog.",
        "keywords": ["dog", "Bruno"],
        "tags": ["pets"],
        "links": [],
    }


def test_content_context_keywords_and_tags_are_embedded(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [note("dog", context="On a dog.", tags=["pets"])]
    hear(adapter, "Bruno.")
    (asked,) = upstream.embeddings
    assert asked["input"] == ["[2026-01-01 09:00] user: Bruno.\ncontext: On a dog.\nkeywords: dog\ntags: pets"]


def test_the_first_note_costs_one_completion_and_the_next_two(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    hear(adapter, "One.")
    assert (len(upstream.chats), len(upstream.embeddings)) == (1, 1)
    hear(adapter, "Two.", session_id="S02")
    assert (len(upstream.chats), len(upstream.embeddings)) == (3, 2)
    adapter.retrieve(query="One?", top_k=5)
    assert (len(upstream.chats), len(upstream.embeddings)) == (3, 3)


def test_only_the_nearest_neighbours_are_shown(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, neighbours=2)
    hear(adapter, "red dog", "green house", "red dog again", "green house again", "red dog barks")
    shown = upstream.chats[-1]["messages"][1]["content"]
    assert "red dog again" in shown
    assert "green" not in shown


def test_links_go_both_ways_and_tags_are_those_of_the_reply(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [note("dog"), note("cat"), evolve(actions=["strengthen"], links=[0], tags=["pets", "home"])]
    hear(adapter, "A dog.", "A cat.")
    seen = attributes(adapter)
    assert seen["note:2"]["links"] == ["note:1"]
    assert seen["note:1"]["links"] == ["note:2"]
    assert seen["note:2"]["tags"] == ["pets", "home"]
    assert seen["note:1"]["tags"] == ["tag"]


def test_neighbours_get_new_contexts_and_tags_and_keep_their_content(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    change = evolve(actions=["update_neighbor"], contexts=["On the first of two pets."], neighbour_tags=[["pets"]])
    upstream.script = [note("dog"), note("cat"), change]
    hear(adapter, "A dog.", "A cat.")
    first, second = adapter.snapshot_memories()
    assert first.text == "[2026-01-01 09:00] user: A dog."
    assert (first.metadata["context"], first.metadata["tags"]) == ("On the first of two pets.", ["pets"])
    assert first.metadata["links"] == second.metadata["links"] == []


def test_what_evolved_is_embedded_anew_in_one_request(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    change = evolve(
        actions=["strengthen", "update_neighbor"],
        links=[0],
        tags=["pets"],
        contexts=["About zebras."],
        neighbour_tags=[["tag"]],
    )
    upstream.script = [note("dog"), note("cat"), change]
    hear(adapter, "A dog.", "A cat.")
    assert [len(each["input"]) for each in upstream.embeddings] == [1, 1, 2]
    (best, *_) = adapter.retrieve(query="zebras", top_k=5).items
    assert best.memory_id == "note:1"


def test_a_reply_that_says_no_changes_nothing(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    refused = evolve(should_evolve=False, actions=["strengthen"], links=[0], tags=["x"])
    upstream.script = [note("dog"), note("cat"), refused]
    hear(adapter, "A dog.", "A cat.")
    assert attributes(adapter)["note:2"]["links"] == []
    assert attributes(adapter)["note:2"]["tags"] == ["tag"]


def test_linked_notes_follow_the_note_that_leads_to_them(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    link_to_first = evolve(actions=["strengthen"], links=[1], tags=["tag"])
    upstream.script = [note("a"), note("b"), stay(), note("c"), link_to_first]
    hear(adapter, "apple", "brick", "brick brick crane")
    found = adapter.retrieve(query="crane", top_k=10)
    assert found.items[0].memory_id == "note:3"
    (source,) = set(found.trace["linked_from"].values())
    assert source == "note:3"
    assert found.items[1].memory_id in found.trace["linked_from"]
    assert [len(adapter.retrieve(query="crane", top_k=size).items) for size in (1, 2, 9)] == [1, 2, 3]


def test_without_links_the_ranking_is_by_nearness_alone(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, links=0)
    upstream.script = [note("a"), note("b"), evolve(actions=["strengthen"], links=[0], tags=["tag"])]
    hear(adapter, "apple", "brick")
    found = adapter.retrieve(query="brick", top_k=5)
    scores = [item.score or 0.0 for item in found.items]
    assert scores == sorted(scores, reverse=True)
    assert found.trace["linked_from"] == {}


def test_attributes_are_shown_to_the_answerer_only_where_wanted(upstream: ModelServer, tmp_path: Path) -> None:
    for wanted in (True, False):
        adapter = started(upstream, tmp_path, attributes=wanted)
        hear(adapter, "apple")
        (item,) = adapter.retrieve(query="apple", top_k=1).items
        assert ("keywords: thing" in item.text) is wanted


JUNK = [
    say("I would rather not."),
    say(""),
    say("[1, 2]"),
    say('{"keywords": "dog", "context": "", "tags": []}'),
    say('{"keywords": [], "context": " ", "tags": []}'),
    say('{"keywords": ["do'),
]


@pytest.mark.parametrize("junk", JUNK)
def test_junk_is_asked_again_with_what_was_wrong(junk: dict[str, Any], upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [junk, note("dog")]
    hear(adapter, "A dog.")
    assert attributes(adapter)["note:1"]["keywords"] == ["dog"]
    assert "cannot be used" in upstream.chats[1]["messages"][-1]["content"]
    assert counts(adapter)["unusable_replies"] == 1


@pytest.mark.parametrize("junk", JUNK)
def test_junk_to_the_end_is_raised_counted_and_keeps_no_note(
    junk: dict[str, Any], upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path, attempts=2)
    upstream.script = [junk, junk]
    with pytest.raises(UnusableReply, match="no analysis in 2 replies"):
        hear(adapter, "A dog.")
    assert adapter.snapshot_memories() == ()
    assert counts(adapter)["given_up"] == 1


def test_an_object_within_words_and_fences_is_read(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [say('Sure!\n```json\n{"keywords": ["dog"], "context": "c", "tags": []}\n```')]
    hear(adapter, "A dog.")
    assert attributes(adapter)["note:1"]["keywords"] == ["dog"]


def test_of_a_reply_that_is_cut_off_what_was_complete_is_taken_and_counted(
    upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [say('{"keywords": ["dog", "Bruno"], "context": "Ana tells of her dog and her dog and her do')]
    hear(adapter, "My dog is Bruno.")
    seen = attributes(adapter)["note:1"]
    assert (seen["keywords"], seen["context"], seen["tags"]) == (["dog", "Bruno"], "", [])
    assert len(upstream.chats) == 1
    assert (counts(adapter)["cut_replies"], counts(adapter)["unusable_replies"]) == (1, 0)


def test_an_evolution_that_is_cut_off_leaves_the_other_neighbours_as_they_are(
    upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path)
    begun = '{"should_evolve": true, "actions": ["update_neighbor"], "new_context_neighborhood": ["On the first.", "On'
    upstream.script = [note("dog"), note("cat"), stay(), note("emu"), say(begun)]
    hear(adapter, "A dog.", "A cat.", "An emu.")
    contexts = sorted(seen["context"] for seen in attributes(adapter).values())
    assert "On the first." in contexts
    assert "About emu." in contexts
    assert len({"About dog.", "About cat."} & set(contexts)) == 1
    assert counts(adapter)["cut_replies"] == 1


def test_a_reply_that_is_cut_off_too_early_is_asked_for_again_and_shorter(
    upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [say('{"keywords": ["' + "dog" * 1000), note("dog")]
    hear(adapter, "A dog.")
    answer, again = upstream.chats[1]["messages"][-2:]
    assert "be much shorter" in again["content"]
    assert len(answer["content"]) <= 400


def test_the_model_is_asked_for_no_more_than_there_is_room_for(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, neighbours=2)
    hear(adapter, "A dog.", "A cat.", "An emu.", "An owl.")
    shapes = [chat["response_format"]["json_schema"]["schema"]["properties"] for chat in upstream.chats]
    assert shapes[0]["keywords"]["maxItems"] == 6
    assert shapes[-1]["suggested_connections"] == {
        "type": "array",
        "maxItems": 2,
        "items": {"type": "integer", "enum": [0, 1]},
    }
    assert shapes[-1]["new_context_neighborhood"]["maxItems"] == 2


@pytest.mark.parametrize(
    "wrong",
    [
        evolve(actions=["strengthen"], links=[1], tags=["x"]),
        evolve(actions=["strengthen"], links=[-1], tags=["x"]),
        evolve(actions=["update_neighbor"], contexts=["a", "b"], neighbour_tags=[["a"]]),
        evolve(actions=["update_neighbor"], contexts=["a"], neighbour_tags=[["a"], ["b"]]),
        evolve(actions=["delete_neighbor"]),
    ],
)
def test_an_evolution_that_does_not_fit_the_neighbours_is_refused(
    wrong: dict[str, Any], upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path, attempts=1)
    upstream.script = [note("dog"), note("cat"), wrong]
    with pytest.raises(UnusableReply, match="no evolution"):
        hear(adapter, "A dog.", "A cat.")
    assert [item.memory_id for item in adapter.snapshot_memories()] == ["note:1"]


@pytest.mark.parametrize("status", [429, 500])
@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_failed_completion_is_raised_and_changes_nothing(
    status: int, before: int, upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path)
    script: list[Any] = [note("dog"), note("cat"), stay()]
    script[before] = status
    upstream.script = script
    with pytest.raises(ModelCallFailed, match=f"status {status}"):
        hear(adapter, "A dog.", "A cat.")
    assert len(adapter.snapshot_memories()) == min(before, 1)
    assert counts(adapter)["failed_chats"] == 1


def test_a_failed_embedding_is_raised_and_keeps_no_note(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.refuse = lambda kind, body: 500 if kind == "embeddings" else 0
    with pytest.raises(ModelCallFailed, match="planted 500"):
        hear(adapter, "A dog.")
    assert adapter.snapshot_memories() == ()
    assert counts(adapter)["failed_embeddings"] == 1


def test_a_failed_embedding_of_a_question_is_raised(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    hear(adapter, "A dog.")
    upstream.refuse = lambda kind, body: 503 if kind == "embeddings" else 0
    with pytest.raises(ModelCallFailed, match="status 503"):
        adapter.retrieve(query="Which dog?", top_k=5)


def test_of_a_long_note_the_models_see_the_beginning_and_the_note_is_whole(
    upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path, longest=1000)
    text = "word " * 5000
    hear(adapter, text)
    assert len(upstream.chats[0]["messages"][1]["content"]) < 1200
    assert len(upstream.embeddings[0]["input"][0]) == 1000
    assert upstream.embeddings[0]["input"][0].endswith("tags: tag")
    assert text in adapter.snapshot_memories()[0].text


@pytest.mark.parametrize(("missing", "flag"), [("model", "--model inner="), ("embedding", "--model embed=")])
def test_without_a_model_reset_names_the_flag(missing: str, flag: str, upstream: ModelServer, tmp_path: Path) -> None:
    given = {"model": upstream.endpoint, "embedding": upstream.endpoint}
    with pytest.raises(ModelError, match=flag):
        AMem().reset(RunContext(folder=str(tmp_path), namespace="n", **{**given, missing: None}))


def test_only_this_machine_is_connected_to(upstream: ModelServer, tmp_path: Path, no_network: None) -> None:
    adapter = started(upstream, tmp_path)
    hear(adapter, "A dog.", "A cat.")
    adapter.retrieve(query="Which dog?", top_k=5)
    assert len(upstream.chats) == 3
