"""Who used what: calls, tokens, cost and times by cell, stage and model, in memory that does not grow with calls."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from memarena import codec
from memarena.meter import Usage, UsageRow, add_up
from memarena.records import Record
from memarena_models.settings import Price
from memarena_models.tokens import TokenCount

COUNTED = (
    "calls",
    "errors",
    "retries",
    "tokens_in",
    "tokens_out",
    "cached",
    "reasoning",
    "estimated",
    "pictures",
    "bytes_in",
    "bytes_out",
)
"""The fields of a row that are whole numbers and add up."""
Place = tuple[str, str, bool]
"""Stage, model, replayed."""
_LOG_STEP = math.log(1.02)
_SHORTEST = 1e-5


class Quantiles:
    """Quantiles of positive numbers within 1 %, from counts in classes that each are 2 % wide."""

    def __init__(self) -> None:
        self._classes: dict[int, int] = {}
        self.count = 0

    def add(self, value: float) -> None:
        """Count one value; everything below 10 microseconds counts as that."""
        place = round(math.log(max(value, _SHORTEST) / _SHORTEST) / _LOG_STEP)
        self._classes[place] = self._classes.get(place, 0) + 1
        self.count += 1

    def at(self, share: float) -> float | None:
        """The smallest value that at least `share` of all values do not exceed; None where there are none."""
        wanted, seen = math.ceil(share * self.count), 0
        for place in sorted(self._classes):
            seen += self._classes[place]
            if seen >= max(wanted, 1):
                return float(_SHORTEST * math.exp(place * _LOG_STEP))
        return None


class AccountRow(UsageRow, frozen=True, kw_only=True):
    """What one cell used of one model in one stage, in one session of the gateway; sums over all are what was spent.

    Where `replayed`, the calls were answered from the record: they cost nothing again.
    """

    errors: int = 0
    """Calls that the owner saw fail."""
    retries: int = 0
    cached: int = 0
    reasoning: int = 0
    estimated: int = 0
    """Calls whose reply did not say its tokens; theirs are estimated."""
    pictures: int = 0
    bytes_in: int = 0
    """Of requests."""
    bytes_out: int = 0
    """Of replies."""
    seconds: float = 0.0
    """Of all calls together, waits and retries included."""
    p50: float | None = None
    p95: float | None = None
    p99: float | None = None
    """Seconds of a call."""


class Spent(Record, frozen=True, kw_only=True):
    """One finished call."""

    cell_id: str
    stage: str
    model: str
    tokens: TokenCount
    seconds: float
    replayed: bool = False
    failed: bool = False
    retries: int = 0
    pictures: int = 0
    bytes_in: int = 0
    bytes_out: int = 0


class _Sums:
    """The running sums of one row, under the names of its fields."""

    __slots__ = (*COUNTED, "changed", "seconds", "times")

    def __init__(self) -> None:
        for name in COUNTED:
            setattr(self, name, 0)
        self.seconds = 0.0
        self.times = Quantiles()
        self.changed = False

    calls: int
    errors: int
    retries: int
    tokens_in: int
    tokens_out: int
    cached: int
    reasoning: int
    estimated: int
    pictures: int
    bytes_in: int
    bytes_out: int

    def add(self, spent: Spent) -> None:
        tokens = spent.tokens
        self.calls += 1
        self.errors += spent.failed
        self.retries += spent.retries
        self.tokens_in += tokens.tokens_in
        self.tokens_out += tokens.tokens_out
        self.cached += tokens.cached
        self.reasoning += tokens.reasoning
        self.estimated += tokens.estimated
        self.pictures += spent.pictures
        self.bytes_in += spent.bytes_in
        self.bytes_out += spent.bytes_out
        self.seconds += spent.seconds
        self.times.add(spent.seconds)


class PriceTable:
    """Finds the price of a model."""

    def __init__(self, prices: Mapping[str, Price]) -> None:
        self._prices = {"offline": Price(input=0.0), **prices}
        self._found: dict[str, Price | None] = {}

    def of(self, model: str) -> Price | None:
        """The price whose pattern fits first; None where none does."""
        if model not in self._found:
            fitting = (price for pattern, price in self._prices.items() if fnmatchcase(model, pattern))
            self._found[model] = next(fitting, None)
        return self._found[model]

    def cost(self, model: str, tokens_in: float, tokens_out: float, cached: float) -> float | None:
        """What these tokens cost; None where the price is not known."""
        price = self.of(model)
        if price is None:
            return None
        cached_price = price.input if price.cached is None else price.cached
        return ((tokens_in - cached) * price.input + cached * cached_price + tokens_out * price.output) / 1e6


class Account:
    """The sums of this session, beside the rows that earlier sessions left in the file."""

    def __init__(self, prices: PriceTable, file: Path | None = None) -> None:
        self._prices = prices
        self._cells: dict[str, dict[Place, _Sums]] = {}
        self._changed: list[tuple[str, Place, _Sums]] = []
        self.earlier = tuple(read_account(file)) if file is not None and file.exists() else ()
        self.session = 1 + max((row.session for row in self.earlier), default=0)
        self._file = None if file is None else codec.LineWriter(file)

    def add(self, spent: Spent) -> None:
        """Book one call."""
        place = (spent.stage, spent.model, spent.replayed)
        cell = self._cells.setdefault(spent.cell_id, {})
        sums = cell.get(place)
        if sums is None:
            sums = cell[place] = _Sums()
        sums.add(spent)
        if not sums.changed:
            sums.changed = True
            self._changed.append((spent.cell_id, place, sums))

    def rows(self, cell_id: str | None = None) -> Iterator[AccountRow]:
        """The rows of this session, of one cell or of all."""
        cells = self._cells if cell_id is None else {cell_id: self._cells.get(cell_id, {})}
        return (self._row(cell, place, sums) for cell, places in cells.items() for place, sums in places.items())

    def usage(self, cell_id: str) -> dict[str, Usage]:
        """What a cell has used in this session by stage, replayed calls included."""
        return add_up(self.rows(cell_id)).get(cell_id, {})

    def save(self) -> None:
        """Append the rows that changed; the last one of a place counts, so a killed process loses little."""
        changed, self._changed = self._changed, []
        for cell_id, place, sums in changed:
            sums.changed = False
            if self._file is not None:
                self._file.write(codec.encode(self._row(cell_id, place, sums)))

    def close(self) -> None:
        self.save()
        if self._file is not None:
            self._file.close()

    def _row(self, cell_id: str, place: Place, sums: _Sums) -> AccountRow:
        stage, model, replayed = place
        return AccountRow(
            session=self.session,
            cell_id=cell_id,
            stage=stage,
            model=model,
            replayed=replayed,
            cost=self._prices.cost(model, sums.tokens_in, sums.tokens_out, sums.cached),
            seconds=sums.seconds,
            p50=sums.times.at(0.5),
            p95=sums.times.at(0.95),
            p99=sums.times.at(0.99),
            **{name: getattr(sums, name) for name in COUNTED},
        )


def read_account(file: Path) -> Iterable[AccountRow]:
    """The rows of a `usage.jsonl`, the last of each session, cell, stage and model."""
    rows = codec.read_lines(file, AccountRow)
    return {(row.session, row.cell_id, row.stage, row.model, row.replayed): row for row in rows}.values()
