"""The way of a call: answered from the record or by its model, and booked."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping

import msgspec

from memarena_models.assembling import assembled
from memarena_models.attempts import Attempts
from memarena_models.books import Books, OpenCall
from memarena_models.calls import Call, Refusal, Reply
from memarena_models.delivery import Delivered, Out, deliver
from memarena_models.exchanges import Exchange, Slot, Slots
from memarena_models.requestkey import canonical, request_key
from memarena_models.settings import RecordMode
from memarena_models.streaming import stream_of


class Relay:
    """Answers the calls of all owners."""

    def __init__(self, mode: RecordMode, books: Books, attempts: Attempts, secrets: Mapping[str, str]) -> None:
        self._mode = mode
        self._books = books
        self._slots = Slots()
        self._attempts = attempts
        self._secrets = {name: key.encode() for name, key in secrets.items()}

    async def answer(self, call: Call, upstream: str, out: Out) -> None:
        """Answer `call` from the record or from `upstream`. Raises Refusal where neither gives an answer."""
        exchanges = self._books.exchanges
        if exchanges is None:
            await self._ask(call, upstream, out, None, b"")
            return
        text = canonical(call.body)
        slot = self._slots.take(request_key(call.endpoint, text), call.cell_id, call.stage)
        kept = False
        try:
            found = None if self._mode == "record" or exchanges.empty else exchanges.find(slot)
            if found is not None:
                kept = True
                await self._replay(call, found, out)
            elif self._mode == "replay":
                why = exchanges.explain_miss(slot, call.endpoint, text)
                what = f"{call.endpoint} request of {call.cell_id} ({call.stage}) to {call.model}"
                raise Refusal(404, "replay_miss", f"replay: this {what} was not recorded: {why}")
            else:
                kept = await self._ask(call, upstream, out, slot, text)
        finally:
            if not kept:
                self._slots.give_back(slot)

    def close(self) -> None:
        """Forget which slots were taken."""
        self._slots.close()

    async def _ask(self, call: Call, upstream: str, out: Out, slot: Slot | None, text: bytes) -> bool:
        """Ask `upstream`; returns whether a good answer came, which then stands in the slot."""
        self._books.reserve(call)
        opened, reply = OpenCall(self._books, call, slot, text), None
        try:
            reply = await self._attempts.ask(call, upstream)
            await deliver(call, reply, out, self._secrets.get(upstream, b""), opened.settle)
        finally:
            opened.settle(Delivered(0 if reply is None else reply.status))
            if reply is not None:
                reply.close()
                self._attempts.done(call, upstream, opened.tokens.tokens_in + opened.tokens.tokens_out)
        return opened.settled is not None and opened.settled.good

    async def _replay(self, call: Call, found: Exchange, out: Out) -> None:
        """Answer from the record, as a stream or whole, as it is asked for now."""
        opened = OpenCall(self._books, call, None, b"", replayed=True)
        reply = Reply(200, found.reply)
        if call.stream:
            whole = None if found.streamed else msgspec.json.decode(found.reply)
            reply.chunks = _each((found.reply,) if whole is None else stream_of(call.endpoint, whole))
        elif found.streamed:
            reply.body = msgspec.json.encode(assembled(call.endpoint, found.reply))
        try:
            await deliver(call, reply, out, b"", opened.settle)
        finally:
            opened.settle(Delivered(200))


async def _each(chunks: Iterable[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk
