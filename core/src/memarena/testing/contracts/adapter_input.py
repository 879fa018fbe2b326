"""Odd input that real data sets hold, and output that nobody asked for."""

from __future__ import annotations

from msgspec.structs import replace

from memarena.memory import whole_text
from memarena.testing.checks import Stage, expect
from memarena.testing.contracts.play import (
    FACT,
    HISTORY,
    hear,
    hear_all,
    hear_turns,
    picture,
    shown,
    start,
    turns,
)
from memarena.testing.output import captured
from memarena.testing.tiny import PICTURE

_SCRIPTS = (
    "The emoji of the day is 👩‍🚀🏽 and 🇳🇴.",
    "今天天气很不错，我们去公园。",
    "السلام عليكم، اسمي يوسف.",
    "Zoë wrote cafe\u0301 and Zürich.",
    "Zero\u200bwidth and soft\u00adhyphen.",
    "Quotes ' \" \\ and {braces} %s $1 <b>tags</b>; DROP TABLE turns;--",
)
_NUL = "A NUL \x00 in the middle."


def unicode_survives(stage: Stage) -> None:
    """Emoji, East Asian, right-to-left and combining text, quotes and NUL are taken in; verbatim stores keep all whole.

    If this fails: open files with `encoding="utf-8"`, pass values as parameters, never through format strings, and
    replace NUL only where the backend refuses it.
    """
    rig, can = start(stage)
    hear(rig, "S01", _SCRIPTS)
    whole = "\n".join(shown(rig, can, query=" ".join(_SCRIPTS)))
    if can.verbatim:
        lost = [text for text in _SCRIPTS if text not in whole]
        expect(not lost, f"not kept word for word: {lost[:1]}")
    hear(rig, "S02", (_NUL, "Understood."))
    for query in (*_SCRIPTS, _NUL):
        rig.retrieve(query=query, top_k=3)


def duplicates_accepted(stage: Stage) -> None:
    """The same text may be said again, in one session and in the next.

    If this fails: derive ids from `turn.turn_id` or a counter, not from the text alone; or keep one item for both.
    """
    rig, _ = start(stage)
    for session_id in ("S01", "S02"):
        hear(rig, session_id, (FACT, "Yes.", FACT, "Yes."))
        rig.snapshot_memories()
        rig.export_memory_delta(session_id)
    ids = [item.memory_id for item in rig.retrieve(query=FACT, top_k=10).items]
    expect(len(set(ids)) == len(ids), "one item is ranked more than once")


def empty_input_accepted(stage: Stage) -> None:
    """An empty store, an empty query, a turn without text and a session without turns are no errors.

    If this fails: return an empty Retrieval where there is nothing to search or to ask.
    """
    rig, _ = start(stage)
    rig.retrieve(query=FACT, top_k=5)
    for session_id, texts in (("S01", ()), ("S02", ("", "")), ("S03", HISTORY[0])):
        hear(rig, session_id, texts)
        rig.snapshot_memories()
        rig.export_memory_delta(session_id)
        rig.retrieve(query="", top_k=5)


def long_input_accepted(stage: Stage) -> None:
    """A turn of 10,000 words is taken in; verbatim stores keep it whole.

    If this fails: split it, or cut it where a model's window ends, and say so in the metadata.
    """
    rig, can = start(stage)
    text = " ".join(f"word{number}" for number in range(10_000))
    hear(rig, "S01", (text, "That was long."))
    rig.retrieve(query=text, top_k=3)
    if can.verbatim:
        expect(any(text in kept for kept in shown(rig, can, query="word1 word2")), "the turn was not kept whole")


def pictures_accepted(stage: Stage) -> None:
    """Turns may have pictures, one of them missing; a retrieved item names only pictures that were given.

    If this fails: open `attachment.path` only where it is not None, and return it as it was given.
    """
    _play_pictures(stage, given=True)


def missing_pictures_accepted(stage: Stage) -> None:
    """With pictures switched off every path is None, and nothing else takes its place.

    If this fails: look at `attachment.path`, never guess a path from the id.
    """
    _play_pictures(stage, given=False)


def no_stray_output(stage: Stage) -> None:
    """Nothing is written to stdout or stderr.

    If this fails: remove prints, switch progress bars off, and use `logging`.
    """
    with captured(stage.folder) as output:
        rig, can = start(stage)
        hear_all(rig)
        rig.snapshot_memories()
        rig.export_memory_delta("S02")
        rig.retrieve(query=FACT, top_k=5)
        shown(rig, can)
    expect(not output.text, f"{len(output.text)} characters were written, beginning with {output.text[:60]!r}")


def _play_pictures(stage: Stage, *, given: bool) -> None:
    rig, _ = start(stage)
    path = PICTURE if given else None
    first, *others = turns("S01", HISTORY[0])
    pictures = (picture(path, 1), replace(picture(None, 2), missing=True, caption=""), picture(path, 3))
    shown_first = replace(first, text=whole_text(first.body, pictures), attachments=pictures)
    hear_turns(rig, "S01", (shown_first, *others))
    paths = [item.image_path for item in rig.snapshot_memories()]
    paths += [item.image_path for item in rig.retrieve(query=FACT, top_k=10, attachments=pictures[:1]).items]
    strange = set(paths) - {"", str(path or "")}
    expect(not strange, f"these paths were never given: {', '.join(sorted(strange))}")
