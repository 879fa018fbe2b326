"""Who sees what an adapter keeps: another life, another instance, another thread, another process."""

from __future__ import annotations

import shutil
import threading
from concurrent.futures import ThreadPoolExecutor

from memarena.testing.checks import Stage, expect
from memarena.testing.contracts.play import (
    FACT,
    HISTORY,
    WORD,
    capabilities,
    context,
    hear,
    hear_all,
    mount,
    needs,
    shown,
    start,
    strange_place,
    turns,
)

_PATIENCE = 60.0
"""Seconds that one of two threads waits for the other."""


def reset_isolates(stage: Stage) -> None:
    """After `reset` nothing of before is left, in the store or in what is retrieved.

    If this fails: clear every buffer and index in `reset`, and use `context.folder` and `context.namespace`.
    """
    rig, _ = start(stage)
    hear_all(rig)
    rig.reset(context(stage, "two"))
    left = len(rig.snapshot_memories())
    expect(left == 0, f"{left} items are left in the snapshot")
    found = " ".join(item.text for item in rig.retrieve(query=FACT, top_k=50).items)
    expect(WORD not in found, f"{WORD!r} of before the reset was retrieved")


def folder_isolates(stage: Stage) -> None:
    """Two instances with folders of their own do not see each other's memories.

    If this fails: keep nothing in class attributes, module globals, or a database outside `context.folder`.
    """
    one, can = start(stage, "one")
    two, _ = start(stage, "two")
    hear(one, "S01", ("Alice keeps a Ptarmigan.", "A fine bird."))
    hear(two, "S01", ("Bob keeps a Capercaillie.", "A rare bird."))
    for rig, foreign in ((one, "Capercaillie"), (two, "Ptarmigan")):
        seen = shown(rig, can) + [item.text for item in rig.retrieve(query=foreign, top_k=50).items]
        expect(foreign not in " ".join(seen), f"one instance sees {foreign!r}, which only the other one heard")


def folder_contains_all_files(stage: Stage) -> None:
    """Nothing is written to the working directory or the home directory.

    If this fails: give every library a path below `context.folder`.
    """
    with strange_place(stage.folder) as places:
        rig, _ = start(stage)
        hear_all(rig)
        rig.snapshot_memories()
        rig.retrieve(query=FACT, top_k=5)
        for name, place in zip(("working", "home"), places, strict=True):
            strays = sorted(str(path.relative_to(place)) for path in place.rglob("*") if path.is_file())
            expect(not strays, f"written to the {name} directory: {', '.join(strays[:3])}")


def reopen_finds_everything(stage: Stage) -> None:
    """With `Capabilities.persistent`, `reopen` on a copy of the folder finds all that was kept, and goes on.

    If this fails: have everything on disk when `end_session` returns, under relative names; or do not claim
    `persistent`.
    """
    rig, can = start(stage)
    needs(can.persistent, "it does not claim to be found again (persistent)")
    expect("reopen" in rig.honours, "it claims to be persistent but has no method `reopen`")
    hear(rig, "S01", HISTORY[0])
    kept = sorted(shown(rig, can))
    shutil.copytree(stage.folder / "one", stage.folder / "copy")
    other = mount(stage)
    other.reopen(context(stage, "copy"))
    expect(sorted(shown(other, can)) == kept, "another instance does not find the same memories in the folder")
    hear(other, "S02", HISTORY[1])
    expect(WORD in " ".join(shown(other, can)), "after one more session the earlier memories are gone")


def rigs_run_in_parallel(stage: Stage) -> None:
    """Two instances work at the same time in two threads, each on its own memories.

    If this fails: share nothing between instances, or say `parallel_safe=False`.
    """
    needs(capabilities(mount(stage)).parallel_safe, "it does not claim to be safe in threads (parallel_safe)")
    both = threading.Barrier(2, timeout=_PATIENCE)
    own = ("Ptarmigan", "Capercaillie")

    def work(number: int) -> str:
        try:
            rig, can = start(stage, own[number])
            for session_id in ("S01", "S02", "S03"):
                both.wait()
                for turn in turns(
                    session_id, (f"A {own[number]} was seen in {session_id}.", f"How nice, {session_id}.")
                ):
                    rig.ingest_turn(turn)
                both.wait()
                rig.end_session(session_id)
            found = [item.text for item in rig.retrieve(query=own[number], top_k=50).items]
            return " ".join(shown(rig, can) + found)
        except BaseException:
            both.abort()
            raise

    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(work, number) for number in (0, 1)]
    failures = [error for job in jobs if (error := job.exception()) is not None]
    for error in sorted(failures, key=lambda error: isinstance(error, threading.BrokenBarrierError)):
        raise error
    for number, job in enumerate(jobs):
        expect(own[1 - number] not in job.result(), f"one thread sees {own[1 - number]!r} of the other")
