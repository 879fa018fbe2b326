"""How the model `offline` reads a session of a trace: by the rules for plain statements."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memarena_builder.traces.model import TITLE, TURNS
from memarena_builder.traces.statements import by_session

if TYPE_CHECKING:
    from memarena_models.offline_requests import Request


class TraceRule:
    """Replies to the prompt of `memarena data annotate --model`."""

    def matches(self, request: Request) -> bool:
        """Whether it is that prompt."""
        return request.system.startswith(TITLE)

    def reply(self, request: Request) -> str:
        """The facts of the turns, as JSON."""
        turns = json.loads(request.asked.partition(TURNS)[2])
        facts = [
            {"turn": turn["turn"], **dict(zip(("subject", "relation", "value", "supposed"), each, strict=True))}
            for turn, stated in zip(turns, by_session([(each["role"], each["text"]) for each in turns]), strict=True)
            for each in stated
        ]
        return json.dumps({"facts": facts}, ensure_ascii=False)
