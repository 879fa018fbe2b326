"""Asks the model for function calls, in the form that its server understands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

from msgspec.structs import replace

from memarena.meter import estimate_tokens
from memarena.modelclient import Chat, ModelClient, Reply
from memarena_memgpt import json_calls
from memarena_memgpt.functions import tools

CallForm = Literal["tools", "json", "auto"]


class Caller:
    """Asks for calls as tool calls, or as JSON in the text of the reply, which a JSON schema asks for.

    With `auto`, a reply without a tool call, where one was required, shows that the server does not enforce it: it is
    counted as `unenforced`, and that request and all later ones are put as JSON. Replies that ended at the limit of
    tokens are counted as `cut_off`.
    """

    def __init__(self, client: ModelClient, form: CallForm, counts: Counter[str]) -> None:
        self.by_json = form == "json"
        self._client = client
        self._form = form
        self._counts = counts

    def ask(self, system: str, messages: Sequence[Chat], names: tuple[str, ...]) -> Reply:
        """A reply that calls functions of `names`, or none where it holds no call. Raises ModelCallFailed."""
        if not self.by_json:
            reply = self._chat([{"role": "system", "content": system}, *messages], tools=tools(names))
            if reply.uses or self._form == "tools":
                return reply
            self._counts["unenforced"] += 1
            self.by_json = True
        told = {"role": "system", "content": f"{system}\n\n{json_calls.manual(names)}"}
        form = json_calls.response_format(names)
        reply = self._chat([told, *json_calls.as_text(messages)], response_format=form)
        return replace(reply, uses=json_calls.calls_in(reply.text))

    def _chat(self, messages: Sequence[Chat], **more: Any) -> Reply:
        reply = self._client.chat(messages, **more)
        if reply.finish == "length":
            self._counts["cut_off"] += 1
        return reply

    def tokens(self, names: tuple[str, ...]) -> int:
        """Estimated tokens that the functions `names` take in the prompt."""
        return _tokens(names, self.by_json)


@cache
def _tokens(names: tuple[str, ...], by_json: bool) -> int:
    return estimate_tokens(json_calls.manual(names) if by_json else str(tools(names)))
