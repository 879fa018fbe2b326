"""The hooks of memarena on one page.

Rules that hold for all of them: calls are synchronous and by keyword; records are frozen; an implementation may leave
out arguments that it does not need, and may not give defaults, `*args` or `**kwargs`. New arguments and new hooks
raise the minor number of `HOOK_API`; a removal or a new meaning raises the major one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memarena import records as r
    from memarena.store import RunStore

HOOK_API = (1, 0)
"""Version of these hooks (major, minor). The major number of the core is that of the hook API."""

hookspec = pluggy.HookspecMarker("memarena")
hookimpl = pluggy.HookimplMarker("memarena")


class AdapterSpec:
    """A memory system under test. An adapter is a plain class with these names: no base class, no decorator.

    It may have `close()` besides, which is called when its cell is over; what that raises is not looked at.
    """

    @hookspec(firstresult=True)
    def reset(self, context: r.RunContext) -> None:
        """Forget everything. Called once, before the first turn. `context` holds a fresh private folder, the model
        and embedding endpoints with a key for this cell, seed, options and budgets."""

    @hookspec(firstresult=True)
    def reopen(self, context: r.RunContext) -> None:
        """Attach to the folder as an earlier process left it. Optional; asked for only with
        `Capabilities.persistent`."""

    @hookspec(firstresult=True)
    def ingest_turn(self, turn: r.Turn) -> None:
        """Take in one turn. Called for each turn in order, inside the write timer."""

    @hookspec(firstresult=True)
    def end_session(self, session_id: str) -> None:
        """Flush what is buffered and wait until it can be found. Called after the last turn of a session, inside the
        write timer."""

    @hookspec(firstresult=True)
    def snapshot_memories(self) -> Sequence[r.MemoryItem]:
        """Show all that is kept, with ids that are unique and stable. Called after each session and around each
        checkpoint, outside the write timer. Changes nothing."""

    @hookspec(firstresult=True)
    def export_memory_delta(self, session_id: str) -> Sequence[r.MemoryChange] | None:
        """Say what this session did. Called after each session. None means: the system cannot tell, and the core
        derives it from snapshots."""

    @hookspec(firstresult=True)
    def retrieve(
        self,
        query: str,
        top_k: int,
        time: str | None,
        attachments: Sequence[r.Attachment],
        budget_tokens: int | None,
    ) -> r.Retrieval:
        """Rank at most `top_k` items for a question, best first. Called for each question of a checkpoint, inside the
        retrieve timer. Must not change the store. None is refused; an empty retrieval is fine. `query` holds the
        captions of `attachments` too, as far as the run shows captions."""

    @hookspec(firstresult=True)
    def get_capabilities(self) -> r.Capabilities:
        """Say what the system can do: constant. Called first, before `reset`."""

    @hookspec(firstresult=True)
    def answer(self, questions: Sequence[r.AskedQuestion]) -> Sequence[r.Answer]:
        """Answer the questions of a checkpoint, one answer a question in any order. Only for agents that answer by
        themselves (`Capabilities.answers`). Called once a checkpoint, inside the answer timer."""


class ScorerSpec:
    """Scorers (group `memarena.scorers`): each is called for session, question and sample records; all are called.

    A scorer is a class with `name` and `revision`, its hooks decorated with `memarena.hookimpl`; one with several
    metrics, or with more to say of its one, has `metrics` (metric name -> `Metric`).
    """

    @hookspec
    def judgement_requests(
        self, record: r.SessionRecord | r.QuestionRecord | r.SampleRecord
    ) -> Mapping[str, r.JudgementRequest]:
        """Name what must be judged for this record; often nothing. Equal requests are judged once in a run."""

    @hookspec
    def score(
        self,
        record: r.SessionRecord | r.QuestionRecord | r.SampleRecord,
        labels: Mapping[str, r.Label | None],
    ) -> Sequence[r.Stat]:
        """Give the rows of this record. `labels` has the names that this scorer asked for; None means that the
        judgement failed: it is counted as invalid and never taken for a zero or a one. Pure and fast."""


class RunSpec:
    """Lifecycle of a run (group `memarena.plugins`), for exporters. A failure here leaves the run valid."""

    @hookspec
    def run_started(self, store: RunStore) -> None:
        """Called once, after `run.json` is written and before the first cell."""

    @hookspec
    def cell_finished(self, store: RunStore, cell_id: str, status: str) -> None:
        """Called when a cell ended; `status` is `done`, `failed` or `cancelled`."""

    @hookspec
    def run_finished(self, store: RunStore, status: str) -> None:
        """Called once, after the scores are written; `status` is `done`, `failed` or `cancelled`."""
