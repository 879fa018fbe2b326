"""How commands say how many there are of something."""

from __future__ import annotations

import pytest

from memarena.cli.counted import counted, size
from memarena.testing.tiny import tiny_samples


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 samples"), (1, "1 sample"), (2, "2 samples"), (1200, "1,200 samples")]
)
def test_one_is_told_in_the_singular(number, said):
    assert counted(number, "sample") == said


def test_the_size_of_a_sample_is_that_of_what_it_holds():
    assert [size(sample) for sample in tiny_samples()] == [
        "2 sessions, 2 checkpoints, 3 questions",
        "1 session, 1 checkpoint, 2 questions",
    ]
