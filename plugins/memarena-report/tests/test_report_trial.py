"""How far a diagnosis can be believed, as the page shows it."""

from __future__ import annotations

from memarena_report.trial import as_matrix


def test_the_matrix_has_a_row_a_planted_stage_and_zeros_where_nothing_was() -> None:
    given = {
        "data": "mini",
        "judge": "lexical",
        "losses": 4,
        "right": 0.75,
        "healthy": 10,
        "blamed": 0.1,
        "stages": [
            {"planted": "write", "diagnosed": "write", "count": 3},
            {"planted": "write", "diagnosed": "use", "count": 1},
            {"planted": "nothing", "diagnosed": "nothing", "count": 9},
            {"planted": "nothing", "diagnosed": "use", "count": 1},
        ],
    }
    trial = as_matrix(given)
    rows = dict(trial.rows)
    assert rows["write"] == [3, 0, 0, 0, 1, 0, 0]
    assert rows["show"] == [0] * 7
    assert rows["nothing"] == [0, 0, 0, 0, 1, 0, 9]
    assert trial.about.startswith("75.0 % of 4 planted losses at their stage, 10.0 % of 10 right answers blamed")
