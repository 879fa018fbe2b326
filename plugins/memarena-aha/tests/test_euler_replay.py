"""Programs that are read out of a text: only arithmetic is run."""

from __future__ import annotations

import pytest

from memarena_aha.euler.draws import draw
from memarena_aha.euler.register import family, family_ids
from memarena_aha.euler.replay import programs_in, replay


def fenced(source: str) -> str:
    return f"Some words.\n```python\n{source}\n```\nMore words."


@pytest.mark.parametrize("family_id", family_ids())
def test_the_listing_of_every_family_is_read_and_run_with_other_slots(family_id: str) -> None:
    taught, held = draw(family(family_id), 1, 0, "teach"), draw(family(family_id), 1, 0, "test")
    found = programs_in(fenced(family(family_id).listing(taught.params).rstrip()))
    assert len(found) == 1
    assert set(found[0].slots) == set(held.params)
    assert replay(found[0], held.params) == f"{held.answer}\n"


@pytest.mark.parametrize(
    "body",
    [
        "import os\nprint(os.getcwd())",
        "from os import system\nprint(n)",
        "import math as m\nprint(n)",
        "from math import *\nprint(n)",
        "print(open('/etc/passwd').read())\nprint(n.__class__)",
        "print(().__class__.__base__.__subclasses__())",
        "print('{0.__class__}'.format(n))",
        "print(f'{n.__class__}')",
        "print((lambda: 0).gi_frame)",
        "import functools\nprint(functools._collections_abc)",
        "__import__('os')\nprint(n)",
        "class A: pass\nprint(n)",
        "try:\n    print(n)\nexcept Exception: pass",
        "with n: pass",
        "match n:\n    case object(__class__=c): print(c)",
        "print(n",
    ],
)
def test_what_is_more_than_arithmetic_is_left_alone(body: str) -> None:
    assert programs_in(fenced(f"n = 5\n{body}")) == []


def test_names_of_the_machine_are_not_there_at_all() -> None:
    found = programs_in(fenced("n = 5\nprint(open)"))
    assert replay(found[0], {"n": 5}) == ""


def test_a_program_that_fails_prints_nothing() -> None:
    found = programs_in(fenced("n = 5\nprint(n // (n - 5))"))
    assert replay(found[0], {"n": 5}) == ""
    assert replay(found[0], {"n": 6}) == "6\n"


def test_rows_and_nodes_keep_their_shapes() -> None:
    found = programs_in(fenced("row = (1, 2)\nprint(sum(row), isinstance(row, tuple))"))
    assert replay(found[0], {"row": [3, 4]}) == "7 True\n"


def test_a_program_without_slots_is_none_that_could_be_adapted() -> None:
    assert programs_in(fenced("print(5)")) == []
