"""What stands between two sessions of an agent: a memory system in its rig, a fixed text, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol, TypeVar

from msgspec.structs import replace

from memarena import codec
from memarena.cell import Cancelled
from memarena.errors import AdapterContractError, AdapterFailure, one_line
from memarena.journal import Journal, SessionEnded
from memarena.memory import MemoryState
from memarena.records import Capabilities, MemoryChange, MemoryItem, Record, Retrieval, RunContext, Turn
from memarena.rig import Rig
from memarena.suites import Seat
from memarena_aha.parts import Said
from memarena_aha.suite.blocks import block_of

__all__ = ["Carrier", "FixedText", "Recalled", "RigMemory"]

T = TypeVar("T")
KEPT_BY = ("add", "update", "merge")
"""Changes whose text is in the store afterwards."""
ASKED, TOLD, LOOKED = ("asked", "unanswered"), ("told", "unheard"), ("looked", "unseen")
"""What calls count as, and those of them that fail: to `retrieve`; to all that it learns from; at its state."""
DROPPED = "dropped_"
"""A memory that keeps to the budget itself says in its trace what it left out: `dropped_turns`, `dropped_rounds`."""


class Recalled(Record, frozen=True, kw_only=True):
    """What a memory gave for one decision."""

    query: str = ""
    text: str = ""
    """The block as the agent sees it, cut to the budget."""
    pieces: tuple[str, ...] = ()
    """The same, item by item."""
    ids: tuple[str, ...] = ()
    tokens: int = 0
    cut: bool = False
    """The memory gave more than the budget holds."""


class Carrier(Protocol):
    """What an agent has of earlier sessions."""

    def recall(self, query: str) -> Recalled:
        """What is shown for a decision."""
        ...

    def begin_session(self, session: str) -> None: ...

    def hear(self, said: Said) -> None: ...

    def end_session(self) -> None: ...


class FixedText:
    """The same text at every decision, and nothing is heard; "": an empty memory."""

    def __init__(self, text: str = "", name: str = "gold") -> None:
        pieces = (text,) if text else ()
        block = block_of(pieces, None)
        ids = (name,) if block.text else ()
        self._recalled = Recalled(text=block.text, pieces=block.items, ids=ids, tokens=block.tokens)

    def recall(self, query: str) -> Recalled:
        return replace(self._recalled, query=query)

    def begin_session(self, session: str) -> None:
        pass

    def hear(self, said: Said) -> None:
        pass

    def end_session(self) -> None:
        pass


class RigMemory:
    """The memory system of a cell, from one `reset` to the next.

    What it raises is counted and costs it that call: an empty result is passed on, and the run goes on. One that cannot
    be reset at all ends its cell; after a restart that failed, every further call counts as one that failed.

    `restart`: between two sessions it is stopped and started again; what it left in its folder is all that it has,
    where it says `persistent`, else it hears all sessions again.
    """

    def __init__(self, seat: Seat, journal: Journal, *, top_k: int, budget: int | None, restart: bool = False) -> None:
        self._seat = seat
        self._journal = journal
        self._top_k = top_k
        self._budget = budget
        self._restarts = restart
        self._stack = ExitStack()
        self._context: RunContext | None = None
        self._resets = 0
        self._sessions_in_all = 0
        self._spent: Counter[str] = Counter()
        self._called: Counter[str] = Counter()
        self.rig: Rig = self._stack.enter_context(seat.rig())
        self.capabilities: Capabilities = self.rig.get_capabilities()
        self._clear("")

    def _clear(self, condition: str) -> None:
        self._condition = condition
        self._dead = False
        self._state = MemoryState()
        self._heard: list[tuple[str, list[Turn]]] = []
        self._session = ""
        self._turns: list[Turn] = []
        self.tally: Counter[str] = Counter()
        """`calls` and `errors`; of these `asked` and `unanswered` (to `retrieve`), `told` and `unheard` (those that it
        is to learn from)."""
        self.problem = ""
        self.written: list[str] | None = [] if self.capabilities.state else None
        """Texts that the store took in, session by session; None where it was not visible after each of them."""

    def reset(self, condition: str) -> None:
        """Forget everything: a condition begins. Raises AdapterFailure or AdapterContractError where it cannot."""
        self._clear(condition)
        self._resets += 1
        self.rig.reset(self._fresh())

    def close(self) -> None:
        """Let go of the system; what its calls took stays in `seconds` and `called`."""
        ledger = self.rig.ledger
        self._spent.update(ledger.nanoseconds)
        self._called.update(ledger.calls)
        self._stack.close()

    @property
    def called(self) -> dict[str, int]:
        """Calls by method, over all instances that were closed."""
        return {name: calls for name, calls in self._called.items() if calls}

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds by method, of those."""
        return {name: self._spent[name] / 1e9 for name in self.called}

    def recall(self, query: str) -> Recalled:
        self._stop_here()
        found = self._call(lambda: self._retrieve(query), Retrieval(query=query), ASKED)
        block = block_of([item.text for item in found.items], self._budget)
        return Recalled(
            query=query,
            text=block.text,
            pieces=block.items,
            ids=tuple(item.memory_id for item in found.items[: len(block.items)]),
            tokens=block.tokens,
            cut=block.cut or any(name.startswith(DROPPED) and left_out for name, left_out in found.trace.items()),
        )

    def begin_session(self, session: str) -> None:
        self._session, self._turns = session, []

    def hear(self, said: Said) -> None:
        self._stop_here()
        index = len(self._turns)
        turn = Turn(
            turn_id=f"{self._session}:T{index + 1:04}",
            session_id=self._session,
            index=index,
            role=said.role,
            text=said.text,
            body=said.text,
        )
        self._turns.append(turn)
        self._call(lambda: self.rig.ingest_turn(turn), None, TOLD)

    def end_session(self) -> None:
        """The session ends, and is written down; with `restart` the system is stopped and started again after it."""
        session, turns = self._session, self._turns
        self._call(lambda: self.rig.end_session(session), None, TOLD)
        self._state.heard(turns)
        self._heard.append((session, turns))
        self._settle(session, turns)
        if self._restarts:
            self._restart()

    def snapshot(self) -> tuple[MemoryItem, ...] | None:
        """All that is kept; None where the state is not visible, or could not be had."""
        return self._call(self.rig.snapshot_memories, None) if self.capabilities.state else None

    def _settle(self, session: str, turns: Sequence[Turn]) -> None:
        """Write down what a session did to the store."""
        name = f"{self._condition}:{session}"
        entry = SessionEnded(session_id=name, index=self._sessions_in_all, turns=len(turns))
        self._sessions_in_all += 1
        found = self.snapshot()
        if found is not None:
            change, derived = self._state.advance(session, found)
            told: Sequence[MemoryChange] | None = self._call(lambda: self.rig.export_memory_delta(session), None)
            changes = derived if told is None else tuple(told)
            if self.written is not None:
                self.written += [one.text for one in changes if one.op in KEPT_BY]
            entry = replace(entry, snapshot=change, changes=changes, told=told is not None)
        else:
            self.written = None
        self._journal.write(entry)

    def _retrieve(self, query: str) -> Retrieval:
        found = self.rig.retrieve(query=query, top_k=self._top_k, budget_tokens=self._budget)
        return replace(found, items=found.items[: self._top_k]) if self.capabilities.ranked else found

    def _restart(self) -> None:
        self.close()
        self._stack = ExitStack()
        self.rig = self._stack.enter_context(self._seat.rig())
        if self.capabilities.persistent:
            context = self._context
            assert context is not None, "a session is over, so there was a reset"
            self._dead = not self._call(lambda: self._reopen(context), False, TOLD)
            return
        self._resets += 1
        self._dead = not self._call(lambda: self._reset(self._fresh()), False, TOLD)
        for session, turns in self._heard:
            for turn in turns:
                self._call(lambda turn=turn: self.rig.ingest_turn(turn), None, TOLD)  # type: ignore[misc]
            self._call(lambda session=session: self.rig.end_session(session), None, TOLD)  # type: ignore[misc]

    def _fresh(self) -> RunContext:
        """A context with a folder and a name that no earlier reset of this cell had."""
        first = self._seat.context() if self._context is None else self._context
        base = first.folder.rpartition("/memory-")[0] or first.folder
        namespace = f"{self._seat.spec.cell_id}.{self._resets}"
        folder = f"{base}/memory-{self._resets}"
        with codec.storing(Path(folder)):
            Path(folder).mkdir(parents=True)
        self._context = replace(first, folder=folder, namespace=namespace)
        return self._context

    def _reset(self, context: RunContext) -> bool:
        self.rig.reset(context)
        return True

    def _reopen(self, context: RunContext) -> bool:
        self.rig.reopen(context)
        return True

    def _call(self, work: Callable[[], T], otherwise: T, kind: tuple[str, str] = LOOKED) -> T:
        """What a call gives, and `otherwise` where it fails; `kind`: what it, and its failure, count as."""
        self.tally.update(dict.fromkeys(("calls", kind[0]), 1))
        if not self._dead:
            try:
                return work()
            except (AdapterFailure, AdapterContractError) as error:
                self.problem = self.problem or one_line(error)
        self.tally.update(dict.fromkeys(("errors", kind[1]), 1))
        return otherwise

    def _stop_here(self) -> None:
        if self._seat.stop.is_set():
            raise Cancelled
