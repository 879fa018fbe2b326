"""Asks the model for the facts of a text. What it replies is parsed, never evaluated, and counted where it is junk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from memarena.errors import one_line
from memarena.modelclient import ModelClient
from memarena.replies import list_in
from memarena_graph import prompts
from memarena_graph.prompts import Said

SHOWN = 400
"""Characters of an unusable reply that the model is shown again: a small model has little room."""


class UnusableReply(Exception):
    """The model gave no usable reply, however often it was asked."""


class Extractor:
    """Asks up to `attempts` times for each text.

    `counts`: `unusable_replies` that held no list of facts, `unusable_facts` that were left out of a list,
    `cut_replies` of which the complete facts were taken, and `given_up`, the texts for which no reply could be used.
    """

    def __init__(self, client: ModelClient, attempts: int) -> None:
        self.counts = {"unusable_replies": 0, "unusable_facts": 0, "cut_replies": 0, "given_up": 0}
        self._client = client
        self._attempts = attempts

    def facts(self, time: str | None, text: str, known: Sequence[str]) -> list[Said]:
        """The facts of `text`, with the numbers of those of `known` (from 1) that they replace.

        Raises UnusableReply, and ModelCallFailed where a call fails.
        """
        asked = prompts.messages(time, text, known)
        said, problem, reply = asked, "", ""
        for _ in range(self._attempts):
            reply = self._client.chat(said, response_format=prompts.form()).text
            try:
                found, cut = list_in(reply, "facts")
            except ValueError as error:
                problem = one_line(error)
            else:
                facts = [fact for row in found if (fact := _fact(row)) is not None]
                self.counts["unusable_facts"] += len(found) - len(facts)
                if facts or not found:
                    self.counts["cut_replies"] += cut
                    return facts
                problem = f"none of its {len(found)} facts has subject, relation, object and text"
            self.counts["unusable_replies"] += 1
            again = f"That cannot be used: {problem}. Reply with the JSON object alone, and with short facts."
            said = [*asked, {"role": "assistant", "content": reply[:SHOWN]}, {"role": "user", "content": again}]
        self.counts["given_up"] += 1
        raise UnusableReply(f"no facts in {self._attempts} replies; the last: {problem}: {reply[:200]!r}")


def _fact(row: Any) -> Said | None:
    try:
        fact = msgspec.convert(row, Said)
    except msgspec.ValidationError:
        return None
    return fact if all(map(str.strip, (fact.subject, fact.relation, fact.object, fact.text))) else None
