"""A model reads traces: what it is asked, what of its replies holds, and what is said of the rest."""

from __future__ import annotations

import json

import pytest
from builder_logs import import_chat, raw_of, run

from memarena.datasets import open_data
from memarena.errors import UsageError
from memarena.testing.model_server import serving_model
from memarena_builder.traces.model import TRIES, TURNS, ModelReader
from memarena_builder.traces.statements import Statement


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    return import_chat(tmp_path_factory.mktemp("model"))


def points_of(folder):
    (sample,) = open_data(str(folder))
    return [point.content for session in sample.sessions for point in session.points]


def fact(**more):
    return {"turn": 0, "subject": "the key", "relation": "location", "value": "the attic", **more}


def test_a_model_is_told_what_does_not_stand_in_its_turn_and_asked_again():
    heard = []
    replies = iter([json.dumps({"facts": [fact(value="the roof")]}), "So: " + json.dumps({"facts": [fact()]})])

    def ask(messages):
        heard.append(messages[-1]["content"])
        return next(replies)

    reader = ModelReader(ask)
    assert reader([("user", "The key is in the attic.")]) == [(Statement("the key", "location", "the attic", False),)]
    assert "the roof" in heard[1] and reader.dropped == 0


def test_after_three_tries_what_does_not_stand_there_is_left_out():
    asked = []

    def ask(messages):
        asked.append(1)
        return json.dumps({"facts": [fact(), fact(turn=9)]})

    reader = ModelReader(ask)
    assert len(reader([("user", "The key is in the attic.")])[0]) == 1
    assert (len(asked), reader.dropped) == (TRIES, 1)


def test_what_a_model_got_right_before_is_kept():
    replies = iter([json.dumps({"facts": [fact(), fact(turn=9)]}), json.dumps({"facts": [fact(value="x")]}), "no JSON"])
    reader = ModelReader(lambda messages: next(replies))
    assert reader([("user", "The key is in the attic.")]) == [(Statement("the key", "location", "the attic", False),)]


def annotated_by(server, imported, tmp_path):
    settings = tmp_path / "models.toml"
    settings.write_text(f'[upstreams.local]\nbase_url = "{server.url}"\n', encoding="utf-8")
    words = ("annotate", imported, "--out", tmp_path / "out", "--questions", 9, "--model", "tiny-model")
    return run(*words, "--gateway", settings)


def test_a_served_model_is_asked_once_a_session_and_again_where_it_made_something_up(imported, tmp_path):
    pytest.importorskip("memarena_models")
    with serving_model() as server:
        home = {"subject": "the user", "relation": "residence"}
        server.script = [
            json.dumps({"facts": [fact(**home, value="Porto"), fact(value="the moon")]}),
            json.dumps({"facts": [fact(**home, value="Porto"), fact(subject="the red folder", turn=2)]}),
            json.dumps({"facts": []}),
            "```json\n" + json.dumps({"facts": [fact(**home, value="Lyon")]}) + "\n```",
        ]
        done = annotated_by(server, imported, tmp_path)
        assert done.exit_code == 0, done.output
        asked = [body["messages"] for body in server.chats]
    assert [len(messages) for messages in asked] == [2, 4, 2, 2]
    assert "the moon" in asked[1][-1]["content"] and "the user / residence" in asked[3][1]["content"]
    assert points_of(tmp_path / "out") == [
        "The user lives in Porto.",
        "The red folder is at: the attic.",
        "The user lives in Lyon.",
    ]


def test_a_served_model_that_fails_is_a_person_s_mistake(imported, tmp_path):
    pytest.importorskip("memarena_models")
    with serving_model() as server:
        server.refuse = lambda kind, body: 401
        done = annotated_by(server, imported, tmp_path)
    assert isinstance(done.exception, UsageError) and "--model tiny-model" in str(done.exception)


@pytest.mark.parametrize(
    ("role", "spoilt"),
    [
        ("user", {"relation": "{S} {0}"}),
        ("user", {"relation": ""}),
        ("user", {"subject": ""}),
        ("user", {"value": ""}),
        ("user", {"turn": -1}),
        ("user", {"value": "the attic " * 20}),
        ("assistant", {"subject": "the user", "value": "Porto"}),
        ("assistant", {"subject": "the user's key", "value": "the attic"}),
    ],
)
def test_a_fact_that_cannot_be_one_is_left_out_whatever_the_model_insists(role, spoilt):
    reader = ModelReader(lambda messages: json.dumps({"facts": [fact(**spoilt)]}))
    text = "The key is in the attic, my key. I live in Porto. " + "the attic " * 20
    assert reader([(role, text)]) == [()] and (reader.dropped, reader.unread) == (1, 0)
    assert "1 facts of the model did not stand" in next(reader.lines())


def test_a_model_that_never_replies_with_facts_is_told_of():
    reader = ModelReader(lambda messages: "I will not.")
    assert reader([("user", "x")]) == [()] and (reader.dropped, reader.unread) == (0, 1)
    assert "1 pieces of sessions had no reply" in next(reader.lines())


def test_a_long_session_is_read_in_pieces_and_every_turn_keeps_its_place():
    asked = []

    def ask(messages):
        turns = json.loads(messages[1]["content"].partition(TURNS)[2])
        asked.append(len(turns))
        found = [fact(turn=each["turn"], value=each["text"].split()[-1]) for each in turns]
        return json.dumps({"facts": found})

    turns = [("user", "x" * 6000 + f" the key {number}") for number in range(7)]
    found = ModelReader(ask)(turns)
    assert asked == [3, 3, 1] and [stated[0].value for stated in found] == [str(number) for number in range(7)]


def test_a_model_hears_what_it_named_before():
    heard = []

    def ask(messages):
        heard.append(messages[1]["content"])
        return json.dumps({"facts": [fact()]})

    reader = ModelReader(ask)
    for _ in range(2):
        reader([("user", "The key is in the attic.")])
    assert "Known so far: nothing" in heard[0] and "the key / location" in heard[1]


def test_the_model_offline_reads_as_the_rules_do(imported, tmp_path):
    pytest.importorskip("memarena_models")
    assert run("annotate", imported, "--out", tmp_path / "rules", "--questions", 20).exit_code == 0
    done = run("annotate", imported, "--out", tmp_path / "out", "--questions", 20, "--model", "offline")
    assert done.exit_code == 0, done.output
    assert raw_of(tmp_path / "out") == raw_of(tmp_path / "rules")
