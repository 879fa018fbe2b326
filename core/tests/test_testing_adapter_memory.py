"""Each check of what an adapter keeps finds the fault that it is for, and no other check finds it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest

from memarena.records import MemoryItem
from memarena.testing import checks_of, run_checks
from memarena.testing.notebook import Notebook


class IndexesLate(Notebook):
    """The snapshot is up to date, but a session is found by `retrieve` only when the next one ends."""

    cannot = ("persistent",)

    def reset(self, context):
        super().reset(context)
        self.indexed = []

    def end_session(self, session_id):
        self.indexed = list(self.items)
        super().end_session(session_id)

    def ranking(self, query):
        return [item for item in super().ranking(query) if item.memory_id in self.indexed]


class KeepsTheOldValue(Notebook):
    def replace(self, item):
        pass


class ForgetsInReverse(Notebook):
    cannot = (
        "persistent",
        "delta",
    )

    def snapshot_memories(self):
        return super().snapshot_memories()[::-1]


class LosesTimes(Notebook):
    def item(self, turn):
        return msgspec.structs.replace(super().item(turn), text=f"[] {turn.role}: {turn.text}")


class CountsAccesses(Notebook):
    def retrieve(self, query, top_k):
        found = super().retrieve(query, top_k)
        for item in found.items[:1]:
            hits = item.metadata.get("hits", 0) + 1
            self.items[item.memory_id] = msgspec.structs.replace(self.items[item.memory_id], metadata={"hits": hits})
        return found


class NumbersFromTheNewest(Notebook):
    cannot = ("delta",)

    def numbered(self):
        newest_first = list(self.items.values())[::-1]
        return {item.memory_id: f"m{place}" for place, item in enumerate(newest_first)}

    def snapshot_memories(self):
        ids = self.numbered()
        return [msgspec.structs.replace(item, memory_id=ids[item.memory_id]) for item in self.items.values()]

    def ranking(self, query):
        ids = self.numbered()
        return [msgspec.structs.replace(item, memory_id=ids[item.memory_id]) for item in super().ranking(query)]


class TellsOnlyTheFirstChange(Notebook):
    def export_memory_delta(self, session_id):
        return tuple(self.changes[:1])


class DependsOnTheFolder(Notebook):
    def item(self, turn):
        item = super().item(turn)
        return msgspec.structs.replace(item, text=f"{item.text} ({self.path.parent.name})")


class SurvivesReset(Notebook):
    cannot = ("updates",)

    def reset(self, context):
        old = getattr(self, "items", {})
        super().reset(context)
        self.items = old


class SharesAClassAttribute(Notebook):
    cannot = (
        "parallel_safe",
        "persistent",
    )
    shared: ClassVar[dict[str, MemoryItem]] = {}

    def reset(self, context):
        super().reset(context)
        self.shared.clear()
        self.items = self.shared


class WritesIntoTheWorkingDirectory(Notebook):
    def end_session(self, session_id):
        super().end_session(session_id)
        if Path.cwd().name == "cwd":
            Path("stray.log").write_text(session_id, encoding="utf-8")


class SavesOneSessionLate(Notebook):
    late = b"[]"

    def save(self):
        self.path.write_bytes(self.late)
        self.late = msgspec.json.encode(list(self.items.values()))


class OneAtATime(Notebook):
    busy: object = None

    def reset(self, context):
        super().reset(context)
        OneAtATime.busy = None

    def ingest_turn(self, turn):
        if OneAtATime.busy not in (None, self):
            raise RuntimeError("another instance is at work")
        OneAtATime.busy = self
        super().ingest_turn(turn)

    def end_session(self, session_id):
        OneAtATime.busy = None
        super().end_session(session_id)


class KeepsAsciiOnly(Notebook):
    def item(self, turn):
        item = super().item(turn)
        return msgspec.structs.replace(item, text=item.text.encode("ascii", "replace").decode())


class NamesItemsByText(Notebook):
    cannot = ("updates",)

    def replace(self, item):
        pass

    def snapshot_memories(self):
        return [msgspec.structs.replace(item, memory_id=item.text[-24:]) for item in self.items.values()]

    def ranking(self, query):
        return [msgspec.structs.replace(item, memory_id=item.text[-24:]) for item in super().ranking(query)]

    def export_memory_delta(self, session_id):
        return [item.added() for item in self.snapshot_memories() if item.session_id == session_id]


class FailsOnAnEmptyQuery(Notebook):
    def ranking(self, query):
        return super().ranking(query) if query.split()[0] else []


class CutsLongTurns(Notebook):
    def item(self, turn):
        item = super().item(turn)
        return msgspec.structs.replace(item, text=item.text[:2000])


class OpensEveryPicture(Notebook):
    def item(self, turn):
        for picture in turn.attachments:
            if turn.attachments[0].path is not None:
                Path(picture.path).read_bytes()
        return super().item(turn)


class GuessesPaths(Notebook):
    def item(self, turn):
        item = super().item(turn)
        guess = f"images/{turn.attachments[0].image_id}.png" if turn.attachments else ""
        return msgspec.structs.replace(item, image_path=item.image_path or guess)


class Prints(Notebook):
    def end_session(self, session_id):
        super().end_session(session_id)
        print("stored", session_id, file=sys.stderr)


FAULTS = {
    "visible_after_end_session": IndexesLate,
    "update_replaces": KeepsTheOldValue,
    "order_kept": ForgetsInReverse,
    "time_kept": LosesTimes,
    "retrieval_changes_nothing": CountsAccesses,
    "ids_are_stable": NumbersFromTheNewest,
    "delta_explains_the_change": TellsOnlyTheFirstChange,
    "same_input_same_memories": DependsOnTheFolder,
    "reset_isolates": SurvivesReset,
    "folder_isolates": SharesAClassAttribute,
    "folder_contains_all_files": WritesIntoTheWorkingDirectory,
    "reopen_finds_everything": SavesOneSessionLate,
    "rigs_run_in_parallel": OneAtATime,
    "unicode_survives": KeepsAsciiOnly,
    "duplicates_accepted": NamesItemsByText,
    "empty_input_accepted": FailsOnAnEmptyQuery,
    "long_input_accepted": CutsLongTurns,
    "pictures_accepted": OpensEveryPicture,
    "missing_pictures_accepted": GuessesPaths,
    "no_stray_output": Prints,
}


def failed(adapter) -> set[str]:
    return {result.name for result in run_checks(adapter) if result.outcome == "failed"}


def test_every_check_of_this_part_has_a_planted_fault():
    part = [check.name for check in checks_of("adapter") if not check.run.__module__.endswith("adapter_shape")]
    assert set(FAULTS) == set(part)


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_fails_its_own_check_and_no_other(name):
    assert failed(FAULTS[name]) == {name}
