"""LoCoMo: ten long dialogues of two people, 1,986 questions, evidence by turn (CC BY-NC 4.0, not shipped).

A conversation becomes a sample, `session_N` a session (`S01`, ...) with its date as given, a question the id
`<checkpoint>:Q<place in the file, from 1>`. There are no gold points: the observations of the file were written by a
model, so they are silver at best and are left out; updates and interference do not exist.

Adversarial questions (446) ask for what was never said. 444 of them have no answer: their reference is "not
mentioned", and the false answer that they suggest is a stale answer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from memarena.errors import DataError, UsageError
from memarena.protocols import LoadReport
from memarena.records import Sample
from memarena_arena import overlay
from memarena_arena.faults import PLAIN_NAME, Faults, quoted
from memarena_arena.jsonfile import Limits
from memarena_arena.locomo_files import (
    FILE_NAME,
    SHA256,
    Conversation,
    Member,
    looks_like,
    members,
    note_other_file,
)
from memarena_arena.locomo_oddities import note_oddities
from memarena_arena.locomo_points import with_observations
from memarena_arena.locomo_questions import at_end, by_evidence, read_questions
from memarena_arena.locomo_turns import read_sessions

LICENCE = "CC BY-NC 4.0"
REVISION = "3eb6f2c585f5e1699204e3c3bdf7adc5c28cb376"
"""Commit of the public repository whose file is fetched."""
SIZE = 2_805_274
"""Bytes of that file."""
URL = f"https://raw.githubusercontent.com/snap-research/locomo/{REVISION}/data/{FILE_NAME}"
URL_VARIABLE = "MEMARENA_LOCOMO_URL"
"""Environment variable with the address of a mirror of that file."""


class LoCoMoOptions(Limits, frozen=True, kw_only=True):
    """How LoCoMo is read, and how much of a file."""

    samples: tuple[str, ...] = ()
    """Ids of the conversations to read (`conv-26`, or `locomo_0` by place); empty: all."""
    overlay: str = ""
    """File that says which answers of the key are wrong; "": none."""
    checkpoints: Literal["end", "evidence"] = "end"
    """`end`: all questions after the last session. `evidence`: each one after the last session of its evidence."""
    observations: bool = False
    """Take the observations of the file, which a model wrote, for points that should be in memory."""


class Conversations:
    """The samples of a source, one at a time; `report` is filled anew by each pass."""

    def __init__(self, source: Path, options: LoCoMoOptions) -> None:
        self.report = LoadReport()
        self.report.licence = LICENCE
        self._options = options
        self._overlay = overlay.read(Path(options.overlay), options) if options.overlay else None
        self._opening = Faults(str(source))
        self._members = _selected(members(source, options, self._opening), options.samples, source)
        for file in sorted({member.file for member in self._members}):
            note_other_file(file, self._opening)

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[Sample]:
        self.report.counts.clear()
        self.report.findings.clear()
        self._opening.drain_into(self.report)
        samples = self._samples()
        if self._overlay is None:
            return samples
        return overlay.apply(samples, self._overlay, self.report, complete=not self._options.samples)

    def _samples(self) -> Iterator[Sample]:
        seen: set[str] = set()
        for member in self._members:
            faults = Faults(str(member.file))
            conversation = member.read(faults)
            sample = self._sample(conversation, member, seen, faults) if conversation else None
            faults.drain_into(self.report)
            if sample is not None and not faults.refused:
                yield sample

    def _sample(self, conversation: Conversation, member: Member, seen: set[str], faults: Faults) -> Sample:
        sample_id = _sample_id(conversation, seen, faults)
        sessions = read_sessions(conversation, faults)
        questions = read_questions(conversation, sessions, faults)
        if not faults.refused:
            note_oddities(conversation, questions, faults)
            if self._options.observations:
                sessions = with_observations(conversation, sessions, faults)
        arrange = at_end if self._options.checkpoints == "end" else by_evidence
        return Sample(
            sample_id=sample_id,
            domain="locomo",
            sessions=sessions,
            checkpoints=arrange(sessions, questions) if sessions else (),
            meta={"aliases": (member.alias,)},
        )


class LoCoMo:
    """Data set `locomo`: reads `locomo10.json`, or a folder of the older layout with a file each conversation."""

    name = "locomo"
    revision = 1
    Options = LoCoMoOptions

    def __init__(self, options: LoCoMoOptions | None = None) -> None:
        self._options = options or LoCoMoOptions()

    def accepts(self, path: Path) -> bool:
        """Whether `path` looks like LoCoMo, by its first bytes."""
        return looks_like(path)

    def open(self, source: str, options: LoCoMoOptions | None = None) -> Conversations:
        """Open the file or folder `source`; raises DataError where nothing can be read."""
        if not source:
            raise DataError("say where it is: -d locomo:PATH (memarena data fetch locomo brings it)")
        return Conversations(Path(source), options or self._options)

    def fetch(
        self,
        to: Path,
        revision: str | None = None,
        confirm: Callable[[str], bool] = lambda cost: True,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Path:
        """Bring `locomo10.json` into the folder `to` and return its path; see `fetch.download`.

        The file is pinned by its hash, so `revision` may only be the pinned commit.
        """
        from memarena_arena.fetch import Remote, download

        if revision not in (None, REVISION):
            raise UsageError(f"--revision: locomo is pinned to {REVISION}; leave the flag out")
        remote = Remote(url=os.environ.get(URL_VARIABLE) or URL, size=SIZE, sha256=SHA256)
        return download(remote, to / FILE_NAME, confirm, progress)


def _sample_id(conversation: Conversation, seen: set[str], faults: Faults) -> str:
    path = f"{conversation.path}.sample_id"
    given = conversation.sample_id
    if not isinstance(given, str) or not PLAIN_NAME.fullmatch(given):
        faults.refuse("odd_sample_id", f"{quoted(given)} is no plain name (letters, digits, . _ + = @ -)", path)
        return ""
    if given in seen:
        faults.refuse("repeated_sample_id", f"{given} is the id of an earlier conversation", path)
    seen.add(given)
    return given


def _selected(found: Sequence[Member], wanted: Sequence[str], source: Path) -> list[Member]:
    for name in wanted:
        if not any(name in (member.name, member.alias) for member in found):
            known = ", ".join(quoted(member.name) for member in found[:20])
            raise UsageError(f"--sample: no {quoted(name)} in {source}; it has {known}")
    return [member for member in found if not wanted or member.name in wanted or member.alias in wanted]
