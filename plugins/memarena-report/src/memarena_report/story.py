"""The run in plain words: what was run, which system answers best, and one sentence a system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memarena_report.compare import Pair
from memarena_report.scores import Number, Scores
from memarena_report.table import Row, Table, shown


def title(scores: Scores) -> str:
    """E.g. `5 memory systems on locomo`."""
    count = len(scores.systems)
    return f"{count} memory system{'s' if count != 1 else ''} on {dataset(scores)}"


def dataset(scores: Scores) -> str:
    """The name of the data set, without the place where it was read."""
    selector = str(scores.header["data"]["selector"])
    name, _, source = selector.partition(":")
    return name if source or "/" not in selector else selector.rstrip("/").rpartition("/")[2]


def size(scores: Scores) -> str:
    """Samples, questions, repeats."""
    rows = scores.header["data"]["samples"]
    questions = sum(row["questions"] for row in rows)
    repeats = scores.settings["repeats"]
    again = f", {repeats} repeats" if repeats > 1 else ""
    return f"{_count(len(rows), 'sample')}, {_count(questions, 'question')}{again}"


def best(scores: Scores, table: Table, pairs: Sequence[Pair]) -> str:
    """Which system under test answers best, and whether the next one can be told apart; "" with fewer than two."""
    metric = next((name for name in ("qa_c", "f1") if name in {column.key for column in table.columns}), "")
    place = next((place for place, column in enumerate(table.columns) if column.key == metric), 0)
    tested = [row for row in table.rows if not row.role and row.numbers[place].value is not None]
    ranked = sorted(tested, key=lambda row: -(row.numbers[place].value or 0.0))
    if len(ranked) < 2 or not metric:
        return ""
    first, second = ranked[:2]
    pair = next((one for one in pairs if {one.left, one.right} == {first.key, second.key}), None)
    if pair is None or pair.difference is None:
        return f"{first.key} answers best."
    gap = f"{100 * abs(pair.difference.value):.1f} points ahead of {second.key}"
    if pair.p_holm is None:
        return f"{first.key} answers best, {gap}; with one sample that cannot be tested."
    chance = "p < 0.001" if pair.p_holm < 0.001 else f"p = {pair.p_holm:.3f}"
    if pair.p_holm < 0.05:
        return f"{first.key} answers best, {gap} ({chance} after Holm)."
    return f"{first.key} answers best, {gap}, which these data cannot tell from chance ({chance} after Holm)."


def sentences(table: Table) -> Iterator[tuple[Row, str]]:
    """One sentence a system, from its numbers in the main table."""
    for row in table.rows:
        found = {column.key: number for column, number in zip(table.columns, row.numbers, strict=True)}
        yield row, _sentence(found)


def _sentence(found: dict[str, Number]) -> str:
    def has(name: str) -> bool:
        return name in found and found[name].value is not None

    def percent(name: str) -> str:
        return f"{shown(found[name].value)} %"

    parts = []
    if has("qa_c"):
        parts.append(f"answers {percent('qa_c')} of the questions correctly{_between(found['qa_c'])}")
    if has("qa_h") and has("qa_o"):
        parts.append(f"contradicts or makes up {percent('qa_h')}, and leaves out {percent('qa_o')}")
    if has("recall"):
        parts.append(f"writes {percent('recall')} of what it should keep")
    if has("update"):
        parts.append(f"handles {percent('update')} of the updates")
    ranking = next((name for name in found if name.startswith("recall@") and has(name)), "")
    if ranking:
        parts.append(f"brings back {percent(ranking)} of the evidence in its first {ranking.partition('@')[2]} items")
    return "; ".join(parts)[:1].upper() + "; ".join(parts)[1:] + "." if parts else "Has no score in this run."


def _between(number: Number) -> str:
    return "" if number.lo is None else f" ({shown(number.lo)} to {shown(number.hi)})"


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"
