"""Literals in prompts, read by many requests at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from memarena_models.literals import literal


def test_many_threads_read_literals_at_once() -> None:
    rows = [{"id": number, "text": "x" * 50, "inner": [[number]]} for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(literal, [repr(rows)] * 60)) == [rows] * 60


@pytest.mark.parametrize("text", ["[1, ", "print(1)", "__import__('os')", ""])
def test_what_is_no_literal_is_refused(text: str) -> None:
    with pytest.raises((ValueError, SyntaxError)):
        literal(text)
