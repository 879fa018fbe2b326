"""What an adapter keeps: when it can be found, and what changes it."""

from __future__ import annotations

from collections.abc import Sequence

from memarena.records import MemoryChange, MemoryItem
from memarena.testing.checks import Stage, expect
from memarena.testing.contracts.play import (
    FACT,
    HISTORY,
    WORD,
    hear,
    hear_all,
    needs,
    needs_memory,
    needs_verbatim,
    shown,
    start,
    turns,
)


def visible_after_end_session(stage: Stage) -> None:
    """What a session said is in the snapshot and is found by `retrieve` once `end_session` has returned.

    If this fails: flush and wait inside `end_session` until the index is up to date.
    """
    rig, can = start(stage)
    needs_memory(can)
    hear(rig, "S01", HISTORY[0])
    if can.state:
        expect(WORD in " ".join(shown(rig, can)), f"no active item of the snapshot holds {WORD!r} of {FACT!r}")
    found = [item.text for item in rig.retrieve(query=FACT, top_k=10).items]
    expect(WORD in " ".join(found), f"nothing that was retrieved for {FACT!r} holds {WORD!r}")


def update_replaces(stage: Stage) -> None:
    """With `Capabilities.updates`, a fact that is superseded leaves the active items.

    If this fails: replace the item, or give the old one the status `archived`; or do not claim `updates`.
    """
    rig, can = start(stage)
    needs(can.updates, "it does not claim to replace what is superseded (updates)")
    hear(rig, "S01", ("The locker code of Zanetti is 4711.", "I have it."))
    hear(rig, "S02", ("The locker code of Zanetti is 9320.", "I have the new one."))
    texts = shown(rig, can)
    expect(any("9320" in text for text in texts), "the new value 9320 is not kept")
    stale = [text for text in texts if "4711" in text and "9320" not in text]
    expect(not stale, f"the old value is still active: {stale[:1]}")


def order_kept(stage: Stage) -> None:
    """A store that keeps turns word for word shows those of a session whole and in their order.

    If this fails: show items in the order in which they came in, each text uncut; or do not claim `verbatim`.
    """
    rig, can = start(stage)
    needs_verbatim(can)
    said = [f"Step {number}: {word}." for number, word in enumerate(("saw", "plane", "sand", "glue", "paint"), 1)]
    hear(rig, "S01", said)
    whole = "\n".join(shown(rig, can, query=" ".join(said)))
    places = [whole.find(text) for text in said]
    lost = [text for text, place in zip(said, places, strict=True) if place < 0]
    expect(not lost, f"not kept word for word: {lost[:1]}")
    expect(places == sorted(places), "the turns are kept in another order than they were said")


def time_kept(stage: Stage) -> None:
    """A store that keeps turns word for word keeps their times, in the text or in the metadata.

    If this fails: write `turn.time` before the text, e.g. `[2026-01-01 09:00] user: ...`.
    """
    rig, can = start(stage)
    needs_verbatim(can)
    hear(rig, "S01", HISTORY[0])
    items = rig.snapshot_memories() if can.state else rig.retrieve(query=FACT, top_k=50).items
    whole = "\n".join(f"{item.text} {dict(item.metadata)}" for item in items)
    lost = [turn.time for turn in turns("S01", HISTORY[0]) if turn.time and turn.time not in whole]
    expect(not lost, f"the time {lost[:1]} of a turn is nowhere in the items")


def retrieval_changes_nothing(stage: Stage) -> None:
    """`retrieve` leaves the snapshot as it was.

    If this fails: write no access times, counters or new memories while a question is asked.
    """
    rig, can = start(stage)
    needs(can.state, "its state is not visible")
    hear_all(rig)
    before = rig.snapshot_memories()
    for query in (FACT, "Who paints boats?", FACT):
        rig.retrieve(query=query, top_k=5)
    after = rig.snapshot_memories()
    changed = [new.memory_id for old, new in zip(before, after, strict=False) if old != new]
    expect(len(before) == len(after), f"{len(before)} items became {len(after)}")
    expect(not changed, f"item {changed[:1]} changed")


def ids_are_stable(stage: Stage) -> None:
    """An item that is still there after another session still has its memory_id, and no two share one.

    If this fails: give the id when the item is made, not when the snapshot is taken.
    """
    rig, can = start(stage)
    needs(can.state, "its state is not visible")
    hear(rig, "S01", HISTORY[0])
    before = {item.memory_id: item.text for item in rig.snapshot_memories()}
    hear(rig, "S02", HISTORY[1])
    after = {item.memory_id: item.text for item in rig.snapshot_memories()}
    texts = list(after.values())
    for memory_id, text in before.items():
        if texts.count(text) == 1 and list(before.values()).count(text) == 1:
            expect(after.get(memory_id) == text, f"the item {memory_id!r} has another id after the next session")


def delta_explains_the_change(stage: Stage) -> None:
    """With `Capabilities.delta`, the changes of a session say what is different in the snapshot, and no more.

    If this fails: `add` each new item once, `update` or `merge` each text that changed, `delete` (or name in
    `replaces`) each one that is gone; or do not claim `delta`.
    """
    rig, can = start(stage)
    needs(can.state, "its state is not visible")
    needs(can.delta, "it does not tell what a session did (delta)")
    before: dict[str, MemoryItem] = {}
    for session_id, texts in (("S01", HISTORY[0]), ("S02", HISTORY[1]), ("S03", ())):
        hear(rig, session_id, texts)
        after = {item.memory_id: item for item in rig.snapshot_memories()}
        told = rig.export_memory_delta(session_id)
        expect(told is not None, f"export_memory_delta({session_id!r}) gave None")
        _compare(session_id, before, after, told or ())
        before = after


def same_input_same_memories(stage: Stage) -> None:
    """The same sessions heard twice leave the same texts.

    If this fails: draw every random number from `context.seed`, iterate no sets; a system that rewrites turns with a
    model says `verbatim=False`.
    """
    rig, can = start(stage, "one")
    needs(can.state, "its state is not visible")
    needs(can.verbatim is not False, "it rewrites turns (verbatim=False)")
    again, _ = start(stage, "two")
    hear_all(rig)
    hear_all(again)
    expect(sorted(shown(rig, can)) == sorted(shown(again, can)), "two runs over the same sessions differ")


def _compare(
    session_id: str, before: dict[str, MemoryItem], after: dict[str, MemoryItem], told: Sequence[MemoryChange]
) -> None:
    where = f"session {session_id}"
    named = {change.memory_id for change in told if change.op != "keep"}
    gone = {change.memory_id for change in told if change.op == "delete"}
    gone |= {memory_id for change in told for memory_id in change.replaces}
    for memory_id, item in after.items():
        if item != before.get(memory_id):
            expect(memory_id in named, f"{where}: {memory_id!r} is new or changed, and no change says so")
    for memory_id in before.keys() - after.keys():
        expect(memory_id in gone, f"{where}: {memory_id!r} is gone, and no change says so")
    for change in told:
        if change.op == "add":
            expect(change.memory_id not in before, f"{where}: adds {change.memory_id!r}, which was there before")
            expect(change.memory_id in after.keys() | gone, f"{where}: adds {change.memory_id!r}, which is not there")
        if change.op == "delete":
            expect(change.memory_id not in after, f"{where}: deletes {change.memory_id!r}, which is still there")
