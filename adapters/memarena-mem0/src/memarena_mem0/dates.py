"""Prompts of mem0 with the time of the benchmark where mem0 writes the day on which it runs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

Messages = Sequence[Mapping[str, Any]]

_V3 = re.compile(r"(?<=^## Observation Date\n).*|(?<=^## Current Date\n).*", re.MULTILINE)
_CLASSIC = re.compile(r"(?<=^- Today's date is )\d{4}-\d{2}-\d{2}", re.MULTILINE)


def redated_v3(messages: Messages, time: str) -> list[dict[str, Any]]:
    """The prompt of 2.x, whose dates stand in the last sections of its last message; raises ValueError without them."""
    *before, last = messages
    head, mark, tail = last["content"].rpartition("## Observation Date\n")
    dated, found = _V3.subn(lambda _: time, mark + tail)
    if found != 2:
        raise ValueError("the prompt of this mem0ai has no dates where that of 2.2 has them: pip install mem0ai==2.2.1")
    return [*map(dict, before), {**last, "content": head + dated}]


def redated_classic(messages: Messages, time: str) -> list[dict[str, Any]]:
    """The prompts of 1.0.11: that for facts has the day in its system message, that for updates has none."""
    return [
        {**each, "content": _CLASSIC.sub(lambda _: time, each["content"])} if each["role"] == "system" else dict(each)
        for each in messages
    ]
