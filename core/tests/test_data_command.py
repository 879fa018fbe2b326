"""`memarena data`, and how a selector becomes samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memarena.cli import main
from memarena.datasets import open_data, resolve
from memarena.datastats import DataStats
from memarena.errors import DataError, PluginError, UsageError
from memarena.records import (
    Attachment,
    Checkpoint,
    Evidence,
    GoldPoint,
    Question,
    Sample,
    Session,
    Turn,
)

TOY = """
import msgspec
from pathlib import Path
from memarena.protocols import LoadReport
from memarena.records import Attachment, Checkpoint, Evidence, Finding, GoldPoint, Question, Sample, Session, Turn


class ToyOptions(msgspec.Struct, frozen=True, kw_only=True):
    split: str = "all"
    shout: bool = False
    check_pictures: bool = True


def sample(name, options):
    text = "I LIVE HERE." if options.shout else "I live here."
    turn = Turn(turn_id="S01:T000", session_id="S01", index=0, text=text, body=text + "\\x1b[31m",
                attachments=(Attachment(image_id="p", missing=options.check_pictures),))
    point = GoldPoint(memory_id="m1", content="Lives here.", session_id="S01", kind="update", replaces=("Was there.",))
    question = Question(question_id="C1:Q001", text="Where?", reference="Here", type="DU",
                        evidence=(Evidence(evidence_id="m1", content="Lives here."), Evidence(evidence_id="m9")))
    checkpoint = Checkpoint(checkpoint_id="C1", covered=("S01",), after_session="S01", questions=(question,))
    never = Checkpoint(checkpoint_id="C2", covered=(), after_session=None, questions=(question,))
    session = Session(session_id="S01", turns=(turn,), points=(point,), time="Jan 01, 2025, 09:00:00")
    return Sample(sample_id=name, regime="lifelong", domain="toys", sessions=(session,),
                  checkpoints=(checkpoint, never), dropped_blocks=("S77",))


class Opened:
    def __init__(self, source, options):
        self.report = LoadReport()
        self.report.licence = "MIT"
        self.source, self.options, self.read = source, options, []

    def __iter__(self):
        for name in ("one", "two", "three"):
            self.read.append(name)
            yield sample(name, self.options)
        if self.source.endswith("bad.toy"):
            self.report.add(Finding(code="no_answer", level="refused", message="a question needs an answer",
                                    file="bad.toy", path="$.q[0]"))
            self.report.add(Finding(code="no_answer", level="refused", message="a question needs an answer",
                                    file="bad.toy", path="$.q[1]"))


class Toy:
    name = "toy"
    revision = 1
    Options = ToyOptions

    def __init__(self, options=None):
        self.options = options or ToyOptions()

    def accepts(self, path):
        return path.suffix == ".toy"

    def open(self, source, options):
        return Opened(source, options)

    def fetch(self, to, revision=None, confirm=None, progress=None):
        if not confirm("fetches 5 bytes"):
            raise SystemExit(1)
        progress(5, 5)
        to.mkdir()
        return to


class Plain:
    name = "plain"
    revision = 1

    def open(self, source, options):
        return Opened("", ToyOptions())
"""


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two installed data sets, `toy` (with options, reads *.toy) and `plain` (without), and a working folder."""
    home = tmp_path / "toys-1.0.dist-info"
    home.mkdir()
    (home / "METADATA").write_text("Name: toys\nVersion: 1.0\nSummary: Toys.\n", encoding="utf-8")
    points = "toy = memarena_toy_data:Toy\nplain = memarena_toy_data:Plain"
    (home / "entry_points.txt").write_text(f"[memarena.datasets]\n{points}\n", encoding="utf-8")
    (tmp_path / "memarena_toy_data.py").write_text(TOY, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    work = tmp_path / "work"
    work.mkdir()
    (work / "a.toy").touch()
    (work / "bad.toy").touch()
    monkeypatch.chdir(work)
    return work


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["data", *words])
    assert isinstance(ended.value.code, int)
    return ended.value.code


# -- selectors --------------------------------------------------------------------------------


def test_a_path_that_exists_goes_to_the_data_set_that_accepts_it(toys: Path) -> None:
    assert (resolve("a.toy").name, resolve("a.toy").source) == ("toy", "a.toy")


def test_a_name_may_have_a_source(toys: Path) -> None:
    assert (resolve("toy:some/where:else").name, resolve("toy:some/where:else").source) == ("toy", "some/where:else")
    assert resolve("plain").source == ""


