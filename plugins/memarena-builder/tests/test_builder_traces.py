"""From logs to samples with gold, by rules, by a model, and by what people say of them."""

from __future__ import annotations

import json

import pytest
from builder_logs import CHAT, import_chat, raw_of, run

from memarena.datasets import open_data
from memarena.errors import DataError, UsageError
from memarena_builder.probes.finished import finished
from memarena_builder.traces.pieces import Told, cut
from memarena_builder.traces.statements import Statement, by_session


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    return import_chat(tmp_path_factory.mktemp("traces"))


@pytest.fixture(scope="module")
def annotated(imported):
    out = imported.with_name("annotated")
    done = run("annotate", imported, "--out", out, "--questions", 20)
    assert done.exit_code == 0, done.output
    return out


def only(folder):
    opened = open_data(str(folder))
    (sample,) = opened
    assert opened.report.findings == []
    return sample


def test_an_import_keeps_every_turn_with_its_time(imported):
    sample = only(imported)
    assert [session.session_id for session in sample.sessions] == ["S00", "S01", "S02"]
    assert [turn.body for session in sample.sessions for turn in session.turns] == [row[2] for row in CHAT]
    assert sample.sessions[1].turns[0].time == "Mar 04, 2026, 09:00:00"


def test_pictures_are_taken_along_and_missing_ones_are_counted(tmp_path):
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    rows = [{"observation": f"Look {name}.", "action": "go", "image": name} for name in ("a.png", "b.png")]
    (tmp_path / "log.json").write_text(json.dumps(rows), encoding="utf-8")
    done = run("import", tmp_path / "log.json", "--out", tmp_path / "out")
    assert "2 pictures, 1 of them missing" in done.output
    assert (tmp_path / "out/agent/imported/images/log/S00_img_1.png").read_bytes().startswith(b"\x89PNG")


def test_gold_is_what_the_turns_state_revised_over_sessions(annotated):
    sample = only(annotated)
    points = [(point.kind, point.content, point.replaces) for session in sample.sessions for point in session.points]
    assert points == [
        ("new", "The user lives in Porto.", ()),
        ("new", "The budget is 400 euros.", ()),
        ("new", "The red folder is at: the attic.", ()),
        ("new", "The user's dentist is called Dr. Brown.", ()),
        ("update", "The budget is 650 euros.", ("The budget is 400 euros.",)),
        ("interference", "The red folder is at: the cellar.", ()),
        ("update", "The user lives in Lyon.", ("The user lives in Porto.",)),
        ("new", "The blue folder is at: the garage.", ()),
    ]


def test_two_purchases_of_one_day_are_told_apart_by_no_question_and_left_out(tmp_path):
    said = ["I bought a tent.", "I bought a stove.", "I bought a tent.", "I live in Porto."]
    times = [("a", "01T08"), ("a", "01T09"), ("b", "01T18"), ("b", "01T19"), ("c", "02T09")]
    rows = [
        {"session": name, "role": "user", "content": text, "timestamp": f"2026-03-{time}:00:00Z"}
        for (name, time), text in zip(times, [*said, "I bought a lamp."], strict=True)
    ]
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert run("import", tmp_path / "mine.jsonl", "--out", tmp_path / "set").exit_code == 0
    assert run("annotate", tmp_path / "set", "--out", tmp_path / "out").exit_code == 0
    points = [(point.kind, point.content) for session in only(tmp_path / "out").sessions for point in session.points]
    assert points == [
        ("new", "The user lives in Porto."),
        ("new", "The user told of having bought a lamp."),
    ]
    assert run("validate", tmp_path / "out").output.startswith("1 sample can be used; nothing odd")


def test_what_is_told_again_on_another_day_is_no_second_fact(tmp_path):
    rows = [
        {"session": name, "role": "user", "content": "I bought a tent.", "timestamp": f"2026-03-0{day}T09:00:00Z"}
        for day, name in enumerate("ab", 1)
    ]
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert run("import", tmp_path / "mine.jsonl", "--out", tmp_path / "set").exit_code == 0
    assert run("annotate", tmp_path / "set", "--out", tmp_path / "out").exit_code == 0
    first, second = only(tmp_path / "out").sessions
    assert [point.content for point in first.points] == ["The user told of having bought a tent."]
    assert second.points == ()


def test_questions_have_the_answers_of_their_checkpoint(annotated):
    asked = [(question.type, question.reference) for stop in only(annotated).checkpoints for question in stop.questions]
    assert {("FR", "Dr. Brown"), ("DU", "650 euros"), ("DU", "Lyon")} <= set(asked)
    assert {kind for kind, _ in asked} >= {"FR", "DU", "TR", "MC"} and len(asked) == 20


