"""What is kept, what is found, and what happens where a picture or a call fails; over an endpoint for messages."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from messages_server import WORDS
from PIL import Image

from memarena.errors import ModelError, UsageError
from memarena.memory import whole_text
from memarena.records import Attachment, MemoryChange, RunContext, Turn
from memarena_qwen3vl.adapter import Qwen3Vl
from memarena_qwen3vl.options import Qwen3VlOptions

ROUNDS = ("S1:T0+S1:T1", "S1:T2+S1:T3")


@pytest.fixture
def drawn(tmp_path):
    """`drawn("red", caption="...")`: a picture of one colour."""

    def make(colour: str, caption: str = "", size: tuple[int, int] = (48, 40), name: str = "") -> Attachment:
        path = tmp_path / f"{name or colour}.png"
        Image.new("RGB", size, colour).save(path)
        return Attachment(image_id=name or colour, path=str(path), caption=caption)

    return make


@pytest.fixture
def broken(tmp_path):
    """A file that is no picture."""
    (tmp_path / "broken.png").write_bytes(b"no picture")
    return Attachment(image_id="broken", path=str(tmp_path / "broken.png"), caption="a lost boat")


@pytest.fixture
def heard(server):
    """`heard(picture, ..., option=value)`: the adapter after a session in which the pictures were shown."""

    def make(*pictures: Attachment, **options) -> Qwen3Vl:
        adapter = Qwen3Vl(Qwen3VlOptions(**options))
        adapter.reset(context(server))
        hear(adapter, turn(0, "My boat."), turn(1, "How nice."), turn(2, "And these.", *pictures), turn(3, "I see."))
        return adapter

    return make


def context(server) -> RunContext:
    return RunContext(folder="", namespace="test", embedding=server.endpoint())


def turn(index: int, body: str, *pictures: Attachment, session_id: str = "S1") -> Turn:
    return Turn(
        turn_id=f"{session_id}:T{index}",
        session_id=session_id,
        index=index,
        role=("user", "assistant")[index % 2],
        text=whole_text(body, pictures),
        body=body,
        time="2026-01-01 09:00",
        attachments=pictures,
    )


def hear(adapter: Qwen3Vl, *turns: Turn) -> None:
    for said in turns:
        adapter.ingest_turn(said)
    adapter.end_session(turns[-1].session_id)


def ids(found) -> tuple[str, ...]:
    return tuple(item.memory_id for item in found.items)


def test_a_session_is_kept_as_rounds_and_then_pictures(heard, drawn):
    items = heard(drawn("red"), drawn("blue")).snapshot_memories()
    assert tuple(item.memory_id for item in items) == (*ROUNDS, "S1:T2#picture1", "S1:T2#picture2")


def test_a_picture_is_an_item_with_its_file_its_turn_and_the_line_of_the_turn_with_it_alone(heard, drawn):
    boat = heard(drawn("red", "a red boat"), drawn("blue")).snapshot_memories()[2]
    assert (boat.image_id, boat.session_id, boat.turn_ids) == ("red", "S1", ("S1:T2",))
    assert boat.image_path.endswith("red.png")
    assert boat.text == "[2026-01-01 09:00] user: image:\nimage_id: red\nimage_caption: a red boat"


def test_a_picture_without_a_file_is_in_the_text_alone(heard):
    items = heard(Attachment(image_id="gone", caption="a red boat", missing=True)).snapshot_memories()
    assert tuple(item.memory_id for item in items) == ROUNDS
    assert "a red boat" in items[1].text


def test_the_delta_is_what_the_session_added(heard, drawn):
    adapter = heard()
    hear(adapter, turn(0, "Look.", drawn("red"), session_id="S2"))
    assert adapter.export_memory_delta("S2") == (
        MemoryChange(op="add", memory_id="S2:T0", text="[2026-01-01 09:00] user: Look.\n\nimage:\nimage_id: red"),
        MemoryChange(op="add", memory_id="S2:T0#picture1", text="[2026-01-01 09:00] user: image:\nimage_id: red"),
    )


def test_a_request_is_the_dialogue_from_which_the_model_was_trained_to_make_one_embedding(heard, server):
    heard(unit="turn")
    (body,) = [body for body in server.bodies if "My boat" in str(body)]
    assert body == {
        "model": "qwen3-vl-embedding",
        "messages": [
            {"role": "system", "content": [{"type": "text", "text": "Represent the user's input."}]},
            {"role": "user", "content": [{"type": "text", "text": "[2026-01-01 09:00] user: My boat."}]},
            {"role": "assistant", "content": [{"type": "text", "text": ""}]},
        ],
        "continue_final_message": True,
        "add_special_tokens": True,
        "encoding_format": "float",
    }


def test_instructions_are_options(heard, server):
    adapter = heard(document_prompt="Keep this.", query_prompt="Find this.")
    adapter.retrieve("Where?", 1, ())
    said = [body["messages"][0]["content"][0]["text"] for body in server.bodies]
    assert said == ["Keep this.", "Keep this.", "Find this."]


def test_pixels_are_sent_and_never_a_path(heard, server, drawn):
    red = drawn("red")
    heard(red)
    (content,) = [content for content in server.contents() if content[0]["type"] == "image_url"]
    head, _, data = content[0]["image_url"]["url"].partition(",")
    assert (head, len(content)) == ("data:image/png;base64", 1)
    assert base64.b64decode(data) == Path(red.path or "").read_bytes()
    assert str(red.path) not in json.dumps(server.bodies)


def test_a_large_picture_is_sent_scaled_down(heard, server, tmp_path):
    path = tmp_path / "large.bmp"
    Image.new("RGB", (3000, 2400), "red").save(path)
    assert path.stat().st_size > 20_000_000
    adapter = heard(Attachment(image_id="large", path=str(path)), longest_side=300)
    (content,) = [content for content in server.contents() if content[0]["type"] == "image_url"]
    data = base64.b64decode(content[0]["image_url"]["url"].partition(",")[2])
    assert Image.open(BytesIO(data)).size == (300, 240)
    assert len(adapter.snapshot_memories()) == 3


def test_a_picture_in_the_question_finds_the_picture_that_looks_like_it(heard, drawn):
    adapter = heard(drawn("red"), drawn("blue"), drawn("lime"))
    for colour, number in (("red", 1), ("blue", 2), ("lime", 3)):
        found = adapter.retrieve("", 1, (drawn(colour, name="asked"),))
        assert ids(found) == (f"S1:T2#picture{number}",)


def test_a_question_and_its_picture_are_one_request(heard, server, drawn):
    adapter = heard(drawn("red"))
    found = adapter.retrieve("Is this my boat?", 10, (drawn("red", "a red boat"),))
    assert [part["type"] for part in server.contents()[-1]] == ["image_url", "text"]
    assert server.contents()[-1][1]["text"] == "Is this my boat?"
    assert len(server.bodies) == 4
    assert found.trace == {"encoder": "messages:qwen3-vl-embedding/6000", "question_pictures": 1}


def test_texts_and_pictures_are_ranked_together(heard, drawn):
    found = heard(drawn("red")).retrieve("my boat", 10, ())
    assert set(ids(found)) == {*ROUNDS, "S1:T2#picture1"}
    assert ids(found)[0] == ROUNDS[0]
    scores = [item.score for item in found.items]
    assert scores == sorted(scores, reverse=True)


def test_pictures_may_have_a_share_of_what_is_found(heard, drawn):
    adapter = heard(drawn("red"), least_pictures=1)
    assert ids(adapter.retrieve("my boat", 2, ())) == (ROUNDS[0], "S1:T2#picture1")
    assert ids(heard(drawn("red")).retrieve("my boat", 2, ())) == ROUNDS


def test_without_captions_the_caption_is_returned_and_not_searched(heard, server, drawn):
    adapter = heard(drawn("red", "a secret"), captions=False)
    assert not any("secret" in text for text in server.texts())
    assert "a secret" in adapter.snapshot_memories()[1].text


def test_a_picture_that_cannot_be_read_is_counted_and_named_at_its_round(heard, broken, drawn):
    adapter = heard(broken, drawn("red"))
    first, second, red = adapter.snapshot_memories()
    assert red.image_id == "red"
    assert second.metadata["picture_errors"] == {"broken": "is no picture"}
    assert "picture_errors" not in first.metadata
    assert adapter.retrieve("boat", 1, ()).trace["unreadable_pictures"] == 1


def test_a_picture_of_a_question_that_cannot_be_read_is_asked_by_its_caption(heard, server, broken):
    query = whole_text("Where is this?", (broken,))
    found = heard().retrieve(query, 1, (broken,))
    assert server.contents()[-1] == [{"type": "text", "text": query}]
    assert query.count("a lost boat") == 1
    assert found.trace["question_picture_errors"] == {"broken": "is no picture"}


def test_a_picture_that_is_switched_off_is_asked_by_its_caption(heard, server):
    hidden = Attachment(image_id="hidden", caption="a boat")
    heard().retrieve(whole_text("Where is this?", (hidden,)), 1, (hidden,))
    assert server.contents()[-1] == [{"type": "text", "text": whole_text("Where is this?", (hidden,))}]


def test_an_empty_question_finds_nothing_and_asks_nobody(heard, server):
    adapter = heard()
    before = len(server.bodies)
    assert adapter.retrieve(" ", 5, (Attachment(image_id="hidden"),)).items == ()
    assert len(server.bodies) == before


@pytest.mark.parametrize(
    ("failure", "problem"),
    [
        ((500, {"error": {"message": "not now"}}), "status 500: not now"),
        ((429, {"error": {"message": "too many"}}), "status 429: too many"),
        ((400, {"error": {"message": "input is missing"}}), "input is missing .*sends `messages` with pictures"),
        ((200, b"<html>"), "the reply is no JSON object"),
        ((200, {"data": []}), "the reply does not hold one embedding"),
        ((200, {"data": [{"embedding": ["x"]}]}), "the reply does not hold one embedding"),
        ((200, {"data": [{"embedding": []}]}), "gave an array of shape"),
    ],
)
def test_a_session_that_cannot_be_embedded_fails_and_leaves_nothing(heard, server, drawn, failure, problem):
    adapter = heard()
    kept = adapter.snapshot_memories()
    server.failure = failure
    with pytest.raises(ModelError, match=problem):
        hear(adapter, turn(0, "Lost.", drawn("red"), session_id="S2"))
    assert adapter.snapshot_memories() == kept


def test_a_number_that_is_not_finite_is_refused(heard, server):
    adapter = heard()
    server.failure = (200, b'{"data": [{"embedding": [1e999, 1.0]}]}')
    with pytest.raises(ModelError):
        adapter.retrieve("boat", 1, ())


def test_vectors_of_another_length_than_before_are_refused(heard, server):
    adapter = heard()
    server.failure = (200, {"data": [{"embedding": [1.0, 2.0]}]})
    with pytest.raises(ValueError, match=f"a vector has 2 dimensions, those kept have {WORDS + 3}"):
        adapter.retrieve("boat", 1, ())


def test_what_was_embedded_before_is_not_embedded_again(heard, server, drawn, tmp_path):
    cache = str(tmp_path / "cache")
    heard(drawn("red"), cache=cache, captions=False)
    assert len(server.bodies) == 3
    heard(drawn("red", name="copy"), cache=cache, captions=False)
    assert len(server.bodies) == 3, "the same pixels in another file are the same picture"
    heard(drawn("blue", name="copy"), cache=cache, captions=False)
    assert len(server.bodies) == 4, "a file that changed is another picture"


def test_the_same_picture_twice_is_embedded_once_and_kept_twice(heard, server, drawn):
    adapter = heard(drawn("red"), drawn("red", name="again"))
    assert len(server.bodies) == 3
    assert len(adapter.snapshot_memories()) == 4


def test_a_text_longer_than_the_window_is_embedded_by_its_beginning_and_marked(server):
    adapter = Qwen3Vl(Qwen3VlOptions(window=20))
    adapter.reset(context(server))
    hear(adapter, turn(0, "word " * 500), turn(1, "Fine."), turn(2, "Short."))
    long, short = adapter.snapshot_memories()
    assert (long.metadata, short.metadata) == ({"embedded": "only its beginning"}, {})
    assert max(map(len, server.texts())) < 120


def test_reset_forgets_everything(heard, server, drawn):
    adapter = heard(drawn("red"))
    adapter.ingest_turn(turn(0, "Half a session.", drawn("blue"), session_id="S2"))
    adapter.reset(context(server))
    adapter.end_session("S3")
    assert adapter.snapshot_memories() == ()


def test_without_embeddings_reset_says_what_to_give():
    with pytest.raises(ModelError, match=r"--model embed=NAME.* or the folder of one with -o LABEL.encoder=FOLDER"):
        Qwen3Vl().reset(RunContext(folder="", namespace="test"))


def test_an_option_that_cannot_work_is_refused():
    with pytest.raises(UsageError, match="qwen3-vl: least_pictures=-1: give a whole number of at least 0"):
        Qwen3Vl(Qwen3VlOptions(least_pictures=-1))


def test_a_run_goes_through_the_gateway_pictures_included_and_is_counted(run_cli, tmp_path):
    pytest.importorskip("memarena_models", reason="memarena-models is not installed")
    from memarena.store import RunStore

    words = ["-d", "tiny", "-a", "qwen3-vl", "--model", "embed=offline", "--quiet", "--out", "run"]
    done = run_cli("run", *words, timeout=600)
    assert done.returncode == 0, done.stderr
    used = RunStore.open(tmp_path / "cli" / "run").usage()["qwen3-vl~tiny-work"]
    assert used["retrieve"].calls == 2
    assert used["write"].calls >= 3


def test_importing_the_adapter_loads_no_heavy_library():
    code = (
        "import sys, memarena_qwen3vl.adapter as one; one.Qwen3Vl();"
        "print(sorted({'numpy', 'torch', 'PIL', 'sentence_transformers', 'httpx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8")
    assert done.stdout == "[]\n"
