"""ConvoMem: questions on what was said in conversations, shard by shard (CC BY-NC 4.0, as its card is reported to say).

An evidence item becomes a sample, on request among fillers (see `convomem_fillers`), and so does a test case that was
mixed beforehand (`evidenceItems` with shared `conversations`). A conversation is a session, `S001`, ...; nothing has a
time. What kind of evidence a question needs is told by the folder (`user_evidence`, ...); it is the `raw_type`, and the
split. Gold is the text of messages: each is looked for in the conversations (see `convomem_evidence`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from memarena.errors import DataError, UsageError
from memarena.records import NOT_MENTIONED, Checkpoint, Finding, Question, Sample, Session
from memarena_arena.faults import Faults
from memarena_arena.jsonpath import child
from memarena_arena.public import fields
from memarena_arena.public.convomem_evidence import Messages
from memarena_arena.public.convomem_fillers import FILE, Conversations, Fillers, folder_beside
from memarena_arena.public.opened import PublicOptions, PublicSamples, files_of, sample_id, split_of
from memarena_arena.public.stream import Item, elements, head_of, opened, records, whole

LICENCE = "CC BY-NC 4.0, as its card is reported to say (code: Apache-2.0)"
TYPES: Mapping[str, str] = {
    "user_evidence": "FR",
    "assistant_facts_evidence": "FR",
    "changing_evidence": "DU",
    "abstention_evidence": "MB",
    "preference_evidence": "TTL",
    "implicit_connection_evidence": "KR",
}
"""Kind of evidence, by the folder -> question type."""
ABSTENTION = "abstention_evidence"
RUBRICS = frozenset({"preference_evidence"})
"""Kinds whose answer says what a good one would heed."""
SPLITS: Mapping[str, re.Pattern[str]] = {name: re.compile(rf"(?:^|[/_.-]){name}(?:[/_.-]|$)") for name in TYPES}

_SAME = ("evidence_questions", "pre_mixed_testcases")
"""Folders that hold the same questions."""
_ITEMS = ("evidence_items", "evidenceItems")
_EVIDENCES = ("message_evidences", "messageEvidences")
_COUNT = re.compile(r"(?:^|/)(\d{1,3})_evidence(?:/|$)")
_ODD = re.compile(r"[^A-Za-z0-9._+=@-]+")
_CASE = frozenset({"evidenceItems", "evidence_items", "conversations", "contextSize"})
_ITEM = frozenset({
    *_EVIDENCES, "question", "answer", "conversations", "category", "scenario_description", "personId",
    "use_case_model_name", "core_model_name",
})  # fmt: skip


class ConvoMemOptions(PublicOptions, frozen=True, kw_only=True):
    """Which shards are read, and how much of them."""

    split: str = ""
    """One kind of evidence, e.g. `user_evidence`; "": all."""
    context_size: int = 0
    """Fill each evidence item up to so many conversations with fillers of the same person; 0: only its own."""
    fillers: str = ""
    """Folder of the filler conversations; "": `filler_conversations` beside the folders of questions."""
    seed: int = 0
    """Which fillers are drawn, and where the question's own conversations stand among them."""


class ConvoMem:
    """Data set `convomem`: a folder with shards, as `evidence_questions/user_evidence/1_evidence/*.json`, or one."""

    name = "convomem"
    revision = 1
    Options = ConvoMemOptions

    def __init__(self, options: ConvoMemOptions | None = None) -> None:
        self._options = options or ConvoMemOptions()

    def accepts(self, path: Path) -> bool:
        """Whether the first bytes of `path`, or the names of folders in a folder, are those of ConvoMem."""
        if path.is_dir():
            names = ("evidence_questions", "core_benchmark", *TYPES)
            return path.name in names or any((path / name).is_dir() for name in names)
        head = head_of(path)
        return any(f'"{name}"'.encode() in head for name in (*_ITEMS, *_EVIDENCES))

    def open(self, source: str, options: ConvoMemOptions | None = None) -> PublicSamples:
        """Open a shard or a folder of them; raises UsageError or DataError where there is nothing to read."""
        if not source:
            raise UsageError("convomem needs a folder or a file: -d convomem:PATH")
        chosen = options or self._options
        if chosen.context_size < 0:
            raise UsageError(f"convomem.context_size={chosen.context_size}: 0 or more conversations")
        files = [
            file
            for file in files_of(Path(source), chosen.split, SPLITS, (".json", ".jsonl"), others=True)
            if not FILE.search(file.resolve().as_posix())
        ]
        if not files:
            raise DataError("there are only filler conversations, which ask nothing", file=source)
        told = [name for name in _SAME if any(name in file.parts for file in files)]
        if len(told) > 1:
            raise UsageError(f"{source} holds the same questions in {' and in '.join(told)}: name one of the two")
        for file in files:
            opened(file, chosen).close()
        folder = folder_beside(files[0], chosen.fillers) if chosen.context_size else None
        return PublicSamples(chosen, LICENCE, lambda: _Pass(files, chosen, folder))


