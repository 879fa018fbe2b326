"""Each check of an adapter's contract finds the fault that it is for, and no other check finds it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest

from memarena.floors import Constant, LastSession, Nothing, Verbatim, turn_line, words
from memarena.records import Answer, Capabilities, MemoryChange, MemoryItem, Retrieval
from memarena.testing import checks_of, run_checks


class Notebook:
    """Keeps turns word for word in a file, replaces `X is A` by `X is B`, and answers: all capabilities at once."""

    cannot: tuple[str, ...] = ()

    def reset(self, context):
        self.path = Path(context.folder) / "notes.json"
        self.items, self.pending, self.changes = {}, [], []
        self.save()

    def reopen(self, context):
        self.path = Path(context.folder) / "notes.json"
        rows = json.loads(self.path.read_text(encoding="utf-8"))
        self.items = {row["memory_id"]: msgspec.convert(row, MemoryItem) for row in rows}
        self.pending, self.changes = [], []

    def ingest_turn(self, turn):
        self.pending.append(turn)

    def end_session(self, session_id):
        self.changes = []
        for turn in self.pending:
            self.keep(self.item(turn))
        self.pending = []
        self.save()

    def item(self, turn):
        picture = turn.attachments[0] if turn.attachments else None
        return MemoryItem(
            memory_id=turn.turn_id,
            text=turn_line(turn),
            session_id=turn.session_id,
            turn_ids=(turn.turn_id,),
            image_path=(picture.path or "") if picture else "",
        )

    def keep(self, item):
        self.replace(item)
        self.items[item.memory_id] = item
        self.changes.append(item.added())

    def replace(self, item):
        subject = item.text.partition("] ")[2].partition(" is ")
        for old in [old for old in self.items.values() if subject[1] and f"{subject[0]} is " in old.text]:
            del self.items[old.memory_id]
            self.changes.append(MemoryChange(op="delete", memory_id=old.memory_id, text=old.text))

    def save(self):
        self.path.write_bytes(msgspec.json.encode(list(self.items.values())))

    def snapshot_memories(self):
        return tuple(self.items.values())

    def export_memory_delta(self, session_id):
        return tuple(self.changes)

    def ranking(self, query):
        asked = words(query)
        return sorted(self.items.values(), key=lambda item: len(asked & words(item.text)), reverse=True)

    def retrieve(self, query, top_k):
        return Retrieval.of(query, self.ranking(query)[:top_k])

    def answer(self, questions):
        return [Answer(question_id=asked.question_id, text="I do not know.") for asked in questions]

    def get_capabilities(self):
        claims = ("delta", "updates", "verbatim", "answers", "persistent", "parallel_safe")
        return Capabilities(modalities=("text", "image"), **{claim: claim not in self.cannot for claim in claims})


class WindowMemory:
    def reset(self, context):
        self.items = []

    def ingest_turn(self, turn):
        self.items.append(MemoryItem(memory_id=turn.turn_id, text=turn.text, session_id=turn.session_id))

    def end_session(self, session_id):
        pass  # nothing is buffered

    def snapshot_memories(self):
        return tuple(self.items)

    def export_memory_delta(self, session_id):
        return tuple(m.added() for m in self.items if m.session_id == session_id)

    def retrieve(self, query, top_k):
        return Retrieval.of(query, self.items[::-1][:top_k])

    def get_capabilities(self):
        return Capabilities(delta=True)


# -- one fault a check ------------------------------------------------------------------------


class GivesADefault(Notebook):
    def retrieve(self, query, top_k=10):
        return super().retrieve(query, top_k)


class HasAnUnknownModality(Notebook):
    def get_capabilities(self):
        return Capabilities(modalities=("text", "smell"))


class ChangesItsMind(Notebook):
    heard = False

    def end_session(self, session_id):
        super().end_session(session_id)
        self.heard = True

    def get_capabilities(self):
        return Capabilities(verbatim=True, updates=self.heard)


class PutsAnObjectIntoMetadata(Notebook):
    cannot = ("persistent",)

    def save(self):
        pass

    def item(self, turn):
        return msgspec.structs.replace(super().item(turn), metadata={"client": object})


class IgnoresK(Notebook):
    def retrieve(self, query):
        return Retrieval.of(query, self.ranking(query))


class RanksTwice(Notebook):
    def ranking(self, query):
        best = super().ranking(query)
        return best[:1] + best if len(best) > 6 else best


class RanksUnderOtherIds(Notebook):
    def retrieve(self, query, top_k):
        found = super().retrieve(query, top_k)
        items = [msgspec.structs.replace(item, memory_id=f"hit-{item.memory_id}") for item in found.items]
        return Retrieval(query=query, items=tuple(items))


class ReadsTimesAsNumbers(Notebook):
    def retrieve(self, query, top_k, time):
        if time is not None:
            float(time)
        return super().retrieve(query, top_k)


class AnswersTheFirstQuestionOnly(Notebook):
    def answer(self, questions):
        return super().answer(questions[:1])


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
    "signatures": GivesADefault,
    "capabilities_typed": HasAnUnknownModality,
    "capabilities_constant": ChangesItsMind,
    "records_typed": PutsAnObjectIntoMetadata,
    "k_obeyed": IgnoresK,
    "each_item_ranked_once": RanksTwice,
    "ranked_items_are_kept": RanksUnderOtherIds,
    "question_context_accepted": ReadsTimesAsNumbers,
    "one_answer_a_question": AnswersTheFirstQuestionOnly,
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


def results(adapter):
    return {result.name: result for result in run_checks(adapter)}


def failed(adapter):
    return {name: result.message for name, result in results(adapter).items() if result.outcome == "failed"}


def test_every_check_has_a_planted_fault():
    assert set(FAULTS) == {check.name for check in checks_of("adapter")}


def test_an_adapter_with_all_capabilities_passes_every_check():
    assert {result.outcome for result in results(Notebook).values()} == {"passed"}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_fails_its_own_check_and_no_other(name):
    assert set(failed(FAULTS[name])) == {name}


@pytest.mark.parametrize("adapter", [WindowMemory, Nothing, Constant, Verbatim, LastSession])
def test_plain_adapters_fail_no_check(adapter):
    assert failed(adapter) == {}


def test_the_window_of_the_first_tutorial_is_skipped_only_where_it_claims_nothing():
    skipped = {name for name, result in results(WindowMemory).items() if result.outcome == "skipped"}
    assert skipped == {
        "one_answer_a_question",
        "update_replaces",
        "order_kept",
        "time_kept",
        "reopen_finds_everything",
    }


def test_a_failed_check_says_what_was_found_and_how_to_repair_it():
    found = results(IgnoresK)["k_obeyed"]
    assert found.message == "top_k=1, yet 8 items came back"
    assert found.repair == "cut the list, e.g. `items[:top_k]`."
