"""What the page shows: every table, chart and sentence of a run, ready for the template."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memarena import codec
from memarena_report import story
from memarena_report.breakdowns import abstention_table, facet_table, facet_tables, stage_facet_tables, type_table
from memarena_report.charts import Piece, described, interval_bar, signed_bar, stacked_bar, wide_bar
from memarena_report.conditions import flat
from memarena_report.costs import time_table, usage_table
from memarena_report.curves import Curve, curve_of
from memarena_report.flags import flags
from memarena_report.followed_page import facts_section, lost_section
from memarena_report.judging import is_judged, judging
from memarena_report.known_wrong import overlay_table
from memarena_report.levels import LEVELS, Level
from memarena_report.pairing import Pair, pairs, verdict
from memarena_report.repeats import repeats_table, variance_table
from memarena_report.run_setup import setup
from memarena_report.scores import Number, Scores
from memarena_report.table import Column, Row, Table, between, reasons, shown
from memarena_report.tables import main_table, stage_tables
from memarena_report.terminal import chance, signed
from memarena_report.traces import Packed
from memarena_report.tracestories import LOST_MARKS

WAYS: Sequence[tuple[str, Level, str]] = (
    ("paper", "samples", "Paper"),
    ("paper", "run", "Paper, over the run"),
    ("release", "run", "Released code"),
    ("strict", "samples", "Strict"),
)
"""The variants and levels that the main table can be switched to; the first is shown at the start."""

WAYS_ABOUT: Mapping[str, str] = {
    "paper": "Definitions of the paper.",
    "release": "What the released code computes, to compare with published tables.",
    "strict": "Repairs what both get wrong; what cannot be measured without guessing is left out.",
}

_PAIRED = ("qa_c", "rc", "recall", "f1")


@dataclass(frozen=True, slots=True)
class Way:
    """One view of the main table."""

    key: str
    title: str
    about: str
    table: Table


def context(scores: Scores, packed: Packed) -> dict[str, Any]:
    """The names that `report.html.j2` reads."""
    ways = _ways(scores)
    answers = scores.has("qa_c")
    tested = _paired(scores)
    judge = judging(scores.header)
    return {
        "title": story.title(scores),
        "size": story.size(scores),
        "best": story.best(ways[0].table, tested.get("qa_c", ())),
        "leaders": _leaders(_own_rows(scores, ways[0].table)),
        "facts": setup(scores),
        "judge": judge.mark,
        "judged_by": lambda table: judge.mark if is_judged(table) else "",
        "flags": flags(scores),
        "ways": ways,
        "groups": _groups,
        "stages": stage_tables(scores),
        "stage_facets": [table.upright() for table in stage_facet_tables(scores)],
        "types": [type_table(scores)] if answers else [],
        "abstention": abstention_table(scores) if answers else None,
        "facets": [table.upright() for table in facet_tables(scores) if table.key != "session-qa_c"],
        "overlay": overlay_table(scores),
        "repeats": [*filter(None, (repeats_table(scores), variance_table(scores)))],
        "sessions": _sessions(scores) if answers else None,
        "lost": lost_section(scores),
        "lost_at": [(LOST_MARKS[name], scores.metrics[name].title) for name in LOST_MARKS if scores.has(name)],
        "facts_kept": facts_section(scores),
        "times": time_table(scores),
        "time_bars": _time_bars(scores),
        "usage": usage_table(scores),
        "paired": tested,
        "metrics": scores.metrics,
        "systems": scores.systems,
        "compared": scores.compared,
        "cells": [cell for cell in scores.cells if cell.status != "done"],
        "done": sum(cell.status == "done" for cell in scores.cells),
        "planned": len(scores.cells),
        "conditions": _conditions(scores),
        "report": scores.header["data"]["report"],
        "packed": packed,
        "kinds": sorted({str(row[1]) for sample in packed.index for row in sample["q"]}),
        "shown": shown,
        "bar": interval_bar,
        "signed_bar": signed_bar,
        "described": described,
        "between": between,
        "reasons": reasons,
        "heat": _heat,
        "most": _most,
        "best_of": _best_of,
        "signed": signed,
        "chance": chance,
        "verdict": verdict,
        "variants": WAYS_ABOUT,
    }


def _ways(scores: Scores) -> list[Way]:
    """The views whose variant the run has; a run whose variants all agree has one a level."""
    found = []
    for variant, level, title in WAYS:
        if variant == "paper" or variant in scores.frame.variants:
            about = f"{WAYS_ABOUT[variant]} {LEVELS[level].capitalize()}."
            found.append(Way(f"{variant}-{level}", title, about, main_table(scores, variant, level)))
    return found


def _own_rows(scores: Scores, table: Table) -> Table:
    """`table` without the oracles that belong to one system, which would crowd what is to be seen at a glance."""
    of_one = {system.label for system in scores.systems if system.of}
    return replace(table, rows=tuple(row for row in table.rows if row.key not in of_one))


def _leaders(table: Table) -> list[tuple[Row, str, Any, str]]:
    """For each system its sentence, and the bar and value of the share that it answers correctly."""
    place = next((place for place, column in enumerate(table.columns) if column.key == "qa_c"), None)
    found = []
    for row, text in story.sentences(table):
        number = Number(None) if place is None else row.numbers[place]
        found.append((row, text, wide_bar(number), shown(number.value) if number.value is not None else ""))
    return found


def _groups(table: Table) -> list[tuple[str, int]]:
    """The groups of neighbouring columns and how many columns each has."""
    found: list[tuple[str, int]] = []
    for column in table.columns:
        if found and found[-1][0] == column.group:
            found[-1] = column.group, found[-1][1] + 1
        else:
            found.append((column.group, 1))
    return found


def _paired(scores: Scores) -> dict[str, list[Pair]]:
    labels = [system.label for system in scores.compared]
    if len(labels) < 2:
        return {}
    return {
        metric: pairs(scores.frame, labels, metric, "paper", about=scores.metrics[metric])
        for metric in _PAIRED
        if scores.has(metric)
    }


def _sessions(scores: Scores) -> Curve | None:
    """Answers by session index; None where all questions come after one session."""
    table = facet_table(scores, "session")
    return None if table is None else curve_of(_own_rows(scores, table), "session after which the question was asked")


def _time_bars(scores: Scores) -> list[tuple[str, Any, str]]:
    """For each system a bar of its seconds by stage, to one scale, and their sum."""
    table = time_table(scores)
    sums = [sum(number.value or 0.0 for number in row.numbers) for row in table.rows]
    most = max(sums, default=0.0)
    stages = [column.title for column in table.columns]
    return [
        (
            row.key,
            stacked_bar(
                [_timed(place, *pair) for place, pair in enumerate(zip(stages, row.numbers, strict=True))], most
            ),
            shown(total, "seconds") if any(number.value is not None for number in row.numbers) else "not measured",
        )
        for row, total in zip(table.rows, sums, strict=True)
    ]


def _timed(place: int, stage: str, number: Number) -> Piece:
    return Piece(f"p{place}", number.value or 0.0, f"{stage}: {shown(number.value, 'seconds')}")


def _conditions(scores: Scores) -> list[tuple[str, list[tuple[str, str]]]]:
    """Every setting and version, in named groups."""
    header = scores.header
    groups: dict[str, Any] = {
        "Settings": header["settings"],
        "Plugins": header["plugins"],
        "Data": {key: value for key, value in header["data"].items() if key not in {"samples", "report"}},
        "Versions": {"memarena": header["memarena"], "hook API": ".".join(map(str, header["hook_api"]))},
    }
    for system in scores.systems:
        groups[f"System {system.label}"] = {
            "name": f"{system.name} ({system.distribution} {system.version})",
            "options": system.options or "defaults",
            **codec.plain(system.capabilities),
        }
    return [(title, [(name, str(value)) for name, value in flat(group)]) for title, group in groups.items()]


def _heat(number: Number, better: str = "high") -> str:
    """The class of a heat cell: ten steps of what is good."""
    if number.value is None:
        return "h-none"
    value = min(max(number.value, 0.0), 1.0)
    return f"h{round(10 * (1 - value if better == 'low' else value))}"


def _most(table: Table, column: Column) -> float:
    """The end of the scale of a column: 1 for shares, the largest end of an interval for the rest."""
    if column.unit == "share":
        return 1.0
    if column.unit == "points":
        every = [one for row in table.rows for one in row.numbers]
        return max((abs(end) for one in every for end in (one.lo, one.value, one.hi) if end is not None), default=1.0)
    place = table.columns.index(column)
    found = [row.numbers[place] for row in table.rows]
    return max((one.hi or one.value or 0.0 for one in found), default=1.0)


def _best_of(table: Table) -> Callable[[int, Number], bool]:
    """Whether a number is the best of its column among the systems under test."""
    best: dict[int, float] = {}
    for place, column in enumerate(table.columns):
        values = [row.numbers[place].value for row in table.rows if not row.role]
        known = [value for value in values if value is not None]
        if len(known) > 1 and column.better != "neither" and max(known) > min(known):
            best[place] = max(known) if column.better == "high" else min(known)
    return lambda place, number: place in best and number.value == best[place]
