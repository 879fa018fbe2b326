"""The report of a run as one HTML file: it loads nothing, and every text in it is escaped."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Any

from memarena_aha.suite import sheets
from memarena_aha.suite.balance import balances
from memarena_aha.suite.charts import forgetting_charts, lift_bars
from memarena_aha.suite.paper_sheet import paper
from memarena_aha.suite.published import PUBLISHED
from memarena_aha.suite.runcard import RunCard
from memarena_aha.suite.sheets import Sheet

__all__ = ["LARGEST", "render"]

_STYLE = """
.lifts > div { grid-template-columns: 170px 130px 1fr; } .lifts b { text-align: left; }
"""
"""What the page has beside the style of all reports."""
LARGEST = 10_000_000
"""Bytes that a page may have at most."""


def render(card: RunCard) -> bytes:
    """The page of a run in UTF-8; without the balances of single runs where it would be too large with them."""
    page = _page(card, money=True)
    return page if len(page) <= LARGEST else _page(card, money=False)


def _page(card: RunCard, *, money: bool) -> bytes:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("memarena_aha.suite", "page_files"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = files("memarena_report").joinpath("page_files", "report.css").read_text(encoding="utf-8") + _STYLE
    digest = b64encode(sha256(style.encode("utf-8")).digest()).decode("ascii")
    page = environment.get_template("aha.html.j2").render(
        **_context(card, money=money),
        style=Markup(style),
        policy=f"default-src 'none'; style-src 'sha256-{digest}'",
    )
    return page.encode("utf-8", errors="replace")


def _context(card: RunCard, *, money: bool) -> dict[str, Any]:
    parts = card.scores.parts
    done, planned = sum(cell.status == "done" for cell in card.results.cells), len(card.results.cells)
    return {
        "title": f"Experience: {', '.join(parts)}",
        "size": f"{len(card.results.pairs)} pairs, {len(card.labels)} memories, {done} of {planned} cells",
        "best": _best(card),
        "facts": _facts(card),
        "warnings": card.warnings,
        "lifts": lift_bars(card),
        "board": sheets.board(card),
        "cards": list(sheets.cards(card)),
        "contrasts": sheets.contrasts(card),
        "forgetting": forgetting_charts(card),
        "funnels": [sheet for part in parts if (sheet := sheets.funnel(card, part)).rows],
        "balances": balances(card) if money else [],
        "paper": paper(card),
        "published": _published(),
        "rest": [sheet for sheet in sheets.details(card) if sheet.rows],
        "conditions": _conditions(card),
        "parted": sheets.parted,
    }


def _best(card: RunCard) -> str:
    tested = [arm for arm in card.arms if arm.label in card.tested and arm.aggregate.p.value is not None]
    if not tested or card.withheld:
        return ""
    first = tested[0]
    lift = sheets.points(first.aggregate.lift)
    return f"Of the systems under test, {first.label} ends highest: P {sheets.score(first.aggregate.p)}, lift {lift}."


def _facts(card: RunCard) -> list[tuple[str, str]]:
    settings, plugins = card.header["settings"], card.header["plugins"]
    return [
        ("agent", plugins["agent"]["name"]),
        ("items asked for", f"k = {settings['top_k']}"),
        ("budget", f"{settings['budget_tokens']:,} tokens"),
        ("seed", str(settings["seed"])),
        ("repeats", str(settings["repeats"])),
        ("model", card.header["models"].get("names", {}).get("answer", "none")),
    ]


def _published() -> Sheet:
    def told(value: float | None, form: str = ".1f") -> str:
        return "–" if value is None else format(value, form)

    return Sheet(
        key="published",
        title="Figures of the paper's panel",
        about="other instances, and no memory system: to be laid beside, not to be compared",
        columns=["model", "Initial", "P", "lift", "note"],
        rows=[[one.model, told(one.initial), told(one.post), told(one.lift, "+.1f"), one.note] for one in PUBLISHED],
    )


def _conditions(card: RunCard) -> list[tuple[str, list[tuple[str, str]]]]:
    """Every setting and version, in named groups."""
    from memarena_report.conditions import flat

    header = card.header
    groups: dict[str, Mapping[str, Any]] = {
        "Settings": header["settings"],
        "Plugins": header["plugins"],
        "Parts": {**header["data"]["parts"], **header["data"]["options"]},
        "Versions": {"memarena": header["memarena"], "hook API": ".".join(map(str, header["hook_api"]))},
        **{f"Memory {row['label']}": row for row in header["adapters"]},
    }
    return [(name, [(key, str(value)) for key, value in flat(group)]) for name, group in groups.items()]
