"""How long facts are kept: survival curves (Kaplan and Meier, JASA 1958) and hazards, from rows a fact.

A row of `fact_lost` has 1 in its numerator where the fact was lost, and in its denominator the sessions through which
it was at risk. Intervals come from drawing samples; those of a single sample take its facts as independent
(Greenwood's variance of log S, on the scale of log(-log S), which stays between 0 and 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memarena_report.breakdowns import POINT_FACETS, rank
from memarena_report.followed import HAZARD
from memarena_report.intervals import CONFIDENCE, FEW, weights_of
from memarena_report.levels import LEVELS, Quantity
from memarena_report.scores import Number, Scores
from memarena_report.table import Column, Row, Table, rows_of

if TYPE_CHECKING:
    from memarena_report.frame import Column as Rows
    from memarena_report.frame import Facet, Floats, Mask

FACETS = ("kind", "fact_kind", "modality")
"""What facts are told apart by."""


def survival(rows: Rows, samples: int) -> list[Number]:
    """The share of facts still kept 0, 1, 2, ... sessions after they were first held; `n` counts those at risk then.

    `rows` are those of `fact_lost` in a run with so many samples; [] where no fact was at risk.
    """
    import numpy as np

    rows = rows.take(rows.d > 0)
    if not len(rows):
        return []
    died, risk = _counted(rows, samples)
    covers = risk[:, 0] > 0
    clusters = int(covers.sum())
    curve = _curve(died.sum(axis=0), risk.sum(axis=0))
    if clusters >= 2:
        lows, highs = _drawn(died[covers], risk[covers])
        note = f"only {clusters} samples: likely too narrow" if clusters < FEW else ""
    else:
        lows, highs = _greenwood(died.sum(axis=0), risk.sum(axis=0), curve)
        note = "one sample: its facts taken as independent"
    start = Number(1.0, n=int(risk[:, 0].sum()), samples=clusters, note="where all begin")
    return [
        start,
        *(
            Number(
                value=float(s),
                lo=None if np.isnan(lo) else float(lo),
                hi=None if np.isnan(hi) else float(hi),
                n=int(n),
                samples=clusters,
                note=note,
            )
            for s, lo, hi, n in zip(curve, lows, highs, risk.sum(axis=0), strict=True)
        ),
    ]


def _counted(rows: Rows, samples: int) -> tuple[Floats, Floats]:
    """Facts lost at each step, and facts at risk then: samples x steps."""
    import numpy as np

    at = rows.d.astype(np.int64)
    most = int(at.max())

    def ends(mask: Mask) -> Floats:
        places = rows.sample[mask].astype(np.int64) * most + at[mask] - 1
        return np.bincount(places, minlength=samples * most).reshape(samples, most).astype(np.float64)

    every = ends(np.ones(len(rows), dtype=np.bool_))
    return ends(rows.n == 1), every[:, ::-1].cumsum(axis=1)[:, ::-1]


def _curve(died: Floats, risk: Floats) -> Floats:
    """The running product of 1 - lost / at risk, along the last axis; where nobody is at risk, it stays."""
    import numpy as np

    hazard = np.divide(died, risk, out=np.zeros_like(risk, dtype=np.float64), where=risk > 0)
    kept: Floats = np.cumprod(1 - hazard, axis=-1)
    return kept


def _drawn(died: Floats, risk: Floats) -> tuple[Floats, Floats]:
    import numpy as np

    draws = np.concatenate([_curve(weights @ died, weights @ risk) for weights in weights_of(len(died))])
    low, high = np.quantile(draws, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0)
    return low, high


def _greenwood(died: Floats, risk: Floats, curve: Floats) -> tuple[Floats, Floats]:
    """NaN where the curve is 0 or 1, since the variance says nothing there."""
    import numpy as np
    from scipy.special import ndtri

    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.cumsum(died / (risk * (risk - died)))
        spread = float(ndtri((1 + CONFIDENCE) / 2)) * np.sqrt(variance) / np.abs(np.log(curve))
        inside = (curve > 0) & (curve < 1)
        low, high = (np.where(inside, curve ** np.exp(sign * spread), np.nan) for sign in (1, -1))
    return low, high


def survival_table(scores: Scores, where: Mapping[str, Facet] | None = None) -> Table | None:
    """One row a system (no oracles), one column a number of sessions; None where no fact was at risk.

    `where` are the facets that a fact must have.
    """
    if not scores.has(HAZARD):
        return None
    samples = len(scores.frame.samples)
    curves: dict[str, list[Number]] = {}
    for system in scores.compared:
        rows = scores.frame.column(system.label, HAZARD, "paper")
        curves[system.label] = [] if rows is None else survival(scores.frame.where(rows, where or {}), samples)
    steps = max(map(len, curves.values()), default=0)
    if not steps:
        return None
    lines = tuple(
        Row(system.label, system.role, _padded(curves[system.label], steps, able=system.capabilities.state))
        for system in scores.compared
    )
    columns = tuple(Column(str(step), str(step)) for step in range(steps))
    about = "share of facts still active so many sessions after they were first held, while they were true"
    return Table("survival", "Facts still kept", columns, lines, "", LEVELS["run"], about)


def _padded(curve: Sequence[Number], steps: int, *, able: bool) -> tuple[Number, ...]:
    why = "no fact was at risk so long" if able else "its state is not visible"
    return (*curve, *[Number(None, note=why)] * (steps - len(curve)))


def survival_by(scores: Scores) -> Iterator[tuple[str, str, Table]]:
    """The name of a facet, a value of it, and the table of the facts that have it; facets with one value are left
    out."""
    for facet, values in _values(scores):
        for value in values:
            table = survival_table(scores, {facet: value})
            if table is not None:
                yield POINT_FACETS[facet], str(value), table


def hazard_table(scores: Scores) -> Table | None:
    """Facts lost a session at risk, of all facts and by what they are, over the whole run; None: nothing measured."""
    if not scores.has(HAZARD):
        return None
    cuts: dict[str, dict[str, Facet]] = {"all": {}}
    groups = {"all": ""}
    for facet, values in _values(scores):
        for value in values:
            cuts[f"{facet}:{value}"] = {facet: value}
            groups[f"{facet}:{value}"] = POINT_FACETS[facet]
    columns = tuple(
        Column(key, key.partition(":")[2] or key, groups[key], better="low", about="facts lost / sessions at risk")
        for key in cuts
    )
    cells: dict[tuple[str, str], tuple[Quantity | None, str]] = {}
    for system in scores.systems:
        why = "no such fact was at risk" if system.capabilities.state else "its state is not visible"
        for key, where in cuts.items():
            cells[system.label, key] = scores.quantity(system.label, HAZARD, "paper", "run", where), why
    rows = rows_of(scores.systems, list(cuts), cells)
    return Table("hazard", "Facts lost a session", columns, rows, "", LEVELS["run"])


def _values(scores: Scores) -> Iterator[tuple[str, list[Facet]]]:
    asked = scores.frame.asked(HAZARD)
    for facet in FACETS:
        codes, values = scores.frame.facet(facet)
        there = {code for code in codes[asked.facets].tolist() if code >= 0}
        if len(there) > 1:
            yield facet, sorted((values[code] for code in there), key=rank)
