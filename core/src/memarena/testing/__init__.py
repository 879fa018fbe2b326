"""The test kit: contracts of every kind of plugin, a tiny data set, fakes, fixtures.

`AdapterContract` and its siblings are pytest classes; `run_checks` runs the same checks without pytest. Fixtures come
with `pytest_plugins = ["memarena.testing.plugin"]`.
"""

from __future__ import annotations

from memarena.testing.checks import Check, CheckFailed, CheckResult, checks_of, run_checks
from memarena.testing.contract import (
    AdapterContract,
    AnswererContract,
    DatasetContract,
    ExecutorContract,
    InstrumentContract,
    JudgeContract,
    ScorerContract,
)

__all__ = [
    "AdapterContract",
    "AnswererContract",
    "Check",
    "CheckFailed",
    "CheckResult",
    "DatasetContract",
    "ExecutorContract",
    "InstrumentContract",
    "JudgeContract",
    "ScorerContract",
    "checks_of",
    "run_checks",
]
