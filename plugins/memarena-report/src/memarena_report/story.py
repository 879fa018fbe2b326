"""The run in plain words: what was run, which system answers best, and one sentence a system."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from memarena_report.pairing import Pair
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


def best(table: Table, pairs: Sequence[Pair]) -> str:
    """Which system under test answers best, and whether that can be told from the next one and from the best floor."""
    place = next((place for place, column in enumerate(table.columns) if column.key == "qa_c"), None)
    if place is None:
        return ""

    def ranked(roles: Collection[str]) -> list[Row]:
        found = [row for row in table.rows if row.role in roles and row.numbers[place].value is not None]
        return sorted(found, key=lambda row: -(row.numbers[place].value or 0.0))

    tested, floors = ranked(("",)), ranked(("floor",))
    if not tested:
        return ""
    first = tested[0].key
    lead = f"{first} answers best" if len(tested) > 1 else first
    rivals = [(rows[0].key, name) for rows, name in ((tested[1:], ""), (floors, "the floor ")) if rows]
    against = [_against(first, name, kind, pairs) for name, kind in rivals]
    return f"{lead}: {'; '.join(filter(None, against))}." if any(against) else f"{lead}."


def _against(first: str, other: str, kind: str, pairs: Sequence[Pair]) -> str:
    pair = next((one for one in pairs if {one.left, one.right} == {first, other}), None)
    if pair is None or pair.difference is None:
        return ""
    gap = pair.difference.value if pair.left == first else -pair.difference.value
    points = f"{100 * abs(gap):.1f} points {'ahead of' if gap >= 0 else 'behind'} {kind}{other}"
    if pair.p_holm is None:
        return f"{points}, which one sample cannot test"
    chance = "p < 0.001" if pair.p_holm < 0.001 else f"p = {pair.p_holm:.3f}"
    told = "" if pair.p_holm < 0.05 else "which these data cannot tell from chance, "
    return f"{points} ({told}{chance} after Holm)"


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
