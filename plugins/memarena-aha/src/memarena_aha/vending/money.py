"""The bank: every change of it is a row of the ledger, and it never goes below zero."""

from __future__ import annotations

from memarena_aha.vending.state import Entry, State

__all__ = ["debit", "next_id", "pay", "receive"]


def pay(state: State, amount: int, kind: str, party: str, note: str = "") -> bool:
    """Pay `amount` cents; False, and nothing happens, where the bank holds less."""
    if amount > state.bank:
        return False
    _post(state, -amount, kind, party, note)
    return True


def receive(state: State, amount: int, kind: str, party: str, note: str = "") -> None:
    """Book `amount` cents as received; nothing is written for 0."""
    if amount:
        _post(state, amount, kind, party, note)


def debit(state: State, amount: int, kind: str, party: str) -> int:
    """Take `amount` cents, or what there is where the bank holds less; returns what was taken."""
    taken = min(amount, state.bank)
    if taken:
        _post(state, -taken, kind, party, "")
    return taken


def next_id(letter: str, count: int) -> str:
    """The id after `count` ids of its kind, e.g. `O0001`."""
    return f"{letter}{count + 1:04}"


def _post(state: State, amount: int, kind: str, party: str, note: str) -> None:
    state.bank += amount
    state.ledger.append(
        Entry(
            day=state.day,
            minute=state.minute,
            kind=kind,
            amount=amount,
            balance=state.bank,
            party=party,
            note=note,
        )
    )
