"""A data set of toys, installed for a test."""

from __future__ import annotations

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
