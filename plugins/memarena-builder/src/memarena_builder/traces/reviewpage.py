"""The page on which people accept, edit or reject gold points and questions. It loads nothing from elsewhere but the
pictures beside the samples, and keeps decisions in the browser until they are saved."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from memarena.cli.counted import counted
from memarena_builder.traces.review import VERDICTS, Sample, Unit, session_id, units

SHOWN = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp"})
"""Files that are shown as pictures."""
OPEN = 12
"""Turns of a session that are shown at once, at most; a longer one is opened by a click."""


def review_page(name: str, samples: Sequence[tuple[Path, Sample]], page: Path) -> str:
    """The page `page` for the samples of a data set, each with the path of its file, beside which its pictures are."""
    own = files(__package__)
    style = own.joinpath("review.css").read_text(encoding="utf-8")
    script = own.joinpath("review.js").read_text(encoding="utf-8")
    prints = "".join(unit.print for _, sample in samples for unit in units(sample))
    body = "\n".join(line for path, sample in samples for line in _sample(path.parent, sample, page.parent))
    key = sha256(prints.encode()).hexdigest()[:12]
    keys = "keys: n next, p previous, a accept, e edit, r reject, u undecided"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>Review of {escape(name)}</title>\n'
        f'<style>\n{style}</style>\n</head>\n<body data-name="{escape(name)} {key}">\n'
        f'<header><b>{escape(name)}</b> <label>reviewer <input id="reviewer" autocomplete="name"></label> '
        f'<span id="state" role="status"></span> <button id="save">save</button> '
        f'<label>go on with a saved review <input id="open" type="file" accept=".json"></label> '
        f'<label><input id="hide" type="checkbox">undecided only</label> <span class="dim">{keys}</span>'
        f"</header>\n<main>\n{body}\n</main>\n<script>\n{script}</script>\n</body>\n</html>\n"
    )


def _sample(folder: Path, sample: Sample, page: Path) -> Iterator[str]:
    yield f"<h1>{escape(sample['sample_id'])}</h1>"
    contents = {unit.row["memory_id"]: unit.text for unit in units(sample) if unit.is_point}
    rows: dict[str, list[str]] = {}
    for unit in units(sample):
        rows.setdefault(unit.place, []).append(_unit(unit, contents))
    for session in sample["sessions"]:
        place = session_id(session)
        title = f" {escape(str(session['title']))}" if session.get("title") else ""
        yield f"<h2>{escape(place)}<span class=dim>{title}</span></h2>"
        turns = len(session["dialogue"])
        yield f"<details{' open' if turns <= OPEN else ''}><summary>{counted(turns, 'turn')}</summary>"
        yield from (_turn(turn, folder, page) for turn in session["dialogue"])
        yield "</details>"
        yield from rows.get(place, ())
    for stop in sample.get("qa_checkpoints", ()):
        yield f"<h2>{escape(stop['checkpoint_id'])}</h2>"
        yield from rows.get(stop["checkpoint_id"], ())


def _turn(turn: Mapping[str, Any], folder: Path, page: Path) -> str:
    pictures = "".join(_picture(each, folder, page) for each in turn.get("attachments", ()))
    when = f' <span class="dim">{escape(turn["timestamp"])}</span>' if turn.get("timestamp") else ""
    return f'<div class="turn"><b>{escape(turn["role"])}</b>{when} {escape(turn["content"])}{pictures}</div>'


def _picture(attachment: Mapping[str, Any], folder: Path, page: Path) -> str:
    """The picture, where its file is there, beside its name and caption."""
    name, path = escape(attachment["image_id"]), folder / attachment["file_path"]
    told = f'<figcaption class="dim">{name}: {escape(attachment.get("caption", ""))}</figcaption>'
    inside = path.resolve().is_relative_to(folder.resolve()) and path.suffix.lower() in SHOWN and path.is_file()
    address = quote(Path(os.path.relpath(path, page)).as_posix()) if inside else ""
    shown = f'<img loading="lazy" alt="{name}" src="{escape(address)}">' if address else ""
    return f"<figure>{shown}{told}</figure>"


def _unit(unit: Unit, contents: Mapping[str, str]) -> str:
    row, name = unit.row, escape(unit.name)
    kind = row.get("memory_source", "") if unit.is_point else row["question_type_abbrev"]
    choices = " ".join(
        f'<label><input type="radio" name="{name}" value="{each}">{each}</label>' for each in (*VERDICTS, "undecided")
    )
    fields = f'<textarea name="text" aria-label="new words">{escape(unit.text)}</textarea>'
    fields += (
        "" if unit.is_point else f'<textarea name="answer" aria-label="new answer">{escape(unit.answer)}</textarea>'
    )
    told = "".join(f'<div class="dim">{escape(line)}</div>' for line in _told(unit, contents))
    return (
        f'<fieldset class="unit" id="{name}" tabindex="-1" data-of="{unit.print}"><legend class="dim">{escape(kind)} '
        f"{name}</legend>{escape(unit.text)}{told}<div>{choices}</div>{fields}</fieldset>"
    )


def _told(unit: Unit, contents: Mapping[str, str]) -> Iterator[str]:
    """What a person has to know to decide: the answer and what it rests on, or what a point replaces."""
    if unit.is_point:
        old = unit.row.get("original_memories") or ()
        yield from (f"in place of: {each}" for each in ([old] if isinstance(old, str) else old))
        return
    yield f"answer: {unit.answer}"
    for each in unit.row.get("evidence") or ():
        held = each.get("memory_id") or each.get("image_id") or ""
        yield f"rests on: {contents.get(held, held)}"