def test_a_name_may_say_its_distribution(toys: Path) -> None:
    assert resolve("toy@toys:x").name == "toy"


def test_a_path_stands_before_a_name(toys: Path) -> None:
    (toys / "plain").symlink_to("a.toy")
    assert resolve("plain").name == "plain"
    (toys / "plain.toy").touch()
    assert resolve("plain.toy").name == "toy"


@pytest.mark.parametrize("selector", ["./gone", "no/such.json", "C:\\data\\set", "~nobody/x"])
def test_a_path_that_is_not_there_is_an_error(toys: Path, selector: str) -> None:
    with pytest.raises(DataError, match="there is no such file or folder"):
        resolve(selector)


def test_a_path_that_nothing_reads_is_an_error_that_says_what_to_write(toys: Path) -> None:
    (toys / "notes.txt").touch()
    with pytest.raises(DataError, match=r"notes\.txt: no data set knows this layout: say NAME:notes\.txt"):
        resolve("notes.txt")


def test_an_unknown_name_is_an_error_with_a_close_one(toys: Path) -> None:
    with pytest.raises(PluginError, match="did you mean 'toy'"):
        resolve("toyy")


def test_an_empty_selector_is_an_error() -> None:
    with pytest.raises(UsageError, match="no data set was named"):
        resolve("")


# -- flags ------------------------------------------------------------------------------------


def ids(selector: str, **flags: Any) -> list[str]:
    return [sample.sample_id for sample in open_data(selector, **flags)]


def test_without_flags_all_samples_come(toys: Path) -> None:
    assert ids("toy") == ["one", "two", "three"]


def test_a_limit_stops_reading(toys: Path) -> None:
    opened = open_data("toy", limit=2)
    assert [sample.sample_id for sample in opened] == ["one", "two"]
    assert opened._opened.read == ["one", "two"]  # type: ignore[attr-defined]


def test_samples_are_chosen_by_id(toys: Path) -> None:
    assert ids("plain", samples=("three", "one")) == ["one", "three"]


def test_an_unknown_sample_is_an_error_that_names_a_close_one(toys: Path) -> None:
    with pytest.raises(UsageError, match="--sample tree: there is no such sample; did you mean 'three'"):
        ids("plain", samples=("tree",))


def test_a_flag_that_the_data_set_does_not_know_is_refused(toys: Path) -> None:
    with pytest.raises(UsageError, match="--overlay x: the data set 'toy' has no option 'overlay'"):
        open_data("toy", overlay="x")
    with pytest.raises(UsageError, match="--split small: the data set 'plain' has no option 'split'"):
        open_data("plain", split="small")


def test_options_are_converted_and_an_unknown_one_is_refused(toys: Path) -> None:
    (sample,) = open_data("toy", limit=1, options={"shout": "true"})
    assert sample.sessions[0].turns[0].text == "I LIVE HERE."
    with pytest.raises(UsageError, match="did you mean 'shout'"):
        open_data("toy", options={"shot": True})


# -- counting ---------------------------------------------------------------------------------


def test_a_row_counts_what_a_person_would_count() -> None:
    turns = tuple(
        Turn(
            turn_id=f"S01:T00{index}",
            session_id="S01",
            index=index,
            text="four words, a mark",
            attachments=(Attachment(image_id=f"p{index}", missing=index == 1),),
        )
        for index in range(2)
    )
    points = (
        GoldPoint(memory_id="u", content="U", session_id="S01", kind="update"),
        GoldPoint(memory_id="n", content="N", session_id="S01"),
        GoldPoint(memory_id="i", content="I", session_id="S01", kind="interference"),
    )
    question = Question(
        question_id="C:Q001",
        text="?",
        reference="!",
        type="FR",
        evidence=(Evidence(evidence_id="n", content="N"), Evidence(evidence_id="gone")),
    )
    sample = Sample(
        sample_id="s",
        regime="lifelong",
        sessions=(Session(session_id="S01", turns=turns, points=points), Session(session_id="S02")),
        checkpoints=(
            Checkpoint(checkpoint_id="C", covered=("S01",), after_session="S01", questions=(question, question)),
            Checkpoint(checkpoint_id="D", covered=("S9",), after_session=None, questions=(question,)),
        ),
        dropped_blocks=("S77",),
    )
    stats = DataStats()
    stats.add(sample)
    (row,) = stats.rows
    assert row["sessions"] == ["S01", "S02"]
    assert (row["turns"], row["attachments"], row["missing_images"]) == (2, 2, ["p1"])
    assert row["gold"] == {
        "S01": {"new": ["n"], "update": ["u"], "interference": ["i"]},
        "S02": {"new": [], "update": [], "interference": []},
    }
    assert (row["checkpoints_reachable"], row["questions_reachable"]) == (1, 2)
    assert row["triggers"] == {"C": "S01"}
    assert row["unresolved_evidence"] == ["gone", "gone"]
    assert (row["dropped_blocks"], row["unreachable_checkpoints"]) == (["S77"], ["D"])
    totals = stats.totals()
    assert totals["gold"] == {"new": 1, "update": 1, "interference": 1}
    assert totals["questions_by_type"] == {"FR": 2}
    assert totals["tokens"] == 2 * (1 + 2 + 1 + 1 + 1)


