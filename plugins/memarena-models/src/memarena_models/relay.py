"""What happens to a call: from the record or from its model, to its owner, into the account and into the record."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

import msgspec

from memarena_models.account import Account, PriceTable, Spent
from memarena_models.assembling import assembled
from memarena_models.attempts import Attempts
from memarena_models.budgets import Treasury
from memarena_models.calls import Call, Refusal, Reply, estimated, pictures, read_whole
from memarena_models.exchanges import Exchange, Exchanges, Slot, Slots
from memarena_models.passing import StreamReader
from memarena_models.requestkey import canonical, request_key
from memarena_models.settings import RecordMode
from memarena_models.streaming import stream_of
from memarena_models.tokens import TokenCount
from memarena_models.upstreams import Passing


class Out(Protocol):
    """The way back to the owner."""

    async def whole(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        """Send a whole answer."""

    async def begin(self) -> None:
        """Begin a stream of events."""

    async def write(self, data: bytes) -> None:
        """Send a part of the stream, now."""

    async def end(self) -> None:
        """End the stream well."""

    def abort(self) -> None:
        """Break the stream off, so that the owner notices."""


@dataclass(slots=True)
class Delivered:
    """What became of a reply."""

    body: bytes
    tokens: TokenCount | None
    """None where the reply does not say."""
    good: bool
    """It may be recorded as the answer."""
    streamed: bool = False


class Relay:
    """Answers the calls of all owners."""

    def __init__(
        self,
        *,
        mode: RecordMode,
        exchanges: Exchanges | None,
        account: Account,
        prices: PriceTable,
        treasury: Treasury,
        attempts: Attempts,
        secrets: Mapping[str, str],
    ) -> None:
        self._mode = mode
        self._exchanges = exchanges
        self._slots = Slots()
        self._account = account
        self._prices = prices
        self._treasury = treasury
        self._attempts = attempts
        self._secrets = {name: key.encode() for name, key in secrets.items()}

    async def answer(self, call: Call, upstream: str, out: Out) -> None:
        """Answer `call` from the record or from `upstream`. Raises Refusal where neither gives an answer."""
        began = perf_counter()
        if self._exchanges is None:
            await self._ask(call, upstream, out, began, None, b"")
            return
        text = canonical(call.body)
        slot = self._slots.take(request_key(call.endpoint, text), call.cell_id, call.stage)
        kept = False
        try:
            found = None if self._mode == "record" else self._exchanges.find(slot)
            if found is not None:
                await self._replay(call, found, out, began)
                kept = True
                return
            if self._mode == "replay":
                why = self._exchanges.explain_miss(slot, call.endpoint, text)
                what = f"{call.endpoint} request of {call.cell_id} ({call.stage}) to {call.model}"
                raise Refusal(404, "replay_miss", f"replay: this {what} was not recorded: {why}")
            kept = await self._ask(call, upstream, out, began, slot, text)
        finally:
            if not kept:
                self._slots.give_back(slot)

    async def _ask(self, call: Call, upstream: str, out: Out, began: float, slot: Slot | None, text: bytes) -> bool:
        """Ask `upstream`; returns whether a good answer came, which stands in the record then."""
        refusal = self._treasury.refusal(call.cell_id)
        if refusal is not None:
            raise Refusal(402, *refusal)
        if self._treasury.money and self._prices.of(call.model) is None:
            raise Refusal(400, "price_unknown", f"a budget in money needs a price for {call.model!r} in prices")
        self._treasury.reserve(call.cell_id, call.guess)
        reply, delivered = None, None
        try:
            reply = await self._attempts.ask(call, upstream)
            secret = self._secrets.get(upstream, b"")
            delivered = await self._deliver(call, reply, out, secret)
        finally:
            tokens = self._tokens(call, 0 if reply is None else reply.status, delivered)
            seconds = perf_counter() - began
            if reply is not None:
                reply.close()
                self._attempts.done(call, upstream, tokens.tokens_in + tokens.tokens_out)
            self._book(call, tokens, seconds, delivered)
        if slot is not None and delivered.good and self._exchanges is not None:
            exchange = Exchange(reply=delivered.body, streamed=delivered.streamed, seconds=seconds)
            self._exchanges.keep(slot, call.endpoint, call.model, text, exchange)
        return delivered.good

    async def _deliver(self, call: Call, reply: Reply, out: Out, secret: bytes) -> Delivered:
        """Pass a reply on, without the upstream's key, should it show it."""
        if reply.chunks is not None:
            return await self._pass(call, reply.chunks, out, secret)
        body = _scrubbed(reply.body, secret)
        # A client that would try again has nothing to gain: here it was tried already.
        headers = {"x-should-retry": "false", **reply.headers} if reply.status != 200 else reply.headers
        await out.whole(reply.status, body, headers)
        good, tokens = read_whole(call.endpoint, body) if reply.status == 200 else (False, None)
        return Delivered(body, tokens, good)

    async def _pass(self, call: Call, chunks: AsyncIterator[bytes], out: Out, secret: bytes) -> Delivered:
        """Pass a stream on as it comes; one that breaks off breaks off for the owner too."""
        reader = StreamReader(call.endpoint, hide_usage=call.hide_usage)
        await out.begin()
        try:
            async for chunk in chunks:
                shown = reader.feed(_scrubbed(chunk, secret))
                if shown:
                    await out.write(shown)
            rest = reader.rest()
            if rest:
                await out.write(rest)
        except Passing:
            out.abort()
            return Delivered(reader.whole, reader.tokens, good=False, streamed=True)
        await out.end()
        return Delivered(reader.whole, reader.tokens, reader.ended, streamed=True)

    async def _replay(self, call: Call, found: Exchange, out: Out, began: float) -> None:
        """Answer from the record, as a stream or whole, as it is asked for now."""
        if call.stream:
            events: Iterable[bytes] = (found.reply,)
            if not found.streamed:
                events = stream_of(call.endpoint, msgspec.json.decode(found.reply))
            delivered = await self._pass(call, _each(events), out, b"")
        else:
            body = found.reply
            if found.streamed:
                body = msgspec.json.encode(assembled(call.endpoint, body))
            delivered = await self._deliver(call, Reply(200, body), out, b"")
        tokens = self._tokens(call, 200, delivered)
        self._book(call, tokens, perf_counter() - began, delivered, replayed=True)

    def _tokens(self, call: Call, status: int, delivered: Delivered | None) -> TokenCount:
        """What a call took: as its reply says, estimated where it does not, nothing where there was none."""
        if delivered is not None and delivered.tokens is not None:
            return delivered.tokens
        if status != 200:
            return TokenCount()
        return estimated(call, delivered.body if delivered is not None else b"")

    def _book(
        self,
        call: Call,
        tokens: TokenCount,
        seconds: float,
        delivered: Delivered | None,
        *,
        replayed: bool = False,
    ) -> None:
        spent = Spent(
            cell_id=call.cell_id,
            stage=call.stage,
            model=call.model,
            tokens=tokens,
            seconds=seconds,
            replayed=replayed,
            failed=delivered is None or not delivered.good,
            retries=call.retries,
            pictures=pictures(call),
            bytes_in=len(call.sent),
            bytes_out=0 if delivered is None else len(delivered.body),
        )
        self._account.add(spent)
        if not replayed:
            money = self._prices.cost(call.model, tokens.tokens_in, tokens.tokens_out, tokens.cached)
            self._treasury.settle(call.cell_id, call.guess, tokens.tokens_in + tokens.tokens_out, money)


def _scrubbed(data: bytes, secret: bytes) -> bytes:
    return data.replace(secret, b"***") if secret and secret in data else data


async def _each(chunks: Iterable[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk
