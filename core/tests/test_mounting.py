"""One adapter of a run, let go when its cell is over."""

from __future__ import annotations

import pytest

from memarena.catalog import Entry
from memarena.mounting import PlannedAdapter


class Quiet:
    """Has nothing to close."""


class Closing:
    closed = 0

    def close(self) -> None:
        self.closed += 1


class Failing(Closing):
    def close(self) -> None:
        super().close()
        raise OSError("the server is gone already")


class Later(Closing):
    async def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize(("kind", "closed"), [(Quiet, None), (Closing, 1), (Failing, 1), (Later, 0)])
def test_an_adapter_that_can_is_told_to_close_and_nothing_comes_of_it(kind, closed) -> None:
    planned = PlannedAdapter("x", Entry("x", "m:X", "d", "1", "", "memarena.adapters"), {}, cls=kind)
    adapter = planned.make()
    planned.close(adapter)
    assert getattr(adapter, "closed", None) == closed
