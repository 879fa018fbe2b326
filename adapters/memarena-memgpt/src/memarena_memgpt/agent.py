"""The agent: what stands in its prompt, its steps, and what happens when the prompt fills up (arXiv 2310.08560, 2)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

from memarena.meter import estimate_tokens
from memarena.modelclient import ModelClient, Reply, ToolUse
from memarena.records import MemoryChange, MemoryItem, Record
from memarena_memgpt import prompts
from memarena_memgpt.caller import Caller, CallForm
from memarena_memgpt.core_memory import FunctionFailed
from memarena_memgpt.functions import READING, SILENT, WRITING, BadCall, read_call
from memarena_memgpt.message_queue import Exchange, MessageQueue
from memarena_memgpt.stores import Origin, Outcome, Stores

SUMMARY = "summary"
"""The memory_id of the recursive summary."""
LONGEST_SUMMARY = 4000
"""Characters of the summary that are kept; the model is asked for 150 words."""
CHUNK = 8
"""An event takes at most this part of the window; a longer message comes as several events."""
LONGEST_WORDS = 1000
"""Characters that the model is shown again of a reply of its own without a call."""
UNENFORCED = "; a server that does not enforce tool_choice=required needs the option calls=json"
CUT_OFF = " (cut off at the limit of reply_tokens)"
SYSTEM_TOKENS = estimate_tokens(prompts.system_message("", 0, 0))
"""Of the system message without core memory."""
REMINDER = "Call one of the functions; a reply without a call does nothing."


class UnusableReplies(Exception):
    """Nothing that the model said at one step could be used."""


class Limits(Record, frozen=True, kw_only=True):
    """The limits of the agent's context."""

    window: int
    """Tokens of the prompt."""
    warn_at: float
    """Share of the window above which the agent is warned."""
    flush_at: float
    """Share of the window above which the oldest messages are evicted."""
    evict: float
    """Share of the window that is evicted."""
    steps: int
    """Replies of the model to one event, at most."""


