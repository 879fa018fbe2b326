"""The page on which people review gold, what they decide on it, and what becomes of it."""

from __future__ import annotations

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner

from memarena.cli import cli
from memarena.datasets import open_data
from memarena.errors import DataError, UsageError
from memarena_builder.agentic.desk.browser import PROGRAMS
from memarena_builder.traces.folder import prints_of
from memarena_builder.traces.review import Decision, Review, agreements, apply, kappa, of_units, settle, units
from memarena_builder.traces.reviewpage import review_page

CHROMIUM = os.environ.get("MEMARENA_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)
TURNS = [
    ("a", "Hello. I live in Porto. The budget is 400 euros."),
    ("a", "The red folder is in the attic. My dentist is Dr. Brown."),
    ("b", "The budget is now 650 euros. <img src=x onerror='window.seen=1'></textarea><script>window.seen=2</script>"),
    ("c", 'I moved to Lyon. The blue folder is in the "><script>window.seen=3</script>garage.'),
]


def run(*words: object):
    return CliRunner().invoke(cli, ["data", *map(str, words)])


@pytest.fixture(scope="module")
def annotated(tmp_path_factory):
    root = tmp_path_factory.mktemp("review")
    rows = [
        {"session": name, "role": "user", "content": text, "timestamp": f"2026-03-0{number}T09:00:00Z"}
        for number, (name, text) in enumerate(TURNS, 1)
    ]
    (root / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert run("import", root / "mine.jsonl", "--out", root / "set").exit_code == 0
    assert run("annotate", root / "set", "--out", root / "gold", "--questions", 20).exit_code == 0
    return root / "gold"


def path_of(folder):
    return next((folder / "lifelong").rglob("*.json"))


def raw_of(folder):
    return json.loads(path_of(folder).read_text("utf-8"))


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.units: list[str] = []
        self.pictures: list[str] = []
        self.scripts = 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.scripts += tag == "script"
        if "unit" in (found.get("class") or ""):
            self.units.append(found["id"])
        if tag == "img":
            self.pictures.append(found["src"])


def test_the_page_has_every_point_and_question_and_escapes_them(annotated, tmp_path):
    raw = raw_of(annotated)
    raw["qa_checkpoints"][0]["questions"][0]["question"] = "<script>alert(1)</script>?"
    raw["sessions"][0]["title"] = "<script>alert(1)</script>"
    text = review_page("<script>mine", [(path_of(annotated), raw)], tmp_path / "page.html")
    found = Page(text)
    assert found.units == [unit.name for unit in units(raw)] and len(set(found.units)) == len(found.units)
    assert "mine/mp_S00_1" in found.units and "mine/QA00:Q001" in found.units
    assert found.scripts == 1 and "<script>alert" not in text and "window.seen=2</script>" not in text


def test_a_question_shows_what_it_rests_on_and_a_point_what_it_replaces(annotated, tmp_path):
    text = review_page("mine", [(path_of(annotated), raw_of(annotated))], tmp_path / "page.html")
    assert "in place of: The budget is 400 euros." in text and "rests on: The user lives in Lyon." in text


def test_pictures_are_shown_from_beside_the_sample_and_from_nowhere_else(annotated, tmp_path):
    raw, folder = raw_of(annotated), tmp_path / "a b" / "lifelong"
    (folder / "images").mkdir(parents=True)
    for name in ("images/1.png", "../secret.png", "images/page.html"):
        (folder / name).write_bytes(b"x")
    attached = [
        {"image_id": "i", "caption": "<b>", "file_path": name}
        for name in ("images/1.png", "../secret.png", "images/gone.png", "images/page.html", "/etc/hosts")
    ]
    raw["sessions"][0]["dialogue"][0]["attachments"] = attached
    found = Page(review_page("mine", [(folder / "x.json", raw)], tmp_path / "page.html"))
    assert found.pictures == ["a%20b/lifelong/images/1.png"]


def reviews(*verdicts: str) -> Review:
    return Review(
        reviewer=verdicts[0],
        decisions={f"u{number}": Decision(verdict=each, text="x") for number, each in enumerate(verdicts[1:])},
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


def test_two_edits_agree_where_they_have_the_same_words():
    def edit(name, text):
        return Review(reviewer=name, decisions={"u": Decision(verdict="edit", text=text)})

    assert settle([edit("Ada", "x"), edit("Ben", "y")]) == {}
    assert settle([edit("Ada", "x"), edit("Ben", " x "), edit("Eve", "y")])["u"].text == "x"


def test_a_rejected_point_takes_the_questions_with_it_that_rest_on_it(annotated):
    raw = raw_of(annotated)
    made = apply(raw, {"mine/mp_S00_4": Decision(verdict="reject")})
    contents = [point["memory_content"] for point in made["sessions"][0]["memory_points"]]
    assert "The user's dentist is called Dr. Brown." not in contents and len(contents) == 3
    answers = [question["answer"] for stop in made["qa_checkpoints"] for question in stop["questions"]]
    assert "Dr. Brown" not in answers and "Dr. Brown" in str(raw["qa_checkpoints"])


def updates(sample):
    points = [unit.row for unit in units(sample) if unit.is_point]
    return {each["memory_content"]: (each["is_update"], each["original_memories"]) for each in points}


def test_a_question_stays_as_long_as_a_set_of_its_evidence_is_left(annotated):
    raw = raw_of(annotated)
    names = [f"mp_S00_{number}" for number in (1, 2, 3)]
    asked = next(each for each in raw["qa_checkpoints"][0]["questions"] if each["evidence"])
    first, second, third = ([{"memory_id": name}] for name in names)
    asked["evidence"], asked["evidence_alternatives"] = first, [second, third]
    raw["qa_checkpoints"] = [{**raw["qa_checkpoints"][0], "questions": [asked]}]

    def left(*rejected):
        made = apply(raw, {f"mine/{name}": Decision(verdict="reject") for name in rejected})
        return [
            (each["evidence"], each["evidence_alternatives"])
            for stop in made["qa_checkpoints"]
            for each in stop["questions"]
        ]

    assert left() == [(first, [second, third])]
    assert left(names[1]) == [(first, [third])]
    assert left(names[0]) == [(second, [third])]
    assert left(*names[:2]) == [(third, [])]
    assert left(*names) == []


def test_a_point_that_replaces_a_rejected_one_is_no_update_any_more(annotated):
    made = apply(raw_of(annotated), {"mine/mp_S00_2": Decision(verdict="reject")})
    assert updates(made)["The budget is 650 euros."] == ("False", [])


def test_a_point_that_replaces_an_edited_one_has_its_new_words(annotated):
    edit = Decision(verdict="edit", text="The budget is 450 euros.")
    made = apply(raw_of(annotated), {"mine/mp_S00_2": edit})
    assert updates(made)["The budget is 650 euros."] == ("True", ["The budget is 450 euros."])


def test_an_edited_question_has_its_new_words_and_answer(annotated):
    edit = Decision(verdict="edit", text="Who looks after the teeth?", answer="Doctor Brown")
    made = apply(raw_of(annotated), {"mine/QA00:Q001": edit})
    first = made["qa_checkpoints"][0]["questions"][0]
    assert (first["question"], first["answer"]) == ("Who looks after the teeth?", "Doctor Brown")


def test_decisions_of_what_is_not_there_or_says_something_else_are_left_out(annotated):
    prints = prints_of(annotated)
    name = "mine/mp_S00_1"
    given = Review(
        reviewer="Ada",
        decisions={
            name: Decision(verdict="accept", of=prints[name]),
            "mine/mp_S00_2": Decision(verdict="reject", of="another"),
            "mine/mp_S99_9": Decision(verdict="reject"),
        },
    )
    known = of_units([given], prints)
    assert list(known.reviews[0].decisions) == [name] and (known.elsewhere, known.outdated) == (1, 1)


@pytest.fixture
def saved(tmp_path):
    def write(name, decisions, reviewer=None):
        path = tmp_path / f"{name}.json"
        held = {"reviewer": name if reviewer is None else reviewer, "decisions": decisions}
        path.write_text(json.dumps(held), encoding="utf-8")
        return path

    return write


def test_the_command_writes_the_page_applies_what_was_saved_and_says_how_far_people_agree(annotated, tmp_path, saved):
    page = tmp_path / "page.html"
    assert run("review", annotated, "--page", page).exit_code == 0 and "mp_S00_1" in page.read_text("utf-8")
    decided = {
        "mine/mp_S00_4": {"verdict": "reject"},
        "mine/mp_S00_1": {"verdict": "accept"},
        "x": {"verdict": "reject"},
    }
    words = [part for name in ("Ada", "Ben") for part in ("--apply", saved(name, decided))]
    done = run("review", annotated, *words, "--out", tmp_path / "out")
    assert "Ada and Ben: 2 units, same 100.0%, Cohen's kappa 1.000" in done.output
    assert "2 units decided, 0 without a majority" in done.output
    assert "2 decisions of what is not in" in done.output
    opened = open_data(str(tmp_path / "out"))
    (sample,) = opened
    assert opened.report.findings == [] and len(sample.sessions[0].points) == 3
    assert "reviewed by Ada and Ben" in (tmp_path / "out" / "manifest.json").read_text("utf-8")
    assert (
        not (tmp_path / "out" / "hidden").exists() and "as memarena-builder" in run("verify", tmp_path / "out").output
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[]", "is no saved review"),
        ("{", "is no saved review"),
        ('{"decisions": {"x": {"verdict": "maybe"}}}', "is no saved review"),
        ('{"decisions": {"mine/mp_S00_1": {"verdict": "edit", "text": " "}}}', "an edit has no words"),
        ('{"decisions": {"other/mp_S00_1": {"verdict": "accept"}}}', "no decision is of a point"),
        ('{"decisions": {}}', "no decision is of a point"),
    ],
)
def test_what_is_no_saved_review_is_named(annotated, tmp_path, text, problem):
    (tmp_path / "x.json").write_text(text, encoding="utf-8")
    raised = run("review", annotated, "--apply", tmp_path / "x.json", "--out", tmp_path / "out").exception
    assert isinstance(raised, DataError) and problem in str(raised) and not (tmp_path / "out").exists()


def test_two_files_of_one_person_are_refused(annotated, saved):
    one = saved("a", {"mine/mp_S00_1": {"verdict": "accept"}}, "Ada")
    other = saved("b", {"mine/mp_S00_1": {"verdict": "reject"}}, "Ada")
    raised = run("review", annotated, "--apply", one, "--apply", other).exception
    assert isinstance(raised, DataError) and "last file of each person" in str(raised)


@pytest.mark.parametrize("words", [(), ("--out", "x"), ("--page", "no/such/folder/x.html")])
def test_what_the_flags_cannot_mean_is_said(annotated, words):
    assert isinstance(run("review", annotated, *words).exception, UsageError)


def decides_saves_and_goes_on(annotated, tmp_path, browser):
    page = tmp_path / "page.html"
    assert run("review", annotated, "--page", page).exit_code == 0
    view = browser.new_context(accept_downloads=True).new_page()
    faults: list[str] = []
    view.on("pageerror", lambda error: faults.append(str(error)))
    view.goto(page.as_uri())
    state, all_units = view.locator("#state"), view.locator(".unit")
    total = all_units.count()
    view.keyboard.press("n")
    view.keyboard.press("a")
    view.keyboard.press("n")
    view.keyboard.press("e")
    view.keyboard.press("Control+a")
    view.keyboard.type("The budget is 500 euros, near enough.")
    all_units.nth(2).get_by_label("reject").check()
    all_units.nth(3).get_by_label("accept").check()
    all_units.nth(3).get_by_label("undecided").check()
    assert state.inner_text() == f"3 of {total}"
    view.locator("#save").click()
    assert state.inner_text().endswith("say who you are")
    view.locator("#reviewer").fill("Ana Lú")
    with view.expect_download() as started:
        view.locator("#save").click()
    assert started.value.suggested_filename == "review-Ana-Lú.json"
    kept = tmp_path / "saved.json"
    started.value.save_as(kept)
    given = json.loads(kept.read_text("utf-8"))
    assert given["reviewer"] == "Ana Lú"
    assert {name: each["verdict"] for name, each in given["decisions"].items()} == {
        "mine/mp_S00_1": "accept",
        "mine/mp_S00_2": "edit",
        "mine/mp_S00_3": "reject",
    }
    assert given["decisions"]["mine/mp_S00_2"]["text"] == "The budget is 500 euros, near enough."
    view.reload()
    assert state.inner_text() == f"3 of {total}" and "accept" in all_units.nth(0).get_attribute("class")
    other = browser.new_context().new_page()
    other.goto(page.as_uri())
    assert other.locator("#state").inner_text() == f"0 of {total}"
    other.locator("#open").set_input_files(kept)
    other.wait_for_function("document.getElementById('state').textContent.startsWith('3 of')")
    assert view.evaluate("window.seen") is None and faults == []
    done = run("review", annotated, "--apply", kept, "--out", tmp_path / "out")
    assert "3 units decided" in done.output
    contents = [unit.text for unit in units(raw_of(tmp_path / "out")) if unit.is_point]
    assert "The budget is 500 euros, near enough." in contents and "The red folder is at: the attic." not in contents


def test_a_person_decides_by_mouse_and_keys_saves_and_goes_on(annotated, tmp_path):
    """In a thread of its own: other tests of the process may keep a browser open in this one."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="the page needs a browser to be clicked on")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium")

    def play():
        with sync_api.sync_playwright() as started:
            browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            decides_saves_and_goes_on(annotated, tmp_path, browser)
            browser.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(play).result()
