"""What may still be spent: by the run, by an adapter's label, and by a cell."""

from __future__ import annotations

from collections.abc import Iterable

from memarena_models.account import AccountRow
from memarena_models.settings import Budget, Budgets


class _Purse:
    """What was spent from one budget, and what the calls under way will take at least."""

    __slots__ = ("money", "reserved", "tokens")

    def __init__(self) -> None:
        self.tokens = 0
        self.reserved = 0
        self.money = 0.0


class Treasury:
    """Keeps count of tokens and money against the budgets of a run."""

    def __init__(self, budgets: Budgets, earlier: Iterable[AccountRow] = ()) -> None:
        kinds = (("run", budgets.run), ("adapter", budgets.adapter), ("cell", budgets.cell))
        self._kinds = [(name, budget) for name, budget in kinds if budget != Budget()]
        self.money = any(budget.money is not None for _, budget in self._kinds)
        self._purses: dict[tuple[str, str], _Purse] = {}
        for row in earlier:
            if not row.replayed:
                self.settle(row.cell_id, 0, row.tokens_in + row.tokens_out, row.cost)

    def refusal(self, cell_id: str) -> tuple[str, str] | None:
        """Why a cell may not call any more: the error's code and a sentence; None where it may."""
        for name, budget in self._kinds:
            whose = _whose(name, cell_id)
            purse = self._purse(name, cell_id)
            if budget.tokens is not None and purse.tokens + purse.reserved >= budget.tokens:
                spent = f"{purse.tokens:,} tokens are used and {purse.reserved:,} under way, of {budget.tokens:,}"
            elif budget.money is not None and purse.money >= budget.money:
                spent = f"{purse.money:.4f} of {budget.money:.4f} are spent"
            else:
                continue
            return f"{name}_budget_spent", f"the budget of {whose} is used up: {spent}; raise budgets.{name} to go on"
        return None

    def reserve(self, cell_id: str, tokens: int) -> None:
        """A call that will take at least `tokens` begins."""
        for name, _ in self._kinds:
            self._purse(name, cell_id).reserved += tokens

    def settle(self, cell_id: str, reserved: int, tokens: int, money: float | None) -> None:
        """A call that had reserved `reserved` ended, and took `tokens` and `money`."""
        for name, _ in self._kinds:
            purse = self._purse(name, cell_id)
            purse.reserved -= reserved
            purse.tokens += tokens
            purse.money += money or 0.0

    def _purse(self, name: str, cell_id: str) -> _Purse:
        return self._purses.setdefault((name, _whose(name, cell_id)), _Purse())


def _whose(name: str, cell_id: str) -> str:
    """Whose purse it is: the run's, that of the label with which a cell's id begins, or the cell's."""
    return {"run": "the run", "adapter": f"adapter {cell_id.partition('~')[0]}", "cell": f"cell {cell_id}"}[name]
