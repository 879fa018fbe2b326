"""A page on which people accept, edit or reject gold points and questions; and what becomes of their decisions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from memarena.errors import DataError
from memarena.records import Record

Verdict = Literal["accept", "edit", "reject"]
VERDICTS = ("accept", "edit", "reject")
Sample = dict[str, Any]
"""The JSON of a sample's file."""


class Decision(Record, frozen=True, kw_only=True):
    """What one person says of one point or question."""

    verdict: Verdict
    text: str = ""
    """With `edit`: what the point or the question is to say."""
    answer: str = ""
    """With `edit` of a question: its answer."""


class Review(Record, frozen=True, kw_only=True):
    """The decisions of one person, by the name of the unit: `SAMPLE/mp_S00_1` or `SAMPLE/QA00:Q001`."""

    reviewer: str = ""
    decisions: Mapping[str, Decision] = {}


class Agreement(NamedTuple):
    """How far two people agree on what both decided."""

    one: str
    other: str
    units: int
    same: float
    """Share of the units with the same verdict."""
    kappa: float | None
    """Cohen's: the same beyond chance; None where chance alone would agree on all."""


def read_review(path: Path) -> Review:
    """The decisions in a file that the page saved; raises DataError where it is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Review)
    except msgspec.MsgspecError as error:
        raise DataError(f"is no saved review ({error})", file=str(path)) from None


def units(sample: Sample) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Name, row and id of the session or checkpoint of each point and question of a sample."""
    name = sample["sample_id"]
    for session in sample["sessions"]:
        for point in session.get("memory_points", ()):
            yield f"{name}/{point['memory_id']}", point, session["_v2_session_id"]
    for block in sample["memory_points"]:
        for point in block["memory_points"]:
            yield f"{name}/{point['memory_id']}", point, block["session_id"]
    for stop in sample["qa_checkpoints"]:
        for number, question in enumerate(stop["questions"], 1):
            yield f"{name}/{stop['checkpoint_id']}:Q{number:03}", question, stop["checkpoint_id"]


def review_page(name: str, samples: Sequence[Sample]) -> str:
    """The page for the samples of a data set; it loads nothing from elsewhere and keeps decisions in the browser."""
    own = files(__package__)
    style = own.joinpath("review.css").read_text(encoding="utf-8")
    script = own.joinpath("review.js").read_text(encoding="utf-8")
    body = "\n".join(line for sample in samples for line in _sample(sample))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Review of {escape(name)}</title>\n'
        f'<style>\n{style}</style>\n</head>\n<body data-name="{escape(name)}">\n<header><b>{escape(name)}</b> '
        f'<label>reviewer <input id="reviewer"></label> <span id="state"></span> <button id="save">save</button>'
        f"</header>\n{body}\n<script>\n{script}</script>\n</body>\n</html>\n"
    )


def _sample(sample: Sample) -> Iterator[str]:
    yield f"<h1>{escape(sample['sample_id'])}</h1>"
    rows: dict[str, list[str]] = {}
    for name, row, place in units(sample):
        rows.setdefault(place, []).append(_unit(name, row))
    for session in sample["sessions"]:
        place = session["_v2_session_id"]
        yield f"<h2>{escape(place)}</h2>\n<details><summary>{len(session['dialogue'])} turns</summary>"
        yield from (_turn(turn) for turn in session["dialogue"])
        yield "</details>"
        yield from rows.get(place, ())
    for stop in sample["qa_checkpoints"]:
        yield f"<h2>{escape(stop['checkpoint_id'])}</h2>"
        yield from rows.get(stop["checkpoint_id"], ())


def _turn(turn: Mapping[str, Any]) -> str:
    pictures = "".join(f'<span class="dim">{escape(each["image_id"])}</span>' for each in turn.get("attachments", ()))
    return f'<div class="turn"><b>{escape(turn["role"])}</b> {escape(turn["content"])}{pictures}</div>'


def _unit(name: str, row: Mapping[str, Any]) -> str:
    is_point = "memory_content" in row
    text = row["memory_content"] if is_point else row["question"]
    kind = row["memory_source"] if is_point else row["question_type_abbrev"]
    more = "; ".join(row["original_memories"] or ()) if is_point else row["answer"]
    choices = " ".join(
        f'<label><input type="radio" name="{escape(name)}" value="{each}">{each}</label>' for each in VERDICTS
    )
    fields = f'<textarea name="text">{escape(text)}</textarea>'
    fields += "" if is_point else f'<textarea name="answer">{escape(row["answer"])}</textarea>'
    told = f'<div class="dim">{"in place of: " if is_point else "answer: "}{escape(more)}</div>' if more else ""
    return (
        f'<div class="unit" id="{escape(name)}"><span class="dim">{escape(kind)}</span> {escape(text)}{told}'
        f"<div>{choices}</div>{fields}</div>"
    )


def agreements(reviews: Sequence[Review]) -> list[Agreement]:
    """The agreement of every two people on the units that both decided."""
    out = []
    for one, other in combinations(reviews, 2):
        both = sorted(one.decisions.keys() & other.decisions.keys())
        pairs = [(one.decisions[name].verdict, other.decisions[name].verdict) for name in both]
        same = sum(a == b for a, b in pairs) / len(pairs) if pairs else 0.0
        out.append(Agreement(one.reviewer, other.reviewer, len(pairs), same, kappa(pairs)))
    return out


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's kappa of pairs of verdicts; None where there are none, or chance alone agrees on all."""
    if not pairs:
        return None
    ones, others = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    chance = sum(ones[name] * others[name] for name in ones) / len(pairs) ** 2
    same = sum(one == other for one, other in pairs) / len(pairs)
    return (same - chance) / (1 - chance) if chance < 1 else None


def settle(reviews: Sequence[Review]) -> dict[str, Decision]:
    """What most people say of each unit; where there is no most, it stays as it is and is left out."""
    votes: dict[str, list[Decision]] = {}
    for review in reviews:
        for name, decision in review.decisions.items():
            votes.setdefault(name, []).append(decision)
    out = {}
    for name, given in votes.items():
        counted = Counter(decision.verdict for decision in given).most_common()
        if len(counted) == 1 or counted[0][1] > counted[1][1]:
            out[name] = next(decision for decision in given if decision.verdict == counted[0][0])
    return out


def apply(sample: Sample, settled: Mapping[str, Decision]) -> Sample:
    """The sample without what was rejected and with what was edited. A question whose evidence is rejected goes too."""
    made: Sample = json.loads(json.dumps(sample))
    gone = set()
    for name, row, _ in list(units(made)):
        decision = settled.get(name)
        if decision is None or decision.verdict == "accept":
            continue
        if decision.verdict == "reject":
            row["rejected"] = True
            gone.add(row.get("memory_id", "no point"))
        else:
            row["memory_content" if "memory_content" in row else "question"] = decision.text
            if "answer" in row and decision.answer:
                row["answer"] = decision.answer
    for holder in (*made["sessions"], *made["memory_points"]):
        if "memory_points" in holder:
            holder["memory_points"] = [each for each in holder["memory_points"] if not each.get("rejected")]
    for stop in made["qa_checkpoints"]:
        stop["questions"] = [each for each in stop["questions"] if not _is_gone(each, gone)]
    made["qa_checkpoints"] = [stop for stop in made["qa_checkpoints"] if stop["questions"]]
    return made


def _is_gone(question: Mapping[str, Any], gone: set[Any]) -> bool:
    return bool(question.get("rejected")) or any(each.get("memory_id", "") in gone for each in question["evidence"])
