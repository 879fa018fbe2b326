"""LongMemEval: 500 questions, each with a history of its own (arXiv 2410.10813, MIT).

A question becomes a sample with one checkpoint, `end`. The ids of the published sessions tell which of them hold the
answer, so a session is called by its place in the order of time, `S001`, ...; `meta["session_ids"]` keeps the published
ids. Evidence is every turn that is flagged `has_answer`, whoever said it. (The official session-level retrieval looks
at the user's turns only; `answer_of_assistant` counts the questions for which that makes a difference.)

Abstention is told by the id (`..._abs`): the question cannot be answered, and what the file has as an answer says what
is missing; `meta["explanations"]` keeps it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from memarena.errors import UsageError
from memarena.records import NOT_MENTIONED, Checkpoint, Finding, Question, Sample
from memarena_arena.faults import Faults, quoted
from memarena_arena.public import fields
from memarena_arena.public.longmemeval_history import History
from memarena_arena.public.opened import PublicOptions, PublicSamples, file_hash, files_of, only_file, sample_id
from memarena_arena.public.slashed import iso
from memarena_arena.public.stream import Item, head_of, opened, records

LICENCE = "MIT"
TYPES: Mapping[str, str] = {
    "single-session-user": "FR",
    "single-session-assistant": "FR",
    "single-session-preference": "FR",
    "temporal-reasoning": "TR",
    "multi-session": "KR",
    "knowledge-update": "DU",
}
"""Type of the file -> question type; an abstention is MB."""
ABSTENTION = "_abs"
"""Ending of the id of a question that cannot be answered."""
PREFERENCE = "single-session-preference"
KNOWN: Mapping[str, str] = {"821a2034d219": "the cleaned oracle file", "d6f21ea9d60a": "the cleaned s file"}
"""First twelve digits of the sha256 of published files."""
SPLITS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(rf"(?:^|/)longmemeval_{name}(?:_cleaned)?(?:\.json)?$") for name in ("oracle", "s", "m")
}
"""Split -> the names of its file: the older ones have no ending."""

_RECORD = frozenset({
    "question_id", "question_type", "question", "answer", "question_date", "haystack_session_ids", "haystack_dates",
    "haystack_sessions", "answer_session_ids",
})  # fmt: skip


class LongMemEvalOptions(PublicOptions, frozen=True, kw_only=True):
    """Which file is read, and how much of it."""

    split: str = ""
    """`oracle`, `s` or `m`: which file of a folder; "": the only one."""


class LongMemEval:
    """Data set `longmemeval`: `longmemeval_oracle.json`, `longmemeval_s*`, `longmemeval_m*`; a history at a time."""

    name = "longmemeval"
    revision = 1
    Options = LongMemEvalOptions

    def __init__(self, options: LongMemEvalOptions | None = None) -> None:
        self._options = options or LongMemEvalOptions()

    def accepts(self, path: Path) -> bool:
        """Whether the first bytes of `path`, or the names in a folder, are those of LongMemEval."""
        if path.is_dir():
            return any(pattern.search(file.name) for file in path.iterdir() for pattern in SPLITS.values())
        head = head_of(path)
        return head[:1] in (b"[", b"{") and b'"question_type"' in head and b'"haystack_' in head

    def open(self, source: str, options: LongMemEvalOptions | None = None) -> PublicSamples:
        """Open a file, or a folder with one; raises UsageError or DataError where it is not clear which, or none."""
        if not source:
            raise UsageError("longmemeval needs a file: -d longmemeval:PATH")
        chosen = options or self._options
        file = only_file(files_of(Path(source), chosen.split, SPLITS, ("", ".json")), Path(source))
        opened(file, chosen).close()
        return PublicSamples(chosen, LICENCE, lambda: _Pass(file, chosen))


class _Pass:
    """One pass over a file."""

    def __init__(self, file: Path, options: LongMemEvalOptions) -> None:
        self._file = file
        self._options = options
        self._digest = sha256()
        self._unread = fields.Unread()

    def items(self) -> Iterable[Item]:
        return records(self._file, self._options, self._digest)

    def finish(self) -> Iterable[Finding]:
        yield file_hash(self._file, self._digest.hexdigest(), KNOWN)

    def build(self, item: Item) -> Sample | None:
        faults, path = item.faults, item.path
        raw = fields.an_object(item.value, "record", path, faults)
        if raw is None:
            return None
        self._unread.tell(raw, _RECORD, "record", path, faults)
        name = sample_id(raw.get("question_id"), f"{path}.question_id", faults)
        history = History(raw, path, faults, self._unread)
        question, explanation = _question(raw, name.endswith(ABSTENTION), history, path, faults)
        if faults.refused:
            return None
        names = tuple(session.session_id for session in history.sessions)
        checkpoint = Checkpoint(checkpoint_id="end", covered=names, after_session=names[-1], questions=(question,))
        return Sample(
            sample_id=name,
            domain="longmemeval",
            sessions=history.sessions,
            checkpoints=(checkpoint,),
            meta={"session_ids": history.given_ids}
            | ({"explanations": {question.question_id: explanation}} if explanation else {}),
        )


def _question(
    raw: Mapping[str, Any], abstention: bool, history: History, path: str, faults: Faults
) -> tuple[Question, str]:
    """The question and, of an abstention, what the file says in place of an answer."""
    text = fields.a_question(raw, path, faults)
    given, aliases = fields.either(fields.answers(raw.get("answer"), f"{path}.answer", faults))
    time, when = iso(raw.get("question_date"), f"{path}.question_date", faults)
    if when is not None and history.last is not None and when < history.last:
        problem = "it is asked before the last session begins"
        faults.warn("question_before_session", problem, f"{path}.question_date")
    kind = raw.get("question_type")
    known = kind if isinstance(kind, str) and kind in TYPES else ""
    if not known:
        faults.warn("odd_type", f"{quoted(kind)} is no type that is known: UNKNOWN", f"{path}.question_type")
    if known == PREFERENCE and not abstention:
        faults.note("rubric_answer", "the answer says what a good one would heed", f"{path}.answer")
    evidence = history.evidence()
    if abstention:
        faults.note("unanswerable", "the reference is that it was not mentioned", f"{path}.answer")
        if evidence:
            problem = "what it names is related and answers nothing; it is no evidence"
            faults.note("evidence_of_abstention", problem, f"{path}.answer_session_ids")
    elif not evidence:
        faults.note("no_evidence", "nothing to retrieve: it is asked, not ranked", f"{path}.answer_session_ids")
    question = Question(
        question_id="end:Q001",
        text=text,
        reference=NOT_MENTIONED if abstention else given,
        aliases=() if abstention else aliases,
        type="MB" if abstention else TYPES.get(known, "UNKNOWN"),
        evidence=() if abstention else evidence,
        answerable=not abstention,
        time=time,
        raw_type=kind if isinstance(kind, str) else "",
    )
    return question, " or ".join((given, *aliases)) if abstention else ""
