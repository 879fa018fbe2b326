"""The rules of the model `offline`: the first that matches a request replies to it.

Packages add rules for prompts of their own by the entry-point group `memarena.offline_rules`; these come before the
ones here, in the order of their names. A rule is a class without arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Protocol

from memarena.errors import PluginLoadError, first_line
from memarena.records import Record
from memarena_models.offline_requests import Request

GROUP = "memarena.offline_rules"


class ToolCall(Record, frozen=True, kw_only=True):
    """A call of a tool that the request offers."""

    name: str
    arguments: Mapping[str, Any] = {}


Output = str | Sequence[ToolCall]


class Rule(Protocol):
    """Replies to some requests. Deterministic; keeps nothing between requests."""

    def matches(self, request: Request) -> bool:
        """Whether this rule knows what to do."""
        ...

    def reply(self, request: Request) -> Output:
        """The text of the reply, or the calls that are made in its place."""
        ...


def reply_to(request: Request) -> Output:
    """What the first rule that matches says. Raises PluginLoadError where a rule of a package is broken."""
    return next(rule for rule in rules() if rule.matches(request)).reply(request)


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, in the order in which they are tried; the last one matches everything."""
    from memarena_models.rules_json import FillSchema, FollowExample
    from memarena_models.rules_own import AnswerPrompt, JudgePrompts
    from memarena_models.rules_text import Converse, Summarise
    from memarena_models.rules_tools import UseTools

    found = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
    added = [_made(point) for point in found]
    return (*added, AnswerPrompt(), JudgePrompts(), UseTools(), FillSchema(), FollowExample(), Summarise(), Converse())


def _made(point: Any) -> Rule:
    try:
        rule: Rule = point.load()()
    except Exception as error:
        raise PluginLoadError(f"offline rule {point.name!r} ({point.value}): {first_line(error)}") from error
    return rule
