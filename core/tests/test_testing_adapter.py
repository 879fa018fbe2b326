"""Each check of what an adapter takes and gives finds the fault that it is for, and no other check finds it."""

from __future__ import annotations

import msgspec
import pytest

from memarena.floors import Constant, LastSession, Nothing, Verbatim
from memarena.records import Capabilities, MemoryItem, Retrieval
from memarena.testing import checks_of, run_checks
from memarena.testing.notebook import Notebook


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
}


def failed(adapter) -> set[str]:
    return {result.name for result in run_checks(adapter) if result.outcome == "failed"}


def test_every_check_of_this_part_has_a_planted_fault():
    part = [check.name for check in checks_of("adapter") if check.run.__module__.endswith("adapter_shape")]
    assert set(FAULTS) == set(part)


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_fails_its_own_check_and_no_other(name):
    assert failed(FAULTS[name]) == {name}


def test_an_adapter_with_all_capabilities_passes_every_check():
    assert {result.outcome for result in run_checks(Notebook)} == {"passed"}


@pytest.mark.parametrize("adapter", [WindowMemory, Nothing, Constant, Verbatim, LastSession])
def test_plain_adapters_fail_no_check(adapter):
    assert failed(adapter) == set()


def test_the_window_of_the_first_tutorial_is_skipped_only_where_it_claims_nothing():
    skipped = {result.name for result in run_checks(WindowMemory) if result.outcome == "skipped"}
    assert skipped == {
        "one_answer_a_question",
        "update_replaces",
        "order_kept",
        "time_kept",
        "reopen_finds_everything",
    }


def test_a_failed_check_says_what_was_found_and_how_to_repair_it():
    found = next(result for result in run_checks(IgnoresK) if result.name == "k_obeyed")
    assert found.message == "top_k=1, yet 8 items came back"
    assert found.repair == "cut the list, e.g. `items[:top_k]`."
