"""What a data set gives: samples whose ids, gold and evidence hang together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import msgspec

from memarena.protocols import LoadReport, Opened
from memarena.records import Sample, Session, Turn
from memarena.testing.checks import CheckFailed, Stage, expect
from memarena.testing.contracts.naming import expect_named
from memarena.testing.output import captured


def named(stage: Stage) -> None:
    """It has a name and a revision.

    If this fails: set `name = "..."` and `revision = 1`; `Options`, where there are some, are a frozen Struct.
    """
    expect_named(stage)


def samples_typed(stage: Stage) -> None:
    """It opens and gives at least one sample, whose fields have the right types.

    If this fails: the message names the sample and the field.
    """
    count = 0
    for sample in _samples(stage):
        count += 1
        try:
            msgspec.json.decode(msgspec.json.encode(sample), type=Sample)
        except (TypeError, ValueError) as error:
            raise CheckFailed(f"sample {sample.sample_id!r}: {error}") from None
    expect(count, "it gives no sample; set `source` to what it is opened with")


def report_given(stage: Stage) -> None:
    """What was opened has a LoadReport.

    If this fails: give the opened data set an attribute `report`, a `memarena.protocols.LoadReport`.
    """
    opened = _open(stage)
    expect(isinstance(getattr(opened, "report", None), LoadReport), "it has no `report` that is a LoadReport")


def ids_unique(stage: Stage) -> None:
    """Samples, and within a sample sessions, turns, checkpoints and questions, have ids of their own.

    If this fails: build ids from places, e.g. `S01:T003` and `C02:Q001`.
    """
    _expect_unique("the data set", "sample", _lazily(_samples(stage)))
    for sample in _samples(stage):
        where = f"sample {sample.sample_id!r}"
        _expect_unique(where, "session", (session.session_id for session in sample.sessions))
        _expect_unique(where, "turn", (turn.turn_id for _, turn in _turns(sample)))
        _expect_unique(where, "checkpoint", (checkpoint.checkpoint_id for checkpoint in sample.checkpoints))
        asked = (question.question_id for checkpoint in sample.checkpoints for question in checkpoint.questions)
        _expect_unique(where, "question", asked)


def turns_in_their_session(stage: Stage) -> None:
    """Each turn names its session, and its index rises within it.

    If this fails: set `session_id` and `index` of a Turn from where it stands.
    """
    for sample in _samples(stage):
        for session in sample.sessions:
            places = [turn.index for turn in session.turns]
            where = f"{sample.sample_id}, session {session.session_id}"
            expect(places == sorted(set(places)), f"{where}: the indexes of its turns do not rise")
            strays = [turn.turn_id for turn in session.turns if turn.session_id != session.session_id]
            expect(not strays, f"{where}: turn {strays[:1]} names another session")


def text_holds_everything(stage: Stage) -> None:
    """The text of a turn holds its body and the id of each of its pictures.

    If this fails: build it with `memarena.memory.whole_text(body, attachments)`.
    """
    for sample in _samples(stage):
        for _, turn in _turns(sample):
            where = f"{sample.sample_id}, turn {turn.turn_id}"
            expect(turn.body in turn.text, f"{where}: the body is not in the text")
            lost = [picture.image_id for picture in turn.attachments if picture.image_id not in turn.text]
            expect(not lost, f"{where}: the picture {lost[:1]} is not in the text")


def pictures_are_files(stage: Stage) -> None:
    """The path of a picture is an absolute one to a file, or None.

    If this fails: resolve paths against the data set, and give None with `missing=True` where the file is not there.
    """
    for sample in _samples(stage):
        for _, turn in _turns(sample):
            for picture in turn.attachments:
                path = Path(picture.path) if picture.path is not None else None
                good = path is None or (path.is_absolute() and path.is_file())
                expect(good, f"{sample.sample_id}, picture {picture.image_id!r}: no file at {picture.path!r}")


def checkpoints_follow_sessions(stage: Stage) -> None:
    """A checkpoint is due after the latest session that it covers, or never.

    If this fails: set `after_session` to the covered session that stands last in the sample, or to None where one of
    them is unknown.
    """
    for sample in _samples(stage):
        order = {session.session_id: place for place, session in enumerate(sample.sessions)}
        for checkpoint in sample.checkpoints:
            if checkpoint.after_session is not None:
                where = f"{sample.sample_id}, checkpoint {checkpoint.checkpoint_id}"
                unknown = [name for name in checkpoint.covered if name not in order]
                expect(checkpoint.covered and not unknown, f"{where}: it is due, yet covers unknown sessions {unknown}")
                last = max(checkpoint.covered, key=order.__getitem__)
                expect(checkpoint.after_session == last, f"{where}: due after {checkpoint.after_session}, not {last}")


def questions_have_gold(stage: Stage) -> None:
    """Each question has a text and a reference answer.

    If this fails: refuse the sample with a finding of level `refused`; never make up an answer.
    """
    for sample in _samples(stage):
        for checkpoint in sample.checkpoints:
            for question in checkpoint.questions:
                where = f"{sample.sample_id}, question {question.question_id}"
                expect(question.text.strip(), f"{where}: no text")
                expect(question.reference.strip(), f"{where}: no reference")


def gold_points_at_what_is_there(stage: Stage) -> None:
    """Gold points and evidence name sessions and turns of their sample.

    If this fails: leave `session_id` None and `turn_ids` empty for evidence that cannot be resolved.
    """
    for sample in _samples(stage):
        sessions = {session.session_id for session in sample.sessions}
        turns = {turn.turn_id for _, turn in _turns(sample)}
        for session in sample.sessions:
            for point in session.points:
                where = f"{sample.sample_id}, point {point.memory_id}"
                expect(point.session_id == session.session_id, f"{where}: it names the session {point.session_id}")
                expect(turns.issuperset(point.turn_ids), f"{where}: it names turns that are not there")
        for checkpoint in sample.checkpoints:
            for question in checkpoint.questions:
                for evidence in chain.from_iterable(question.evidence_sets):
                    where = f"{sample.sample_id}, evidence {evidence.evidence_id} of {question.question_id}"
                    expect(evidence.session_id in sessions | {None}, f"{where}: no session {evidence.session_id}")
                    expect(turns.issuperset(evidence.turn_ids), f"{where}: it names turns that are not there")


def same_samples_twice(stage: Stage) -> None:
    """Opened again it gives the same samples in the same order.

    If this fails: sort what the file system lists, iterate no sets.
    """
    for number, (first, again) in enumerate(zip(_samples(stage), _samples(stage), strict=True), 1):
        expect(first == again, f"sample number {number} differs when the data set is opened again")


def no_stray_output(stage: Stage) -> None:
    """Nothing is written to stdout or stderr.

    If this fails: put what is odd into the report, and remove prints.
    """
    with captured(stage.folder) as output:
        for _ in _samples(stage):
            pass
    expect(not output.text, f"{len(output.text)} characters were written, beginning with {output.text[:60]!r}")


def _open(stage: Stage) -> Opened:
    dataset = stage.plugin()
    options = getattr(dataset, "Options", None)
    opened: Opened = dataset.open(stage.source, options() if options is not None else None)
    return opened


def _samples(stage: Stage) -> Iterator[Sample]:
    return iter(_open(stage))


def _lazily(samples: Iterable[Sample]) -> Iterator[str]:
    return (sample.sample_id for sample in samples)


def _turns(sample: Sample) -> Iterator[tuple[Session, Turn]]:
    return ((session, turn) for session in sample.sessions for turn in session.turns)


def _expect_unique(where: str, what: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        expect(name not in seen, f"{where}: two {what}s have the id {name!r}")
        seen.add(name)
