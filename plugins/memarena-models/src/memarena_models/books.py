"""Books every call once: into the account, against the budgets, and into the record."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from memarena_models.account import Account, PriceTable, Spent
from memarena_models.budgets import Treasury
from memarena_models.calls import Call, Refusal, estimated, pictures
from memarena_models.delivery import Delivered
from memarena_models.exchanges import Exchange, Exchanges, Slot
from memarena_models.tokens import TokenCount


@dataclass(frozen=True, slots=True)
class Books:
    """Where calls are booked."""

    account: Account
    prices: PriceTable
    treasury: Treasury
    exchanges: Exchanges | None
    """None: nothing is recorded."""

    def reserve(self, call: Call) -> None:
        """Take what a call needs at least from the budgets. Raises Refusal where one is used up."""
        refusal = self.treasury.refusal(call.cell_id)
        if refusal is not None:
            raise Refusal(402, *refusal)
        if self.treasury.money and self.prices.of(call.model) is None:
            raise Refusal(400, "price_unknown", f"a budget in money needs a price for {call.model!r} in prices")
        self.treasury.reserve(call.cell_id, call.guess)


class OpenCall:
    """A call that is not booked yet. To be settled whatever happens; what comes after the first time is ignored."""

    def __init__(self, books: Books, call: Call, slot: Slot | None, text: bytes, *, replayed: bool = False) -> None:
        self._books = books
        self._call = call
        self._slot = slot
        self._text = text
        self._replayed = replayed
        self._began = perf_counter()
        self.settled: Delivered | None = None
        self.tokens = TokenCount()
        """What it took, once it is settled."""

    def settle(self, delivered: Delivered) -> None:
        """Book what became of the call."""
        if self.settled is not None:
            return
        self.settled = delivered
        seconds = perf_counter() - self._began
        call, books = self._call, self._books
        self.tokens = tokens = self._count(delivered)
        spent = Spent(
            cell_id=call.cell_id,
            stage=call.stage,
            model=call.model,
            tokens=tokens,
            seconds=seconds,
            replayed=self._replayed,
            failed=not delivered.good,
            retries=call.retries,
            pictures=pictures(call),
            bytes_in=len(call.sent),
            bytes_out=len(delivered.body),
        )
        books.account.add(spent)
        if self._replayed:
            return
        money = books.prices.cost(call.model, tokens.tokens_in, tokens.tokens_out, tokens.cached)
        books.treasury.settle(call.cell_id, call.guess, tokens.tokens_in + tokens.tokens_out, money)
        if delivered.good and self._slot is not None and books.exchanges is not None:
            exchange = Exchange(reply=delivered.body, streamed=delivered.streamed, seconds=seconds)
            books.exchanges.keep(self._slot, call.endpoint, call.model, self._text, exchange)

    def _count(self, delivered: Delivered) -> TokenCount:
        """What the reply says, estimated where it does not, nothing where there was no reply."""
        if delivered.tokens is not None:
            return delivered.tokens
        return estimated(self._call, delivered.body) if delivered.status == 200 else TokenCount()
