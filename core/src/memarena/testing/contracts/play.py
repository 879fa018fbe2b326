"""How the checks of adapters play: a mounted adapter, a few sessions, and what it can show of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path

from memarena.errors import AdapterContractError, AdapterFailure
from memarena.instruments.boundary import Boundary
from memarena.records import Attachment, Capabilities, RunContext, Turn
from memarena.rig import Rig
from memarena.testing.checks import Skipped, Stage

FACT = "The locker code of Zanetti is 4711."
WORD = "Zanetti"
"""The word of FACT that nothing else holds."""
HISTORY: tuple[tuple[str, ...], ...] = (
    (FACT, "I wrote the locker code down.", "Quillon keeps nine bees on the roof.", "Nine bees, understood."),
    ("The harbour office opens at seven.", "Seven it is.", "Marlow paints boats in green.", "Green boats, good."),
)
"""What is said in two sessions; user and assistant take turns, and no text comes twice."""


def mount(stage: Stage) -> Rig:
    """A new adapter in a rig, not yet reset. Skipped where it cannot be mounted: `signatures` says why."""
    try:
        adapter = stage.plugin()
        return Rig(type(adapter).__name__, adapter, (Boundary(),))
    except AdapterContractError:
        raise Skipped("it cannot be mounted: see signatures") from None


def capabilities(rig: Rig) -> Capabilities:
    """What the adapter says it can do. Skipped where it does not say: `capabilities_typed` shows why."""
    try:
        return rig.get_capabilities()
    except (AdapterContractError, AdapterFailure):
        raise Skipped("it does not say what it can do: see capabilities_typed") from None


def context(stage: Stage, name: str) -> RunContext:
    """A context with a private folder `name` of its own."""
    folder = stage.folder / name
    folder.mkdir(exist_ok=True)
    return RunContext(
        folder=str(folder),
        namespace=f"{stage.folder.name}-{name}",
        options=stage.options,
        model=stage.model,
        embedding=stage.embedding,
    )


def start(stage: Stage, name: str = "one") -> tuple[Rig, Capabilities]:
    """A new adapter, mounted and reset."""
    rig = mount(stage)
    can = capabilities(rig)
    rig.reset(context(stage, name))
    return rig, can


def turns(session_id: str, texts: Sequence[str]) -> tuple[Turn, ...]:
    """User and assistant take turns, a minute apart."""
    return tuple(
        Turn(
            turn_id=f"{session_id}:T{index:03}",
            session_id=session_id,
            index=index,
            role=("user", "assistant")[index % 2],
            text=text,
            body=text,
            time=f"2026-01-{int(session_id[1:]):02} 09:{index:02}",
        )
        for index, text in enumerate(texts)
    )


def hear(rig: Rig, session_id: str, texts: Sequence[str]) -> None:
    """One whole session."""
    hear_turns(rig, session_id, turns(session_id, texts))


def hear_turns(rig: Rig, session_id: str, given: Sequence[Turn]) -> None:
    """One whole session of these turns."""
    for turn in given:
        rig.ingest_turn(turn)
    rig.end_session(session_id)


def hear_all(rig: Rig) -> None:
    """The sessions of HISTORY, S01 and S02."""
    for number, texts in enumerate(HISTORY, 1):
        hear(rig, f"S{number:02}", texts)


def shown(rig: Rig, can: Capabilities, query: str = FACT) -> list[str]:
    """All that is active in the store; without a visible state, what is found for `query`."""
    if can.state:
        return [item.text for item in rig.snapshot_memories() if item.status == "active"]
    return [item.text for item in rig.retrieve(query=query, top_k=50).items]


def needs(condition: bool, otherwise: str) -> None:
    """Skip the check, saying why, unless `condition` holds."""
    if not condition:
        raise Skipped(otherwise)


def needs_memory(can: Capabilities) -> None:
    """Skip for an adapter that takes nothing in, or that shows nothing of what it keeps."""
    needs(bool(can.modalities), "it takes nothing in (no modalities)")
    needs(can.state or not can.answers, "it answers by itself and does not show what it keeps")


def needs_verbatim(can: Capabilities) -> None:
    """Skip unless turns are kept word for word."""
    needs(can.verbatim is True, "it does not say that it keeps turns word for word (verbatim)")


def picture(path: Path | None, number: int) -> Attachment:
    """A picture of the first session; without a path it is not handed over."""
    return Attachment(
        image_id=f"S01_img_{number}",
        path=None if path is None else str(path),
        caption=f"Sketch number {number}.",
        media_type="image/png",
    )


@contextmanager
def strange_place(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Work in an empty directory with an empty home; yields both."""
    here, home = folder / "cwd", folder / "home"
    here.mkdir()
    home.mkdir()
    before = dict(os.environ)
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        del os.environ[name]
    os.environ["HOME"] = os.environ["USERPROFILE"] = str(home)
    try:
        with chdir(here):
            yield here, home
    finally:
        os.environ.clear()
        os.environ.update(before)
