"""AMA-Bench: trajectories of agents, twelve questions each (MIT).

An episode becomes a sample `episode-<id>`. Its task is the first turn, by the user; each step is a turn by the agent
whose text begins with `Step <number>`, since questions quote these numbers. A session holds `steps` steps. Episodes
that the generators of the set wrote lie in a file each.

Whether the observation of a step was made before its action or is what came of it differs by source, and the files do
not say: `observation` decides, and the order in the text follows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from memarena.errors import UsageError
from memarena.records import Checkpoint, Finding, Sample
from memarena_arena.faults import Faults, quoted
from memarena_arena.public import fields
from memarena_arena.public.amabench_questions import read_questions
from memarena_arena.public.amabench_steps import BEFORE, Steps
from memarena_arena.public.opened import (
    PublicOptions,
    PublicSamples,
    file_hash,
    files_of,
    only_file,
    sample_id,
    split_of,
)
from memarena_arena.public.stream import Item, head_of, opened, records

LICENCE = "MIT"
SPLITS: Mapping[str, re.Pattern[str]] = {
    "open_end": re.compile(r"open_end[^/]*$"),
    "mcq": re.compile(r"mcq[^/]*$"),
}

_RECORD = frozenset({
    "episode_id", "task", "task_type", "domain", "success", "num_turns", "total_tokens", "trajectory", "qa_pairs",
    "difficulty", "state", "fail_reason", "summary", "source", "random_ratio", "observation_format",
})  # fmt: skip


class AmaBenchOptions(PublicOptions, frozen=True, kw_only=True):
    """Which file is read, and how its steps become sessions."""

    split: str = ""
    """`open_end` or `mcq`: which file of a folder; "": the only one."""
    steps: int = 20
    """So many steps are a session."""
    observation: Literal["auto", "after", "before"] = "auto"
    """Is the observation of a step what came `after` its action, or what was seen `before` it? `auto`: before it in
    episodes of the generators (those with an `observation_format`), else after it."""


class AmaBench:
    """Data set `amabench`: `open_end_qa_set.jsonl`, or a folder with a file each episode; an episode at a time."""

    name = "amabench"
    revision = 1
    Options = AmaBenchOptions

    def __init__(self, options: AmaBenchOptions | None = None) -> None:
        self._options = options or AmaBenchOptions()

    def accepts(self, path: Path) -> bool:
        """Whether the first bytes of `path`, or the names or first bytes in a folder, are those of AMA-Bench."""
        if path.is_dir():
            named = any(pattern.search(file.name) for file in path.glob("*.jsonl") for pattern in SPLITS.values())
            return named or any(self.accepts(file) for file in sorted(path.glob("*.json"))[:3])
        head = head_of(path)
        return head[:1] in (b"{", b"[") and b'"episode_id"' in head and b'"task_type"' in head

    def open(self, source: str, options: AmaBenchOptions | None = None) -> PublicSamples:
        """Open a file, or a folder with one or with a file each episode; raises UsageError or DataError where it is
        not clear which, or none."""
        if not source:
            raise UsageError("amabench needs a file: -d amabench:PATH")
        chosen = options or self._options
        if chosen.steps < 1:
            raise UsageError(f"amabench.steps={chosen.steps}: a session needs a step")
        files = files_of(Path(source), chosen.split, SPLITS, (".jsonl", ".json"), others=not chosen.split)
        sets = [file for file in files if split_of(file, SPLITS)]
        if sets:
            files = [only_file(sets, Path(source))]
        for file in files:
            opened(file, chosen).close()
        return PublicSamples(chosen, LICENCE, lambda: _Pass(files, chosen))


class _Pass:
    """One pass over the files."""

    def __init__(self, files: list[Path], options: AmaBenchOptions) -> None:
        self._files = files
        self._options = options
        self._digest = sha256()
        self._unread = fields.Unread()

    def items(self) -> Iterable[Item]:
        return (item for file in self._files for item in records(file, self._options, self._digest))

    def finish(self) -> Iterable[Finding]:
        if len(self._files) == 1:
            yield file_hash(self._files[0], self._digest.hexdigest())

    def build(self, item: Item) -> Sample | None:
        faults, path = item.faults, item.path
        raw = fields.an_object(item.value, "episode", path, faults)
        if raw is None:
            return None
        self._unread.tell(raw, _RECORD, "episode", path, faults)
        name = _episode(raw, path, faults)
        steps = Steps(raw, path, self._unread, faults)
        sessions, turns = steps.sessions(self._options.steps, before=self._before(raw))
        questions = read_questions(raw, turns, path, self._unread, faults)
        if faults.refused:
            return None
        covered = tuple(session.session_id for session in sessions)
        asked = Checkpoint(checkpoint_id="end", covered=covered, after_session=covered[-1], questions=questions)
        kinds = (fields.a_text(raw, key, path, faults).strip().lower() for key in ("domain", "task_type"))
        return Sample(
            sample_id=name,
            regime="agentic",
            domain="/".join(("amabench", *(kind for kind in kinds if kind))),
            sessions=sessions,
            checkpoints=(asked,) if questions else (),
            meta={"success": raw["success"]} if isinstance(raw.get("success"), bool) else {},
        )

    def _before(self, raw: Mapping[str, Any]) -> bool:
        if self._options.observation == "auto":
            return raw.get("observation_format") is not None
        return self._options.observation == BEFORE


def _episode(raw: Mapping[str, Any], path: str, faults: Faults) -> str:
    given = raw.get("episode_id")
    if given is None or isinstance(given, bool | float | list | dict):
        faults.refuse("odd_sample_id", f"{quoted(given)} is no id", f"{path}.episode_id")
        return ""
    return sample_id(f"episode-{given}", f"{path}.episode_id", faults)