def test_what_was_annotated_is_checked_like_what_was_built(annotated):
    assert run("validate", annotated).output.startswith("1 sample can be used; nothing odd")
    assert "are as memarena-builder" in run("verify", annotated).output
    assert finished(annotated)[0].questions[0].answer


def test_a_folder_that_is_not_empty_is_left_alone(imported, annotated):
    for words in (
        ("import", annotated / "manifest.json", "--out", annotated),
        ("annotate", imported, "--out", annotated),
    ):
        assert isinstance(run(*words).exception, UsageError)


def test_a_folder_without_samples_is_a_person_s_mistake(tmp_path):
    assert isinstance(run("annotate", tmp_path, "--out", tmp_path / "out").exception, DataError)


def test_a_sample_in_which_nothing_is_said_plainly_is_named(tmp_path):
    (tmp_path / "mine.jsonl").write_text('{"role": "user", "content": "What is the time?"}', encoding="utf-8")
    assert run("import", tmp_path / "mine.jsonl", "--out", tmp_path / "set").exit_code == 0
    done = run("annotate", tmp_path / "set", "--out", tmp_path / "out")
    assert done.exit_code == 0 and "note: no points in 1 sample, e.g. mine: rules read" in done.output


def told(role: str, text: str) -> Told:
    return Told({"role": role, "content": text}, ())


def test_a_session_of_an_agent_ends_after_a_failure_and_before_a_new_instruction():
    look, act = told("user", "Observation: A door."), told("assistant", "Action: open()")
    fails = told("user", "Feedback: it failed, the door is locked.")
    pieces = list(cut([look, act, look, fails, look, act, look, act, told("user", "Now sweep."), look]))
    assert [len(piece) for piece in pieces] == [4, 4, 2]


def test_a_session_of_an_agent_is_not_endless():
    assert [len(piece) for piece in cut([told("assistant", "Action: go()")] * 40)] == [16, 16, 8]


def test_an_action_is_not_cut_off_from_its_feedback():
    act, back = told("assistant", "Action: go()"), told("environment", "Feedback to go(): done")
    pieces = list(cut([act, *[act, back] * 12]))
    assert [len(piece) for piece in pieces] == [17, 8] and pieces[1][0] is act


def test_a_session_of_an_agent_ends_where_the_state_of_something_changes():
    def door(state):
        text = f"Feedback: The door is {state}."
        return Told({"role": "user", "content": text}, (Statement("the door", "state", state, False),))

    act = told("assistant", "Action: go()")
    held = {}
    pieces = list(cut([act, door("shut"), act, door("shut"), act, door("open"), act, act], held))
    assert [len(piece) for piece in pieces] == [6, 2] and held == {("the door", "state"): "open"}
    assert [len(piece) for piece in cut([act, act, act, door("shut"), act], held)] == [4, 1]


def test_a_session_of_an_agent_ends_before_another_item_of_its_list():
    act, back = told("assistant", "Action: go()"), told("environment", "Feedback to go(): done")
    item = told("assistant", "Next.\nAction: TodoWrite(todos=[])")
    assert [len(piece) for piece in cut([act, back, act, back, item, back, act, back])] == [4, 4]


def asked_about(said, tmp_path):
    """All questions about a talk of which each session has one turn of note and some small talk."""
    rows = []
    for day, (name, text) in enumerate(said, 1):
        talk = [("Ana", "Hello."), ("Bo", "Hello."), ("Cy", "Hello."), (name, text), ("Ana", "Bye."), ("Bo", "Bye.")]
        rows += [
            {"session": f"{day}", "speaker": who, "text": words, "timestamp": f"2026-03-0{day}T09:0{minute}:00Z"}
            for minute, (who, words) in enumerate(talk)
        ]
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert run("import", tmp_path / "mine.jsonl", "--out", tmp_path / "set").exit_code == 0
    assert run("annotate", tmp_path / "set", "--out", tmp_path / "out", "--questions", 60).exit_code == 0
    return [one for stop in only(tmp_path / "out").checkpoints for one in stop.questions]


def test_somebody_s_only_purchase_needs_no_day_to_be_asked_for(tmp_path):
    bought, visited = ("Ana", "I bought a tent."), ("Ana", "I visited Rome.")
    asked = asked_about([bought, visited, ("Bo", "I bought a stove."), ("Ana", "I visited Oslo.")], tmp_path)
    texts = {answer: [one.text for one in asked if one.reference == answer] for answer in ("a tent", "Rome")}
    assert texts["a tent"] and all("2026" not in text for text in texts["a tent"])
    assert texts["Rome"] and all("March 2, 2026" in text for text in texts["Rome"])
    assert {one.reference for one in asked if one.type == "TR"} == {"what Ana told of having bought"}


