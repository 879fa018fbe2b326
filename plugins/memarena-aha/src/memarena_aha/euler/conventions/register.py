"""All invented operations, in order of ids."""

from __future__ import annotations

from memarena.errors import UsageError
from memarena_aha.euler.conventions import by_digits, by_value
from memarena_aha.euler.conventions.operation import Operation

__all__ = ["all_operations", "operation"]

_OPERATIONS = {one.operation_id: one for one in (*by_digits.OPERATIONS, *by_value.OPERATIONS)}


def all_operations() -> tuple[Operation, ...]:
    """Every kind of operation."""
    return tuple(_OPERATIONS.values())


def operation(operation_id: str) -> Operation:
    """A kind of operation by id; raises UsageError for one that does not exist."""
    found = _OPERATIONS.get(operation_id.upper())
    if found is None:
        raise UsageError(f"no invented operation {operation_id!r}: there are {', '.join(_OPERATIONS)}")
    return found
