"""What is kept in which corpus, what is found in it, and what happens where something fails."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memarena.errors import ModelError, UsageError
from memarena.memory import whole_text
from memarena.records import Attachment, MemoryChange, RunContext, Turn
from memarena_universalrag.adapter import UniversalRag, UniversalRagOptions

BOAT = Attachment(image_id="S1_img_1", path="/p/boat.png", caption="a red boat")
CAR = Attachment(image_id="S1_img_2", path="/p/car.png", caption="a blue car")
BARE = Attachment(image_id="S1_img_3", path="/p/bare.png")


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


SAID = (turn(0, "My boat."), turn(1, "How nice."), turn(2, "And the car.", BOAT, CAR, BARE), turn(3, "I see both."))


def context(server) -> RunContext:
    return RunContext(folder="", namespace="test", embedding=server.endpoint(), model=server.endpoint())


@pytest.fixture
def heard(server):
    """`heard(option=value, ...)`: the adapter after the session SAID."""

    def make(**options) -> UniversalRag:
        adapter = UniversalRag(UniversalRagOptions(**options))
        adapter.reset(context(server))
        hear(adapter, *SAID)
        return adapter

    return make


def hear(adapter: UniversalRag, *turns: Turn) -> None:
    for said in turns:
        adapter.ingest_turn(said)
    adapter.end_session(turns[-1].session_id)


def ids(found) -> list[str]:
    return [item.memory_id for item in found.items]


def test_a_session_is_kept_as_rounds_as_a_whole_and_by_its_pictures(heard):
    assert [item.memory_id for item in heard().snapshot_memories()] == [
        "S1:T0+S1:T1",
        "S1:T2+S1:T3",
        "session:S1",
        "S1:T2#picture1",
        "S1:T2#picture2",
    ]


def test_turns_may_be_kept_alone_by_option(heard):
    items = heard(unit="turn").snapshot_memories()
    assert [item.memory_id for item in items][:4] == ["S1:T0", "S1:T1", "S1:T2", "S1:T3"]


def test_a_session_document_names_all_its_turns(heard):
    whole = heard().snapshot_memories()[2]
    assert whole.turn_ids == ("S1:T0", "S1:T1", "S1:T2", "S1:T3")
    assert whole.text.startswith("[2026-01-01 09:00] user: My boat.\n[2026-01-01 09:00] assistant: How nice.")


def test_a_picture_is_an_item_with_its_path_and_turn(heard):
    boat = heard().snapshot_memories()[3]
    assert (boat.image_id, boat.image_path, boat.turn_ids) == ("S1_img_1", "/p/boat.png", ("S1:T2",))
    assert boat.text == "[2026-01-01 09:00] user showed\nimage:\nimage_id: S1_img_1\nimage_caption: a red boat"


def test_the_delta_is_what_the_session_added(heard):
    adapter = heard()
    hear(adapter, turn(0, "Another day.", session_id="S2"))
    assert adapter.export_memory_delta("S2") == (
        MemoryChange(op="add", memory_id="S2:T0", text="[2026-01-01 09:00] user: Another day."),
        MemoryChange(op="add", memory_id="session:S2", text="[2026-01-01 09:00] user: Another day."),
    )


def test_a_question_is_searched_in_its_corpus_alone(heard):
    adapter = heard()
    asked = {"turn": "Where is the boat?", "session": "Give a summary.", "picture": "Which picture shows a blue car?"}
    found = {route: adapter.retrieve(question, 10, ()) for route, question in asked.items()}
    assert ids(found["turn"]) == ["S1:T0+S1:T1", "S1:T2+S1:T3"] or ids(found["turn"]) == ["S1:T2+S1:T3", "S1:T0+S1:T1"]
    assert ids(found["session"]) == ["session:S1"]
    assert ids(found["picture"]) == ["S1:T2#picture2", "S1:T2#picture1"]
    assert [found[route].trace["route"] for route in asked] == list(asked)


def test_a_greeting_looks_nothing_up(heard, server):
    adapter = heard()
    before = len(server.bodies)
    found = adapter.retrieve("Good morning!", 10, ())
    assert (ids(found), found.trace["route"]) == ([], "none")
    assert len(server.bodies) == before


def test_a_question_with_a_picture_is_asked_with_its_caption(heard, server):
    query = whole_text("Is this known?", (CAR,))
    found = heard().retrieve(query, 1, (CAR,))
    assert server.texts()[-1] == query
    assert ids(found) == ["S1:T2#picture2"]


def test_an_empty_corpus_leaves_the_question_to_the_turns(server):
    adapter = UniversalRag()
    adapter.reset(context(server))
    hear(adapter, turn(0, "A red boat."))
    found = adapter.retrieve("Which colour is the boat?", 5, ())
    assert ids(found) == ["S1:T0"]
    assert (found.trace["route"], found.trace["searched"]) == ("picture", "turn")


def test_a_session_is_embedded_in_one_request_and_its_pictures_in_another(heard, server):
    heard()
    assert [len(body["input"]) for body in server.bodies] == [3, 2]


def test_a_session_that_cannot_be_embedded_fails_and_leaves_nothing(heard, server):
    adapter = heard()
    kept = adapter.snapshot_memories()
    server.fail(500, {"error": {"message": "not now"}})
    with pytest.raises(ModelError, match="not now"):
        hear(adapter, turn(0, "Lost.", BOAT, session_id="S2"))
    assert adapter.snapshot_memories() == kept


def test_the_route_by_a_model_is_in_the_trace(heard, server):
    adapter = heard(router="model")
    server.said = "session"
    found = adapter.retrieve("Where is the boat?", 5, ())
    assert ids(found) == ["session:S1"]
    assert found.trace == {"route": "session", "router": "model", "reply": "session"}


def test_without_embeddings_reset_says_which_flag_to_give():
    with pytest.raises(ModelError, match="universalrag needs embeddings: name a model with --model embed=NAME"):
        UniversalRag().reset(RunContext(folder="", namespace="test"))


def test_capabilities_say_what_routes_and_what_sees():
    said = UniversalRag(UniversalRagOptions(router="model")).get_capabilities().versions
    assert (said["router"], said["pictures"]) == ("model", "by caption")


def test_a_picture_encoder_of_no_known_form_is_refused(server):
    with pytest.raises(UsageError, match="picture_encoder='clip' is not known: give sentence-transformers:"):
        UniversalRag(UniversalRagOptions(picture_encoder="clip")).reset(context(server))


def test_a_run_routes_through_the_gateway_and_is_counted(run_cli, tmp_path):
    pytest.importorskip("memarena_models", reason="memarena-models is not installed")
    from memarena.store import RunStore

    words = ["-d", "tiny", "-a", "universalrag", "-o", "universalrag.router=model", "--model", "offline", "--quiet"]
    done = run_cli("run", *words, "--out", "run", timeout=600)
    assert done.returncode == 0, done.stderr
    used = RunStore.open(tmp_path / "cli" / "run").usage()
    assert used["universalrag~tiny-work"]["write"].calls == 2
    assert used["universalrag~tiny-work"]["retrieve"].calls == 4


def test_importing_the_adapter_loads_no_heavy_library():
    code = (
        "import sys, memarena_universalrag.adapter as one; one.UniversalRag();"
        "print(sorted({'numpy', 'httpx', 'torch', 'PIL', 'sentence_transformers'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8")
    assert done.stdout == "[]\n"
