"""All that the agent keeps, and the functions that work on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from memarena.records import MemoryItem
from memarena_memgpt.archival import ArchivalStore
from memarena_memgpt.core_memory import CoreMemory, FunctionFailed
from memarena_memgpt.functions import SILENT, Call
from memarena_memgpt.journal import Journal
from memarena_memgpt.pages import Page, page_of
from memarena_memgpt.recall import RecallStore

LONGEST_RESULT = 3000
"""Characters of a function's result that the model is shown (that of MemGPT's released code)."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where what is written comes from."""

    session_id: str
    turn_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a function gave back."""

    text: str
    found: tuple[MemoryItem, ...] = ()


class Stores:
    """Core, recall and archival memory with their journal."""

    def __init__(self, core: CoreMemory, recall: RecallStore, archival: ArchivalStore) -> None:
        self.core = core
        self.recall = recall
        self.archival = archival
        self.journal = Journal()
        self._functions: Mapping[str, Callable[[Call, Origin], Outcome]] = {
            "core_memory_append": self._append,
            "core_memory_replace": self._replace,
            "archival_memory_insert": self._insert,
            "archival_memory_search": self._search_archival,
            "conversation_search": self._search_recall,
            "conversation_search_date": self._search_days,
            SILENT: lambda call, origin: Outcome("Nobody hears you."),
        }

    def execute(self, call: Call, origin: Origin) -> Outcome:
        """Execute a call. Raises FunctionFailed for what the model can mend, ModelCallFailed for a failed embedding."""
        return self._functions[call.name](call, origin)

    def _append(self, call: Call, origin: Origin) -> Outcome:
        block = self.core.blocks[call.arguments["name"]]
        changes = block.append(call.arguments["content"], origin.session_id, origin.turn_ids)
        self.journal.write(origin.session_id, changes)
        return Outcome("Done.")

    def _replace(self, call: Call, origin: Origin) -> Outcome:
        block = self.core.blocks[call.arguments["name"]]
        old, new = call.arguments["old_content"], call.arguments["new_content"]
        self.journal.write(origin.session_id, block.replace(old, new, origin.session_id, origin.turn_ids))
        return Outcome("Done.")

    def _insert(self, call: Call, origin: Origin) -> Outcome:
        item = self.archival.insert(call.arguments["content"], origin.session_id, origin.turn_ids)
        self.journal.write(origin.session_id, [item.added()])
        return Outcome("Done.")

    def _search_archival(self, call: Call, origin: Origin) -> Outcome:
        return _shown(self.archival.search(call.arguments["query"]), call)

    def _search_recall(self, call: Call, origin: Origin) -> Outcome:
        return _shown(self.recall.search(call.arguments["query"]), call)

    def _search_days(self, call: Call, origin: Origin) -> Outcome:
        try:
            start, end = (date.fromisoformat(call.arguments[key]) for key in ("start_date", "end_date"))
        except ValueError as error:
            raise FunctionFailed(f"a day is written YYYY-MM-DD ({error})") from None
        return _shown(self.recall.search_days(start, end), call)


def _shown(found: Sequence[MemoryItem], call: Call) -> Outcome:
    number = call.arguments.get("page", 0)
    if number < 0:
        raise FunctionFailed("pages are numbered from 0")
    page: Page = page_of(found, number)
    return Outcome(_cut(page.render()), page.items)


def _cut(text: str) -> str:
    if len(text) <= LONGEST_RESULT:
        return text
    return f"{text[:LONGEST_RESULT]} [cut: {len(text) - LONGEST_RESULT} characters more]"
