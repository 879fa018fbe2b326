"""How the model `offline` rewords a turn: it leads in with words of its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memarena_builder.probes.words import words
from memarena_builder.rewriting.model import TITLE, TURNS
from memarena_builder.rewriting.slots import MARK

if TYPE_CHECKING:
    from memarena_models.offline_requests import Request

LEADS = {
    True: ("喏，", "这样，", "听好了：", "这么说吧，", "换个讲法讲：", "跟你念叨几句，", "不绕弯子，我直说吧："),
    False: (
        "Plainly told: ", "Put plainly, then: ", "Let me spell that out: ", "To put it another way, with no frills: ",
        "Here is how I would tell it to anybody around here: ",
    ),
}  # fmt: skip
"""By whether a turn is Chinese; the shorter first."""
SHARE = 0.5
"""Words of the lead for each word of the turn, at least."""


class RewriteRule:
    """Replies to the prompt of `memarena data rewrite`."""

    def matches(self, request: Request) -> bool:
        """Whether it is that prompt."""
        return request.system.startswith(TITLE)

    def reply(self, request: Request) -> str:
        """All turns, reworded, as JSON."""
        turns = json.loads(request.asked.partition(TURNS)[2])
        return json.dumps({"turns": [{"turn": each["turn"], "text": led(each["text"])} for each in turns]})


def led(text: str) -> str:
    """`text` behind words that lead in, as many as it takes to make it another."""
    bare = words(MARK.sub(" ", text))
    leads = LEADS[any("\u4e00" <= letter <= "\u9fff" for letter in text)]
    wanted = SHARE * len(bare)
    lead = next((each for each in leads if len(words(each)) >= wanted), leads[-1])
    for more in reversed(leads[:-1]):
        if len(words(lead)) >= wanted:
            break
        lead += more
    return lead + text
