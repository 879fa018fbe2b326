"""How the model `offline` replies to the router's prompt: by the rule that routes without a model."""

from __future__ import annotations

import re
from typing import Any

from memarena_universalrag.router import TITLE
from memarena_universalrag.routes import route_by_rule

_QUESTION = re.compile(r"<question>\n(.*)\n</question>", re.DOTALL)
_PICTURED = "\n(a picture comes with the question)"


class RoutePrompt:
    """Names the route of the question that the prompt holds."""

    def matches(self, request: Any) -> bool:
        return str(request.system).startswith(TITLE)

    def reply(self, request: Any) -> str:
        found = _QUESTION.search(request.asked)
        question = found.group(1) if found else request.asked
        return route_by_rule(question.removesuffix(_PICTURED), pictured=question.endswith(_PICTURED)).route
