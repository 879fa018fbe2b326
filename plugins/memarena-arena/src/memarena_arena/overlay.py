"""Marks questions whose gold is known to be wrong, from a file of somebody who checked it.

Two formats are read, both a JSON list of objects:

* ours: `{"sample_id": "conv-26", "question_id": "end:Q003", "known_wrong": "why"}`. `question` may stand instead of
  `question_id`, or beside it: then it must be the text of that question. An id may leave out its checkpoint where
  that is unique in the sample (`Q003`);
* an audit of LoCoMo's answer key: `{"question_id": "locomo_0_qa2", "question": ..., "error_type": ...,
  "reasoning": ...}`: sample and question by their place in the file, from 0. `WRONG_CITATION` questions the evidence
  alone: it is counted, and the answer stays.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from memarena.errors import DataError
from memarena.protocols import LoadReport
from memarena.records import Finding, Question, Record, Sample
from memarena_arena.faults import quoted
from memarena_arena.jsonfile import Limits, read_json

CITATION_ONLY = "WRONG_CITATION"

_AUDIT_ID = re.compile(r"(?P<sample>.+)_qa(?P<number>\d{1,6})")


class Entry(Record, frozen=True, kw_only=True):
    """What an overlay says about one question."""

    path: str
    """JSON path within the overlay."""
    sample: str
    """The sample's id, or one of `meta["aliases"]`."""
    question_id: str = ""
    question: str = ""
    reason: str
    """Why the gold is wrong; becomes `Question.known_wrong`."""
    citation_only: bool = False
    """The answer is right, only its evidence is not."""


class Overlay(Record, frozen=True, kw_only=True):
    """The entries of one file."""

    file: str
    entries: tuple[Entry, ...]


def read(path: Path, limits: Limits | None = None) -> Overlay:
    """The overlay in `path`; raises DataError with file and JSON path where an entry cannot be understood."""
    raw = read_json(path, limits or Limits())
    if not isinstance(raw, list):
        raise DataError("an overlay is a list of objects", file=str(path), path="$")
    entries = tuple(_entry(row, str(path), f"$[{number}]") for number, row in enumerate(raw))
    return Overlay(file=str(path), entries=entries)


def apply(
    samples: Iterable[Sample], overlay: Overlay, report: LoadReport, *, complete: bool = True
) -> Iterator[Sample]:
    """`samples` with `known_wrong` set where `overlay` says so.

    Every mark is counted as `known_wrong`, every doubted citation as `wrong_citation`. Entries that fit no question
    are counted as `overlay_unmatched`, those whose text is another as `overlay_mismatch`, those that fit several
    questions as `overlay_ambiguous`; they change nothing. With `complete=False` (a selection of samples) entries of
    samples that did not come by are not counted.
    """
    waiting: dict[str, list[Entry]] = defaultdict(list)
    for entry in overlay.entries:
        waiting[entry.sample].append(entry)
    for sample in samples:
        names = (sample.sample_id, *sample.meta.get("aliases", ()))
        entries = [entry for name in names for entry in waiting.pop(name, ())]
        yield _marked(sample, entries, overlay.file, report) if entries else sample
    if complete:
        for entry in (entry for entries in waiting.values() for entry in entries):
            message = f"no sample {quoted(entry.sample)} in this data set"
            report.add(_finding("overlay_unmatched", "warning", message, overlay.file, entry))


def _entry(row: Any, file: str, path: str) -> Entry:
    if not isinstance(row, dict):
        raise DataError("an entry of an overlay is an object", file=file, path=path)
    if "error_type" in row:
        return _audit_entry(row, file, path)
    question_id, question = (_text(row, name, file, path, need=False) for name in ("question_id", "question"))
    if not question_id and not question:
        raise DataError("needs a question_id or a question", file=file, path=path)
    return Entry(
        path=path,
        sample=_text(row, "sample_id", file, path),
        question_id=question_id,
        question=question,
        reason=_text(row, "known_wrong", file, path),
    )


def _audit_entry(row: Mapping[str, Any], file: str, path: str) -> Entry:
    name = _text(row, "question_id", file, path)
    found = _AUDIT_ID.fullmatch(name)
    if found is None:
        raise DataError(f"{quoted(name)} is not <sample>_qa<number>", file=file, path=f"{path}.question_id")
    kind = _text(row, "error_type", file, path)
    why = _text(row, "reasoning", file, path, need=False)
    return Entry(
        path=path,
        sample=found["sample"],
        question_id=f"Q{int(found['number']) + 1:03d}",
        question=_text(row, "question", file, path),
        reason=f"{kind}: {why}" if why else kind,
        citation_only=kind == CITATION_ONLY,
    )


def _text(row: Mapping[str, Any], name: str, file: str, path: str, *, need: bool = True) -> str:
    value = row.get(name, "")
    if not isinstance(value, str) or (need and not value.strip()):
        wanted = "a text that is not empty" if need else "a text"
        raise DataError(f"must be {wanted}", file=file, path=f"{path}.{name}")
    return value.strip()


def _marked(sample: Sample, entries: Iterable[Entry], file: str, report: LoadReport) -> Sample:
    questions = [question for checkpoint in sample.checkpoints for question in checkpoint.questions]
    wrong: dict[str, str] = {}
    for entry in entries:
        found, code, message = _find(entry, questions)
        if code:
            report.add(_finding(code, "warning", f"{sample.sample_id}: {message}", file, entry))
        elif entry.citation_only:
            message = f"{sample.sample_id}: the evidence of {found[0].question_id} is doubted, its answer is not"
            report.add(_finding("wrong_citation", "note", message, file, entry))
        else:
            for question in found:
                wrong[question.question_id] = entry.reason
                message = f"{sample.sample_id}: the gold of {question.question_id} is known to be wrong"
                report.add(_finding("known_wrong", "note", message, file, entry))
    checkpoints = tuple(
        replace(
            checkpoint,
            questions=tuple(
                replace(question, known_wrong=wrong[question.question_id])
                if question.question_id in wrong
                else question
                for question in checkpoint.questions
            ),
        )
        for checkpoint in sample.checkpoints
    )
    return replace(sample, checkpoints=checkpoints)


def _find(entry: Entry, questions: list[Question]) -> tuple[list[Question], str, str]:
    """The questions that `entry` means, or the code and the message of why there are none."""
    if not entry.question_id:
        found = [question for question in questions if _same(question.text, entry.question)]
        return found, "" if found else "overlay_unmatched", f"no question reads {quoted(entry.question)}"
    found = [question for question in questions if question.question_id == entry.question_id]
    if not found and ":" not in entry.question_id:
        found = [question for question in questions if _short(question) == entry.question_id]
    if not found:
        return found, "overlay_unmatched", f"no question {quoted(entry.question_id)}"
    if len(found) > 1:
        return found, "overlay_ambiguous", f"{len(found)} questions are called {quoted(entry.question_id)}"
    if entry.question and not _same(found[0].text, entry.question):
        return found, "overlay_mismatch", f"{found[0].question_id} has another text than the overlay says"
    return found, "", ""


def _short(question: Question) -> str:
    return question.question_id.rpartition(":")[2]


def _same(one: str, other: str) -> bool:
    return one.split() == other.split()


def _finding(code: str, level: Any, message: str, file: str, entry: Entry) -> Finding:
    return Finding(code=code, level=level, message=message, file=file, path=entry.path)