# -- commands ---------------------------------------------------------------------------------


def test_stats_prints_one_json_object(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("stats", "a.toy", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["samples_in_loader_order"] == ["one", "two", "three"]
    assert printed["samples"][0]["missing_images"] == []
    assert printed["totals"]["questions_by_type"] == {"DU": 3}
    assert printed["report"] == {"counts": {}, "licence": "MIT"}


def test_stats_prints_a_table(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("stats", "toy") == 0
    printed = capsys.readouterr().out
    assert "three" in printed
    assert "update 3" in printed
    assert "DU 3" in printed


def test_stats_of_a_refused_data_set_prints_each_fault_and_nothing_else(
    toys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("stats", "bad.toy", "--json") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "memarena: bad.toy: $.q[0]: a question needs an answer",
        "memarena: bad.toy: $.q[1]: a question needs an answer",
    ]


def test_validate_accepts_with_exit_code_0(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("validate", "a.toy") == 0
    assert "3 samples can be used; nothing odd; a run would start" in capsys.readouterr().out


def test_validate_refuses_with_exit_code_2_and_names_every_fault(
    toys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("validate", "bad.toy") == 2
    out = capsys.readouterr().out
    assert "refused: bad.toy: $.q[0]: a question needs an answer [no_answer]" in out
    assert "refused: bad.toy: $.q[1]: a question needs an answer [no_answer]" in out
    assert "2 refused: a run would not start" in out


def test_validate_prints_json(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("validate", "bad.toy", "--json") == 2
    printed = json.loads(capsys.readouterr().out)
    assert (printed["accepted"], printed["samples"], printed["counts"]) == (False, 3, {"no_answer": 2})
    assert printed["findings"][0] == {
        "level": "refused",
        "code": "no_answer",
        "file": "bad.toy",
        "path": "$.q[0]",
        "message": "a question needs an answer",
    }


def test_show_prints_dialogue_gold_and_questions(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "plain", "two", "--session", "S01") == 0
    printed = capsys.readouterr().out
    for text in ("two", "I live here.", "update m1 Lives here.", "Was there.", "Where?", "answer: Here", "unresolved"):
        assert text in printed


def test_show_never_lets_a_text_steer_the_terminal(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "plain", "two") == 0
    assert "\x1b" not in capsys.readouterr().out


def test_show_writes_a_page(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "plain", "two", "--html", "pages/two.html") == 0
    assert capsys.readouterr().out.startswith(str(Path("pages/two.html")))
    assert "I live here." in (toys / "pages" / "two.html").read_text(encoding="utf-8")


def test_show_of_an_unknown_session_names_a_close_one(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "plain", "two", "--session", "S0") == 2
    assert "did you mean 'S01'" in capsys.readouterr().err


def test_an_option_of_the_data_set_can_be_set(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "a.toy", "one", "-o", "toy.shout=true") == 0
    assert "I LIVE HERE." in capsys.readouterr().out


def test_fetch_says_where_the_files_are(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("fetch", "toy", "--to", "here", "--yes") == 0
    out, err = capsys.readouterr()
    assert out == "here: use it with -d toy:here\n"
    assert "fetches 5 bytes" in err


def test_fetch_without_a_terminal_needs_yes(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("fetch", "toy") == 2
    assert "fetches 5 bytes: add --yes to go on" in capsys.readouterr().err


def test_fetch_of_a_data_set_that_has_nothing_to_fetch_is_an_error(
    toys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("fetch", "plain") == 2
    assert "'plain' has nothing to fetch" in capsys.readouterr().err
