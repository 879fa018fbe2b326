"""From logs to samples with gold, by rules, by a model, and by what people say of them."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner

from memarena.cli import cli
from memarena.datasets import open_data
from memarena.errors import DataError, UsageError
from memarena_builder.probes.finished import finished
from memarena_builder.traces.annotate import Told, cut
from memarena_builder.traces.model import TRIES, ModelReader
from memarena_builder.traces.review import Decision, Review, agreements, apply, kappa, review_page, settle
from memarena_builder.traces.statements import Statement, by_session

CHAT = [
    ("a", "user", "Hello. I live in Porto. The budget is 400 euros.", "2026-03-01T09:00:00Z"),
    ("a", "assistant", "Noted.", "2026-03-01T09:01:00Z"),
    ("a", "user", "The red folder is in the attic. My dentist is Dr. Brown.", "2026-03-01T09:02:00Z"),
    ("b", "user", "The budget is now 650 euros. Maybe the red folder is in the cellar.", "2026-03-04T09:00:00Z"),
    ("b", "assistant", "I see.", "2026-03-04T09:01:00Z"),
    ("c", "user", "I moved to Lyon. The blue folder is in the garage.", "2026-03-09T09:00:00Z"),
]


def run(*words: object):
    return CliRunner().invoke(cli, ["data", *map(str, words)])


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    root = tmp_path_factory.mktemp("traces")
    log = root / "mine.jsonl"
    keys = ("session", "role", "content", "timestamp")
    log.write_text("\n".join(json.dumps(dict(zip(keys, row, strict=True))) for row in CHAT), encoding="utf-8")
    assert run("import", log, "--out", root / "set").exit_code == 0
    return root / "set"


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


def test_questions_have_the_answers_of_their_checkpoint(annotated):
    asked = [(question.type, question.reference) for stop in only(annotated).checkpoints for question in stop.questions]
    assert {("FR", "Dr. Brown"), ("DU", "650 euros"), ("DU", "Lyon")} <= set(asked)
    assert {kind for kind, _ in asked} >= {"FR", "DU", "TR", "MC"} and len(asked) == 20


def test_what_was_annotated_is_checked_like_what_was_built(annotated):
    assert run("validate", annotated).output.startswith("1 samples can be used; nothing odd")
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
    assert done.exit_code == 0 and "note: 1 samples have no points, e.g. mine: rules read" in done.output


def told(role: str, text: str) -> Told:
    return Told({"role": role, "content": text}, ())


def test_a_session_of_an_agent_ends_after_a_failure_and_before_a_new_instruction():
    look, act = told("user", "Observation: A door."), told("assistant", "Action: open()")
    fails = told("user", "Feedback: it failed, the door is locked.")
    pieces = list(cut([look, act, look, fails, look, act, look, act, told("user", "Now sweep."), look]))
    assert [len(piece) for piece in pieces] == [4, 4, 2]


def test_a_session_of_an_agent_is_not_endless():
    assert [len(piece) for piece in cut([told("assistant", "Action: go()")] * 40)] == [16, 16, 8]


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


def fact(**more):
    return {"turn": 0, "subject": "the key", "relation": "location", "value": "the attic", **more}


def test_a_model_is_told_what_does_not_stand_in_its_turn_and_asked_again():
    heard = []
    replies = iter([json.dumps({"facts": [fact(value="the roof")]}), "So: " + json.dumps({"facts": [fact()]})])

    def ask(messages):
        heard.append(messages[-1]["content"])
        return next(replies)

    reader = ModelReader(ask)
    assert reader([("user", "The key is in the attic.")]) == [[Statement("the key", "location", "the attic", False)]]
    assert "the roof" in heard[1] and reader.dropped == 0


def test_after_three_tries_what_does_not_stand_there_is_left_out():
    asked = []

    def ask(messages):
        asked.append(1)
        return json.dumps({"facts": [fact(), fact(turn=9)]})

    reader = ModelReader(ask)
    assert len(reader([("user", "The key is in the attic.")])[0]) == 1
    assert (len(asked), reader.dropped) == (TRIES, 1)


def test_a_model_hears_what_it_named_before():
    heard = []

    def ask(messages):
        heard.append(messages[1]["content"])
        return json.dumps({"facts": [fact()]})

    reader = ModelReader(ask)
    for _ in range(2):
        reader([("user", "The key is in the attic.")])
    assert "Known so far: nothing" in heard[0] and "the key / location" in heard[1]


def test_the_model_offline_reads_as_the_rules_do(imported, annotated, tmp_path):
    pytest.importorskip("memarena_models")
    done = run("annotate", imported, "--out", tmp_path / "out", "--questions", 20, "--model", "offline")
    assert done.exit_code == 0, done.output
    assert raw_of(tmp_path / "out") == raw_of(annotated)


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.units: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if "unit" in (found.get("class") or ""):
            self.units.append(found["id"])


def raw_of(folder):
    return json.loads(next((folder / "lifelong").rglob("*.json")).read_text("utf-8"))


def test_the_page_has_every_point_and_question_and_escapes_them(annotated):
    raw = raw_of(annotated)
    raw["qa_checkpoints"][0]["questions"][0]["question"] = "<script>alert(1)</script>?"
    text = review_page("mine", [raw])
    found = Page(text).units
    questions = sum(len(stop["questions"]) for stop in raw["qa_checkpoints"])
    assert len(found) == len(set(found)) == 8 + questions and "mine/mp_S00_1" in found and "mine/QA00:Q001" in found
    assert "<script>alert" not in text


def reviews(*verdicts: str) -> Review:
    return Review(
        reviewer=verdicts[0],
        decisions={f"u{number}": Decision(verdict=each) for number, each in enumerate(verdicts[1:])},
    )


def test_agreement_is_told_for_every_two_people():
    one = reviews("Ada", "accept", "accept", "reject", "reject")
    other = reviews("Ben", "accept", "reject", "reject", "reject")
    (found,) = agreements([one, other])
    assert (found.one, found.other, found.units, found.same) == ("Ada", "Ben", 4, 0.75)
    assert found.kappa == pytest.approx((0.75 - 0.5) / 0.5)


def test_where_chance_alone_agrees_on_all_there_is_no_kappa():
    assert kappa([("accept", "accept")] * 3) is None and kappa([]) is None


def test_most_people_decide_and_where_there_is_no_most_nothing_is_changed():
    given = [reviews("Ada", "accept", "reject"), reviews("Ben", "reject", "reject"), reviews("Eve", "edit", "accept")]
    assert {name: each.verdict for name, each in settle(given).items()} == {"u1": "reject"}


def test_a_rejected_point_takes_the_questions_with_it_that_rest_on_it(annotated):
    raw = raw_of(annotated)
    made = apply(raw, {"mine/mp_S00_4": Decision(verdict="reject")})
    contents = [point["memory_content"] for point in made["sessions"][0]["memory_points"]]
    assert "The user's dentist is called Dr. Brown." not in contents and len(contents) == 3
    answers = [question["answer"] for stop in made["qa_checkpoints"] for question in stop["questions"]]
    assert "Dr. Brown" not in answers and len(answers) < 20


def test_an_edited_question_has_its_new_words_and_answer(annotated):
    edit = Decision(verdict="edit", text="Who looks after the teeth?", answer="Doctor Brown")
    made = apply(raw_of(annotated), {"mine/QA00:Q001": edit})
    first = made["qa_checkpoints"][0]["questions"][0]
    assert (first["question"], first["answer"]) == ("Who looks after the teeth?", "Doctor Brown")


def test_the_command_writes_the_page_applies_what_was_saved_and_says_how_far_people_agree(annotated, tmp_path):
    page = tmp_path / "page.html"
    assert run("review", annotated, "--page", page).exit_code == 0 and "mp_S00_1" in page.read_text("utf-8")
    saved = []
    for name, verdict in (("Ada", "reject"), ("Ben", "reject")):
        decisions = {"mine/mp_S00_4": {"verdict": verdict}, "mine/mp_S00_1": {"verdict": "accept"}}
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({"reviewer": name, "decisions": decisions}), encoding="utf-8")
        saved += ["--apply", path]
    done = run("review", annotated, *saved, "--out", tmp_path / "out")
    assert "Ada and Ben: 2 units, same 100.0%, Cohen's kappa 1.000" in done.output
    assert "2 units decided, 0 without a majority" in done.output
    assert len(only(tmp_path / "out").sessions[0].points) == 3


def test_what_is_no_saved_review_is_named(annotated, tmp_path):
    (tmp_path / "x.json").write_text("[]", encoding="utf-8")
    assert isinstance(run("review", annotated, "--apply", tmp_path / "x.json").exception, DataError)
