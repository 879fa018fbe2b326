"""How commands say how many there are of something."""

from __future__ import annotations

import pytest

from memarena.cli.counted import counted


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 samples"), (1, "1 sample"), (2, "2 samples"), (1200, "1,200 samples")]
)
def test_one_is_told_in_the_singular(number, said):
    assert counted(number, "sample") == said
