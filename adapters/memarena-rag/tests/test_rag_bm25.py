from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena.records import Attachment, RunContext, Turn
from memarena.rounds import Rounds, item_of
from memarena_rag.bm25 import Bm25, Bm25Options
from memarena_rag.index import Index
from memarena_rag.tokens import tokenize

CONTEXT = RunContext(folder="", namespace="test")
DOG = Attachment(image_id="S1_img_1", path="/p/1.png", caption="A brown terrier.")
CAT = Attachment(image_id="S1_img_2", path="/p/2.png", caption="A cat.")


def turn(index: int, role: str, body: str, *pictures: Attachment, session_id: str = "S1") -> Turn:
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


def heard(adapter: Bm25, *turns: Turn) -> Bm25:
    adapter.reset(CONTEXT)
    for number, said in enumerate(turns):
        adapter.ingest_turn(said)
        if number + 1 == len(turns) or turns[number + 1].session_id != said.session_id:
            adapter.end_session(said.session_id)
    return adapter


def ids(found) -> list[str]:
    return [item.memory_id for item in found.items]


def rounds_of(*roles: str) -> list[list[int]]:
    rounds = Rounds()
    turns = [turn(index, role, "x") for index, role in enumerate(roles)]
    found = [done for said in turns for done in rounds.add(said)] + rounds.flush()
    return [[said.index for said in done] for done in found]


def test_a_user_s_turn_and_the_reply_are_a_round():
    assert rounds_of("user", "assistant", "user", "assistant") == [[0, 1], [2, 3]]


def test_a_turn_without_a_partner_stays_alone():
    assert rounds_of("assistant", "user", "user", "assistant", "assistant", "user") == [[0], [1], [2, 3], [4], [5]]


def test_a_round_does_not_cross_the_end_of_a_session():
    adapter = heard(Bm25(), turn(0, "user", "Hello."), turn(0, "assistant", "Bye.", session_id="S2"))
    assert [item.memory_id for item in adapter.snapshot_memories()] == ["S1:T0", "S2:T0"]


def test_turns_may_be_documents_by_option():
    adapter = heard(Bm25(Bm25Options(unit="turn")), turn(0, "user", "Hello."), turn(1, "assistant", "Hi."))
    assert [item.memory_id for item in adapter.snapshot_memories()] == ["S1:T0", "S1:T1"]


def test_a_round_names_its_turns_and_pictures():
    item = item_of((turn(0, "user", "Look.", DOG), turn(1, "assistant", "And mine.", CAT)))
    assert item.memory_id == "S1:T0+S1:T1"
    assert item.turn_ids == ("S1:T0", "S1:T1")
    assert (item.image_id, item.image_path) == ("S1_img_1", "/p/1.png")
    assert item.metadata == {"image_ids": ["S1_img_1", "S1_img_2"]}
    assert item.text.startswith("user: Look.\n\nimage:\nimage_id: S1_img_1")


def test_captions_are_searched_unless_switched_off():
    said = (turn(0, "user", "Look.", DOG), turn(1, "assistant", "Nice."))
    assert ids(heard(Bm25(), *said).retrieve("terrier", 5)) == ["S1:T0+S1:T1"]
    assert ids(heard(Bm25(Bm25Options(captions=False)), *said).retrieve("terrier", 5)) == []


def test_captions_stay_in_the_text_that_is_returned():
    adapter = heard(Bm25(Bm25Options(captions=False)), turn(0, "user", "Look here.", DOG))
    assert "A brown terrier." in adapter.retrieve("look", 5).items[0].text


def test_what_is_said_later_is_found_too():
    adapter = heard(Bm25(), turn(0, "user", "A red boat."))
    assert ids(adapter.retrieve("boat", 5)) == ["S1:T0"]
    adapter.ingest_turn(turn(0, "user", "A blue boat.", session_id="S2"))
    adapter.end_session("S2")
    assert ids(adapter.retrieve("blue boat", 5)) == ["S2:T0", "S1:T0"]


def test_a_round_that_shares_no_word_is_not_returned():
    adapter = heard(Bm25(), turn(0, "user", "A red boat."), turn(1, "user", "A car."))
    assert ids(adapter.retrieve("boat", 5)) == ["S1:T0"]
    assert ids(adapter.retrieve("zebra", 5)) == []


def test_the_score_is_that_of_the_formula():
    """Lucene: idf = ln(1 + (N - n + 0.5) / (n + 0.5)), tf = f / (f + k1 (1 - b + b len / mean))."""
    index = Index(k1=1.5, b=0.75)
    for document in (["a", "b", "b"], ["a", "c", "c", "c", "c"]):
        index.add(document)
    ((place, score),) = index.search(["b"], 5)
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    assert place == 0
    assert score == pytest.approx(idf * 2 / (2 + 1.5 * (1 - 0.75 + 0.75 * 3 / 4)), rel=1e-6)


def test_the_earlier_document_comes_first_among_equals():
    index = Index(k1=1.5, b=0.75)
    for _ in range(20):
        index.add(["a", "b"])
    assert [place for place, _ in index.search(["a"], 7)] == [0, 1, 2, 3, 4, 5, 6]


def test_an_empty_index_and_documents_without_tokens_find_nothing():
    index = Index(k1=1.5, b=0.75)
    assert index.search(["a"], 5) == []
    index.add([])
    assert index.search(["a"], 5) == []
    index.add(["a"])
    assert [place for place, _ in index.search(["a"], 5)] == [1]


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=6), max_size=12), st.lists(st.sampled_from("abcdx")))
def test_a_ranking_holds_each_match_once_and_falls(documents, query):
    index = Index(k1=1.5, b=0.75)
    for document in documents:
        index.add(document)
    found = index.search(query, 1000)
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)
    matches = {place for place, document in enumerate(documents) if set(document) & set(query)}
    assert sorted(place for place, _ in found) == sorted(matches)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("It's 7:55 PM.", ["it", "s", "7", "55", "pm"]),
        ("Straße ÉCOLE", ["strasse", "école"]),
        ("今天 is 月曜日", ["今", "天", "is", "月", "曜", "日"]),
        ("ＡＢＣ１２", ["abc12"]),
        ("👩‍🚀 …", []),
        ("", []),
    ],
)
def test_text_of_any_language_becomes_tokens(text, tokens):
    assert tokenize(text) == tokens


def test_importing_the_adapter_loads_no_numpy():
    code = (
        "import sys, memarena_rag.bm25; memarena_rag.bm25.Bm25(); print(sorted({'numpy', 'bm25s'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8")
    assert done.stdout == "[]\n"