def test_nobody_is_asked_for_what_was_told_in_words_that_rules_do_not_read(tmp_path):
    """Bo bought and made something, too; only of Cy nothing of that kind was told."""
    said = [
        ("Ana", "I bought a tent."), ("Bo", "Look what I bought!"), ("Ana", "I painted a sunset."),
        ("Bo", "My kids and I have made this window. I adopted a cat."), ("Cy", "I met some old friends."),
        ("Bo", "I'm thinking of doing it."), ("Ana", "I'm thinking of going camping."),
    ]  # fmt: skip
    asked = [one for one in asked_about(said, tmp_path) if one.type == "MB"]
    of_works = [one.text for one in asked if any(word in one.text for word in ("bought", "made", "thinking"))]
    assert of_works and all("Cy" in text for text in of_works)


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda raw: raw.update(sample_id="../../x"), "$.sample_id: does not fit the JSON Schema"),
        (lambda raw: raw.update(sessions=3), "does not fit the JSON Schema"),
        (lambda raw: raw["sessions"][0]["dialogue"][0].pop("content"), "does not fit the JSON Schema"),
        (lambda raw: raw["sessions"][0]["dialogue"][1].pop("timestamp"), "turn 1 of session S00 has no time"),
        (lambda raw: raw["sessions"][0]["dialogue"][1].update(timestamp="some day"), "turn 1 of session S00"),
        (lambda raw: raw.update(sessions=[]), "$.sessions: does not fit the JSON Schema"),
    ],
)
def test_a_sample_that_cannot_be_annotated_is_named_with_what_is_wrong(imported, tmp_path, spoil, problem):
    raw = raw_of(imported)
    spoil(raw)
    path = tmp_path / "set" / "lifelong" / "x.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(raw), encoding="utf-8")
    raised = run("annotate", tmp_path / "set", "--out", tmp_path / "out").exception
    assert isinstance(raised, DataError) and problem in str(raised) and str(path) in str(raised)
    assert not (tmp_path / "x.jsonl").exists() and not (tmp_path / "out" / "manifest.json").exists()


def test_what_is_no_json_and_an_id_that_comes_twice_are_named(imported, tmp_path):
    folder = tmp_path / "set" / "lifelong"
    folder.mkdir(parents=True)
    for name in ("a.json", "b.json"):
        (folder / name).write_text(json.dumps(raw_of(imported)), encoding="utf-8")
    raised = run("annotate", tmp_path / "set", "--out", tmp_path / "out").exception
    assert isinstance(raised, DataError) and "b.json" in str(raised) and "has the id of" in str(raised)
    (folder / "b.json").write_text("{bad", encoding="utf-8")
    assert isinstance(run("annotate", tmp_path / "set", "--out", tmp_path / "out").exception, DataError)


def test_times_of_other_programs_and_titles_of_sessions_are_kept(imported, tmp_path):
    raw = raw_of(imported)
    raw["sessions"][0]["title"] = "Moving"
    for number, turn in enumerate(raw["sessions"][0]["dialogue"]):
        turn["timestamp"] = f"2026-03-01T09:0{number}:00+00:00"
    folder = tmp_path / "set" / "lifelong"
    folder.mkdir(parents=True)
    (folder / "x.json").write_text(json.dumps(raw), encoding="utf-8")
    assert run("annotate", tmp_path / "set", "--out", tmp_path / "out").exit_code == 0
    session = raw_of(tmp_path / "out")["sessions"][0]
    assert session["title"] == "Moving" and session["memory_points"][0]["timestamp"] == "Mar 01, 2026, 09:00:00"


def test_links_among_the_pictures_of_a_sample_lead_nowhere_else(imported, tmp_path):
    (tmp_path / "secret.png").write_bytes(b"secret")
    folder = tmp_path / "set" / "lifelong"
    (folder / "images" / "x").mkdir(parents=True)
    (folder / "images" / "x" / "S00_img_1.png").symlink_to(tmp_path / "secret.png")
    (folder / "x.json").write_text(json.dumps(raw_of(imported)), encoding="utf-8")
    assert run("annotate", tmp_path / "set", "--out", tmp_path / "out").exit_code == 0
    assert not list((tmp_path / "out").rglob("*.png"))


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("The budget is 400 euros.", [("the budget", "state", "400 euros", False)]),
        ("By the way, the key is under the mat.", [("the key", "location", "the mat", False)]),
        ("I have moved to Lyon!", [("the user", "residence", "Lyon", False)]),
        ("Maybe the key is in the car.", [("the key", "location", "the car", True)]),
        ("status: failed\nexit code: 1", [("status", "entry", "failed", False), ("exit code", "entry", "1", False)]),
        ("Is the budget 400 euros? It is late. Action: open()", []),
        ("Feedback: The door is now open.", [("the door", "state", "open", False)]),
    ],
)
def test_plain_statements_are_read(text, stated):
    (found,) = by_session([("user", text)])
    assert [tuple(each) for each in found] == stated
