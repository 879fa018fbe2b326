"""Presets: named sets of settings. What a person sets anywhere else wins.

`paper` is what WorldMemArena's appendix A fixes; `paper-table2` adds the models of its table 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_PAPER: Mapping[str, Any] = {
    "answerer": "llm",
    "judge": "llm",
    "top_k": 10,
    "max_pictures": 5,
    "jobs": 10,
    "judge_jobs": 5,
    "options": (
        "answerer.max_tokens=16384",
        "answerer.temperature=0",
        "judge.max_tokens=16384",
        "judge.temperature=0",
        'gateway.timeouts={"read": 300}',
    ),
}
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {**_PAPER, "models": ("embed=text-embedding-3-small",)},
    "paper-table2": {
        **_PAPER,
        "models": (
            "inner=gpt-5.4-nano",
            "answer=gpt-5.4-nano",
            "judge=gpt-5.4-mini",
            "embed=text-embedding-3-small",
        ),
    },
}