class Agent:
    """Acts on events by function calls.

    `counts`: what went on: `calls` executed, `bad_calls` that could not be understood, `failed_calls` that could be but
    not done, `no_call` replies, `unenforced` and `cut_off` ones (see Caller), `capped` events at the limit of steps,
    `warnings` and `flushes`.
    """

    def __init__(self, client: ModelClient, stores: Stores, limits: Limits, calls: CallForm) -> None:
        self.counts: Counter[str] = Counter()
        self.queue = MessageQueue()
        self.summary_session = ""
        self._client = client
        self._stores = stores
        self._limits = limits
        self._warned = False
        self._trouble = ""
        self._caller = Caller(client, calls, self.counts)

    @property
    def by_json(self) -> bool:
        """Whether calls come as JSON in the text of replies."""
        return self._caller.by_json

    @property
    def used(self) -> float:
        """Share of the window that the prompt takes, by estimate."""
        fixed = self._caller.tokens(WRITING) + SYSTEM_TOKENS + _core_tokens(self._stores.core.render())
        return (fixed + self.queue.tokens) / self._limits.window

    def pieces(self, text: str) -> list[str]:
        """`text` in pieces of at most an eighth of the window each."""
        most = self._limits.window // CHUNK
        found: list[str] = []
        start = 0
        while True:
            size = 4 * most
            while estimate_tokens(text[start : start + size]) > most:
                size = size * 3 // 4
            end = start + size
            if end >= len(text):
                return [*found, text[start:]]
            blank = text.rfind(" ", start + size // 2, end)
            found.append(text[start : end if blank < 0 else blank])
            start = end if blank < 0 else blank + 1

    def hear(self, text: str, origin: Origin) -> None:
        """Act on a message. Raises ModelCallFailed, and UnusableReplies where no reply could be used."""
        for piece in self.pieces(text):
            self._event(f"{prompts.NEW_MESSAGE}\n{piece}", origin)
        if self._limits.warn_at < self.used and not self._warned:
            self._warned = True
            self.counts["warnings"] += 1
            # What is saved now may come from any message in view: it has no turn of origin.
            self._event(prompts.PRESSURE, Origin(origin.session_id))

    def search(self, question: str, origin: Origin) -> list[MemoryItem]:
        """What the agent finds for a question, in the order in which it found it; nothing is changed or remembered.

        Raises as `hear` does.
        """
        exchange = Exchange(f"{prompts.QUESTION}\n{self.pieces(question)[0]}")
        found: dict[str, MemoryItem] = {}
        for outcome in self._act(exchange, origin, READING):
            found.update((item.memory_id, item) for item in outcome.found if item.memory_id not in found)
        return list(found.values())

    def save(self, text: str, origin: Origin) -> None:
        """Let the model save what it wants of `text`, which is about to go; raises as `hear` does."""
        self._act(Exchange(f"{prompts.PRESSURE}\n{text}"), origin, WRITING)

    def summarise(self, before: str, text: str) -> str:
        """The summary of `text` and the summary `before` it. Raises as `hear` does."""
        messages = [
            {"role": "system", "content": prompts.SUMMARY_SYSTEM},
            {"role": "user", "content": prompts.summary_request(before, text)},
        ]
        summary = self._client.chat(messages).text.strip()[:LONGEST_SUMMARY]
        if not summary:
            self.counts["empty_summaries"] += 1
            raise UnusableReplies("the model gave an empty summary")
        return summary

    def _event(self, text: str, origin: Origin) -> None:
        exchange = Exchange(text, origin.turn_ids)
        self.queue.push(exchange)
        self._relieve(origin)
        self._act(exchange, origin, WRITING)

    def _act(self, exchange: Exchange, origin: Origin, names: tuple[str, ...]) -> list[Outcome]:
        """Let the model call functions until it hands over, or the limit of steps is reached."""
        outcomes: list[Outcome] = []
        for _ in range(self._limits.steps):
            seen = [*self.queue.messages, *([] if exchange in self.queue else exchange.messages)]
            reply = self._caller.ask(self._system(), seen, names)
            done, again = self._execute(reply, exchange, origin, names)
            outcomes += done
            if not again:
                return outcomes
        self.counts["capped"] += 1
        if not outcomes:
            problem = f"none of {self._limits.steps} replies to an event could be used ({self._troubles()})"
            hint = "" if self.by_json else UNENFORCED
            raise UnusableReplies(f"{problem}; the last: {self._trouble}{hint}")
        return outcomes

    def _execute(
        self, reply: Reply, exchange: Exchange, origin: Origin, names: tuple[str, ...]
    ) -> tuple[list[Outcome], bool]:
        """Execute the calls of a reply in order: what they gave, and whether the model is to act again."""
        if not reply.uses:
            self.counts["no_call"] += 1
            self._trouble = f"no call, but {reply.text[:200]!r}{CUT_OFF if reply.finish == 'length' else ''}"
            exchange.add(
                {"role": "assistant", "content": reply.text[:LONGEST_WORDS]}, {"role": "user", "content": REMINDER}
            )
            return [], True
        done: list[Outcome] = []
        again, results = False, []
        for use in reply.uses:
            told, heartbeat = self._one(use, origin, names, done)
            again = again or heartbeat
            results.append({"role": "tool", "tool_call_id": use.call_id, "content": told})
        exchange.add(_as_message(reply), *results)
        return done, again

    def _one(self, use: ToolUse, origin: Origin, names: tuple[str, ...], done: list[Outcome]) -> tuple[str, bool]:
        """Execute one call into `done`: what the model is told, and whether it is to act again."""
        try:
            call = read_call(use.name, use.arguments, names)
            outcome = self._stores.execute(call, origin)
        except BadCall as problem:
            self.counts["bad_calls"] += 1
            self._trouble = str(problem)
            return f"Error: {problem}", True
        except FunctionFailed as problem:
            self.counts["failed_calls"] += 1
            done.append(Outcome(f"Error: {problem}"))
            return done[-1].text, True
        if call.name != SILENT:
            self.counts["calls"] += 1
        done.append(outcome)
        return outcome.text, call.heartbeat

    def _relieve(self, origin: Origin) -> None:
        """Where the prompt is too long, evict the oldest messages and sum them up with the summary before."""
        if self.used <= self._limits.flush_at:
            return
        evicted = self.queue.oldest(int(self._limits.evict * self._limits.window))
        if not evicted:
            return
        before = self.queue.summary
        summary = self.summarise(before, "\n".join(map(_told, evicted)))
        self.queue.drop(evicted, summary)
        self.counts["flushes"] += 1
        self._warned = False
        self.summary_session = origin.session_id
        self._stores.journal.write(origin.session_id, [summary_change(before, summary)])

    def _system(self) -> str:
        stores = self._stores
        return prompts.system_message(stores.core.render(), len(stores.recall), len(stores.archival))

    def _troubles(self) -> str:
        names = ("no_call", "bad_calls")
        return ", ".join(f"{name} {self.counts[name]}" for name in names if self.counts[name])


@lru_cache(maxsize=64)
def _core_tokens(core: str) -> int:
    return estimate_tokens(core)


def summary_change(before: str, after: str) -> MemoryChange:
    """What a new summary did."""
    return MemoryChange(
        op="update" if before else "add", memory_id=SUMMARY, text=after, previous=(before,) if before else ()
    )


def _as_message(reply: Reply) -> dict[str, Any]:
    """A reply with calls as the next request must repeat it."""
    calls = [
        {"id": use.call_id, "type": "function", "function": {"name": use.name, "arguments": use.arguments}}
        for use in reply.uses
    ]
    return {"role": "assistant", "content": reply.text or None, "tool_calls": calls}


def _told(exchange: Exchange) -> str:
    """An event without its heading, as the summary is to see it; alerts are left out."""
    head, _, rest = exchange.event.partition("\n")
    return rest if head == prompts.NEW_MESSAGE else ""
