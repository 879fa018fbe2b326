"""What all records are made of."""

from __future__ import annotations

from msgspec import Struct


class Record(Struct, frozen=True, omit_defaults=True):
    """Base of all records.

    Those of which a data set has thousands are made with `gc=False`: nothing in them can point back at them.
    """