class _Pass:
    """One pass over the shards."""

    def __init__(self, files: list[Path], options: ConvoMemOptions, fillers: Path | None) -> None:
        size, seed = options.context_size, options.seed
        self._fillers = Fillers(fillers, size, seed, options) if fillers is not None else None
        self._files = files
        self._options = options
        self._unread = fields.Unread()

    def items(self) -> Iterator[Item]:
        for file in self._files:
            head = head_of(file)
            if head.startswith(b"{") and b'"evidence_items"' in head and file.suffix == ".json":
                yield from elements(file, self._options, key="evidence_items")
            elif head.startswith(b"[") or file.suffix == ".jsonl":
                yield from records(file, self._options)
            else:
                yield whole(file, self._options)

    def finish(self) -> Iterable[Finding]:
        return ()

    def build(self, item: Item) -> Sample | None:
        raw = fields.an_object(item.value, "record", item.path, item.faults)
        if raw is None:
            return None
        kind = split_of(item.file, SPLITS)
        if not kind:
            problem = "no folder of its path tells the kind of evidence: the types are UNKNOWN"
            item.faults.warn("no_category", problem, item.path)
        case = next((key for key in _ITEMS if key in raw), "")
        if case:
            self._unread.tell(raw, _CASE, "test case", item.path, item.faults)
            given = fields.a_list(raw, case, item.path, item.faults)
            asked = [(value, f"{child(item.path, case)}[{number}]") for number, value in enumerate(given)]
        else:
            asked = [(raw, item.path)]
        name = sample_id(_name_of(item, kind), item.path, item.faults)
        messages = Messages(self._conversations(raw, item, name, mixed=bool(case)), self._unread, item.faults)
        questions = [
            self._question(value, kind, messages, number, path, item) for number, (value, path) in enumerate(asked, 1)
        ]
        if not questions:
            item.faults.refuse("asks_nothing", "the test case asks nothing", item.path)
        return None if item.faults.refused else _sample(name, kind, messages.sessions, questions)

    def _conversations(self, raw: Mapping[str, Any], item: Item, name: str, *, mixed: bool) -> Conversations:
        """Those of the record; around an evidence item the fillers that are wanted."""
        given = fields.a_list(raw, "conversations", item.path, item.faults)
        if not given and not item.faults.refused:
            item.faults.refuse("no_sessions", "there is no conversation", child(item.path, "conversations"))
        where = child(item.path, "conversations")
        own = fields.each(given, where)
        if self._fillers is None or mixed or item.faults.refused:
            return own
        return self._fillers.around(own, where, item.file, name, item.faults)

    def _question(
        self, given: Any, kind: str, messages: Messages, number: int, path: str, item: Item
    ) -> tuple[Question, str] | None:
        """The question and, where it cannot be answered, what the file says in place of an answer."""
        faults = item.faults
        raw = fields.an_object(given, "evidence item", path, faults)
        if raw is None:
            return None
        self._unread.tell(raw, _ITEM, "evidence item", path, faults)
        text = fields.a_question(raw, path, faults)
        reference, aliases = fields.either(fields.answers(raw.get("answer"), f"{path}.answer", faults))
        key = next((name for name in _EVIDENCES if name in raw), _EVIDENCES[0])
        evidence = messages.evidence(raw, key, path)
        _check_count(item.file, len(fields.a_list(raw, key, path, faults, need=False)), child(path, key), faults)
        answerable = kind != ABSTENTION
        if not answerable:
            faults.note("unanswerable", "the reference is that it was not mentioned", f"{path}.answer")
            if evidence:
                problem = "what it names is related and answers nothing; it is no evidence"
                faults.note("evidence_of_abstention", problem, child(path, key))
        elif not evidence:
            faults.note("no_evidence", "nothing to retrieve: it is asked, not ranked", child(path, key))
        if kind in RUBRICS:
            faults.note("rubric_answer", "the answer says what a good one would heed", f"{path}.answer")
        question = Question(
            question_id=f"end:Q{number:03}",
            text=text,
            reference=reference if answerable else NOT_MENTIONED,
            aliases=aliases if answerable else (),
            type=TYPES.get(kind, "UNKNOWN"),
            evidence=evidence if answerable else (),
            answerable=answerable,
            raw_type=kind,
        )
        return question, "" if answerable else " or ".join((reference, *aliases))


def _sample(name: str, kind: str, sessions: tuple[Session, ...], asked: list[tuple[Question, str] | None]) -> Sample:
    questions = tuple(pair[0] for pair in asked if pair is not None)
    covered = tuple(session.session_id for session in sessions)
    told = {question.question_id: said for question, said in filter(None, asked) if said}
    checkpoint = Checkpoint(checkpoint_id="end", covered=covered, after_session=covered[-1], questions=questions)
    return Sample(
        sample_id=name,
        domain=f"convomem/{kind}" if kind else "convomem",
        sessions=sessions,
        checkpoints=(checkpoint,),
        meta={"explanations": told} if told else {},
    )


def _name_of(item: Item, kind: str) -> str:
    """The files have no ids: kind, number of messages, file and place in it, e.g. `user_evidence.1.shard.0003`."""
    count = _COUNT.search(item.file.resolve().parent.as_posix())
    parts = [kind, count[1] if count else "", _ODD.sub("-", item.file.stem)[:80], f"{item.number:04}"]
    return ".".join(part for part in parts if part)


def _check_count(file: Path, found: int, path: str, faults: Faults) -> None:
    told = _COUNT.search(file.resolve().parent.as_posix())
    if told and int(told[1]) != found:
        faults.warn("evidence_count_off", f"the folder says {told[1]} messages of evidence, there are {found}", path)
