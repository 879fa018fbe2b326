"""`dense` and `hybrid`: worked by hand, and what they do where something is missing or fails."""

from __future__ import annotations

import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena.errors import ModelError
from memarena.records import Attachment, RunContext, Turn
from memarena_rag.bm25 import Bm25
from memarena_rag.dense import Dense, DenseOptions
from memarena_rag.fusion import reciprocal_rank_fusion
from memarena_rag.hybrid import Hybrid, HybridOptions

DOG = Attachment(image_id="S1_img_1", path="/p/1.png", caption="brown terrier")


def turn(index: int, body: str, *pictures: Attachment, role: str = "user", session_id: str = "S1") -> Turn:
    blocks = "".join(f"\n\nimage:\nimage_id: {it.image_id}\nimage_caption: {it.caption}" for it in pictures)
    return Turn(
        turn_id=f"{session_id}:T{index}",
        session_id=session_id,
        index=index,
        role=role,
        text=body + blocks,
        body=body,
        attachments=pictures,
    )


def heard(adapter, server, *turns: Turn, folder: Path = Path("unused")):
    """`adapter` after one session of these turns."""
    adapter.reset(RunContext(folder=str(folder), namespace="test", embedding=server and server.endpoint()))
    for said in turns:
        adapter.ingest_turn(said)
    adapter.end_session("S1")
    return adapter


def ids(found) -> list[str]:
    return [item.memory_id for item in found.items]


BOATS = (turn(0, "A red boat."), turn(1, "A blue car."), turn(2, "A red car."))


def test_a_round_that_shares_more_words_with_the_question_is_nearer(server):
    """T2 shares three words, T0 and T1 two each."""
    assert ids(heard(Dense(), server, *BOATS).retrieve("a red car", 3)) == ["S1:T2", "S1:T0", "S1:T1"]


def test_the_score_is_the_cosine(server):
    """`user a red boat` and `red boat` share two words; their lengths are 2 and the square root of 2."""
    (first, *_) = heard(Dense(), server, *BOATS).retrieve("red boat", 3).items
    assert first.memory_id == "S1:T0"
    assert first.score == pytest.approx(2 / (4**0.5 * 2**0.5))


def test_documents_are_those_of_bm25(server):
    said = (turn(0, "Look.", DOG), turn(1, "Nice.", role="assistant"), turn(2, "Thanks."))
    theirs = Bm25()
    theirs.reset(RunContext(folder="", namespace="test"))
    for each in said:
        theirs.ingest_turn(each)
    theirs.end_session("S1")
    ours = heard(Dense(), server, *said)
    assert ours.snapshot_memories() == theirs.snapshot_memories()
    assert ours.export_memory_delta("S1") == theirs.export_memory_delta("S1")


def test_captions_are_embedded_unless_switched_off(server):
    heard(Dense(), server, turn(0, "Look.", DOG))
    heard(Dense(DenseOptions(captions=False)), server, turn(0, "Look.", DOG))
    with_captions, without = server.texts()
    assert "brown terrier" in with_captions
    assert without == "user: Look."


def test_a_session_is_embedded_at_its_end_in_one_request(server):
    heard(Dense(), server, *(turn(index, f"Text {index}.") for index in range(30)))
    assert [len(body["input"]) for body in server.bodies] == [30]


def test_an_empty_question_finds_nothing_and_asks_nobody(server):
    adapter = heard(Dense(), server, *BOATS)
    before = len(server.bodies)
    assert ids(adapter.retrieve(" ", 3)) == []
    assert len(server.bodies) == before


def test_a_long_round_is_kept_whole_and_marked(server):
    adapter = heard(Dense(DenseOptions(window=10)), server, turn(0, "word " * 50), turn(1, "Short."))
    long, short = adapter.snapshot_memories()
    assert long.text.count("word") == 50
    assert long.metadata == {"embedded": "only its beginning"}
    assert short.metadata == {}


@pytest.mark.parametrize("kind", [Dense, Hybrid])
def test_without_embeddings_reset_says_which_flag_to_give(kind):
    with pytest.raises(ModelError) as caught:
        heard(kind(), None)
    assert str(caught.value) == (
        f"{kind.name} needs embeddings: name a model with --model embed=NAME, e.g. --model embed=offline, "
        "or an encoder with -o LABEL.encoder=minilm"
    )


@pytest.mark.parametrize("kind", [Dense, Hybrid])
@pytest.mark.parametrize("status", [429, 500])
def test_a_session_that_cannot_be_embedded_fails_and_leaves_nothing(server, kind, status):
    adapter = heard(kind(), server, *BOATS)
    server.fail(status, {"error": {"message": "not now"}})
    adapter.ingest_turn(turn(9, "A green bus.", session_id="S2"))
    with pytest.raises(ModelError, match="not now"):
        adapter.end_session("S2")
    assert [item.memory_id for item in adapter.snapshot_memories()] == ["S1:T0", "S1:T1", "S1:T2"]


def test_a_question_that_cannot_be_embedded_fails(server):
    adapter = heard(Dense(), server, *BOATS)
    server.fail(500, {"error": {"message": "not now"}})
    with pytest.raises(ModelError, match="not now"):
        adapter.retrieve("red", 3)


def test_a_second_life_begins_with_nothing(server):
    adapter = heard(Hybrid(), server, *BOATS)
    adapter.ingest_turn(turn(9, "Left over.", session_id="S2"))
    heard(adapter, server)
    assert adapter.snapshot_memories() == ()
    assert ids(adapter.retrieve("red boat", 3)) == []


def test_fusion_adds_the_reciprocal_ranks():
    """k = 1: document 7 has 1/2 + 1/3, document 5 has 1/3 + 1/2 as well, document 9 has 1/4."""
    assert reciprocal_rank_fusion([[7, 5], [5, 7, 9]], k=1) == [
        (5, pytest.approx(1 / 2 + 1 / 3)),
        (7, pytest.approx(1 / 2 + 1 / 3)),
        (9, pytest.approx(1 / 4)),
    ]


@given(st.lists(st.lists(st.integers(0, 9), unique=True), max_size=4), st.integers(1, 100))
def test_fusion_ranks_every_document_once_and_falls(rankings, k):
    found = reciprocal_rank_fusion(rankings, k)
    assert {document for document, _ in found} == {document for ranking in rankings for document in ranking}
    keys = [(-score, document) for document, score in found]
    assert keys == sorted(keys)


def test_hybrid_fuses_the_ranks_of_both_and_shows_them(server):
    """BM25: only T0 has `boat`. Dense: T0, then T2 (`red`), then T1."""
    found = heard(Hybrid(), server, *BOATS).retrieve("red boat", 3)
    assert found.trace["ranks"] == {"bm25": [1, 2, None], "dense": [1, 2, 3]}
    assert ids(found) == ["S1:T0", "S1:T2", "S1:T1"]
    assert [item.score for item in found.items] == pytest.approx([2 / 61, 2 / 62, 1 / 63])


def test_hybrid_fuses_no_deeper_than_it_is_told(server):
    found = heard(Hybrid(HybridOptions(depth=1)), server, *BOATS).retrieve("red boat", 1)
    assert found.trace["ranks"] == {"bm25": [1], "dense": [1]}


def test_hybrid_answers_a_question_of_marks_alone_by_embeddings(server):
    assert len(ids(heard(Hybrid(), server, *BOATS).retrieve("?!", 3))) == 3


def test_dense_in_qdrant_finds_what_dense_in_numpy_finds(server, tmp_path):
    pytest.importorskip("qdrant_client", reason="qdrant-client is not installed")
    here = heard(Dense(), server, *BOATS).retrieve("a red boat", 3)
    for place in (":memory:", "disk"):
        there = heard(Dense(DenseOptions(qdrant=place)), server, *BOATS, folder=tmp_path)
        there = there.retrieve("a red boat", 3)
        assert ids(there) == ids(here)


def test_a_run_embeds_through_the_gateway_and_is_counted(run_cli, tmp_path):
    for package in ("memarena_models", "memarena_arena"):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    from memarena.store import RunStore

    words = ["run", "-d", "tiny", "-a", "dense", "-a", "hybrid", "--model", "embed=offline", "--quiet", "--out", "run"]
    done = run_cli(*words, timeout=600)
    assert done.returncode == 0, done.stderr
    used = RunStore.open(tmp_path / "cli" / "run").usage()
    assert used["dense~tiny-home"]["write"].calls == 2
    assert used["dense~tiny-home"]["retrieve"].calls == 2
    assert used["hybrid~tiny-work"]["write"].calls == 1


def test_nothing_but_the_endpoint_is_looked_up(server, monkeypatch):
    asked: list[str] = []
    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *rest, **more: asked.append(host) or real(host, *rest, **more)
    )
    heard(Hybrid(), server, *BOATS).retrieve("red boat", 3)
    assert set(asked) == {"127.0.0.1"}


def test_importing_the_adapters_loads_no_heavy_library():
    code = (
        "import sys, memarena_rag.dense, memarena_rag.hybrid; memarena_rag.hybrid.Hybrid();"
        "print(sorted({'numpy', 'httpx', 'torch', 'qdrant_client', 'sentence_transformers'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8")
    assert done.stdout == "[]\n"
