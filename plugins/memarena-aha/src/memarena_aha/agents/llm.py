"""`llm`: a language model that acts by calls of tools, through the gateway."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from memarena.errors import ModelError
from memarena.modelclient import ModelClient, Reply
from memarena_aha.agents.context import PlayContext
from memarena_aha.agents.conversation import Conversation
from memarena_aha.agents.prompts import prompt_hash, prompts

__all__ = ["LlmAgent", "LlmOptions"]

_REFUSAL = re.compile(
    r"^\W*(?:I(?:'m| am) sorry,? (?:but )?I|I (?:can(?:no|')t|am unable to|won't|will not))\b", re.IGNORECASE
)


class LlmOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of `llm`; 0 takes the budget of the prompts' file."""

    conversation: int = 0
    """Tokens of the conversation that are kept beside the memory."""
    reply: int = 0
    """Tokens of one reply."""


class LlmAgent:
    """Plays one episode. Every request is the same in all arms, but for what stands in the block of memory.

    Temperature 0, a fixed seed, one call a reply (more are left unread), and ids of its own for calls, so that a
    recorded run can be replayed. What it cannot read as a call is given to the episode as it is, and costs what
    unreadable actions cost.
    """

    name = "llm"
    revision = 1
    needs_model = True
    Options = LlmOptions

    def __init__(self, options: LlmOptions | None = None) -> None:
        self._options = options or LlmOptions()
        self._prompts = prompts()
        self.prompt_hashes = {"agent": prompt_hash()}
        self._client: ModelClient | None = None
        self._conversation = self._fresh()
        self._stretch: object = None

    def begin(self, context: PlayContext) -> None:
        """Take the model; raises ModelError where the run names none."""
        if context.model is None:
            raise ModelError("the agent llm needs a model: name one with --model (e.g. --model offline)")
        reply = self._options.reply or self._prompts.budgets.reply
        self._client = ModelClient(context.model, None, seed=context.seed, reply_tokens=reply)

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Ask the model what to do. Raises ModelCallFailed where it gives no reply."""
        data = observation.get("data", {})
        if data.get("reflect"):
            return self._reflect(observation)
        if data.get("stretch") != self._stretch:
            self._stretch, self._conversation = data.get("stretch"), self._fresh()
        self._conversation.see(observation["text"])
        messages = [
            {"role": "system", "content": self._prompts.system.strip()},
            *self._conversation.messages(),
            {"role": "user", "content": self._prompts.memory_block(observation.get("memory", ""))},
        ]
        return self._taken(self._chat(messages, [{"type": "function", "function": tool} for tool in tools]))

    def close(self) -> None:
        """Close the connections to the model."""
        if self._client is not None:
            self._client.close()

    def _reflect(self, observation: Mapping[str, Any]) -> Mapping[str, Any]:
        """What it makes of what it has seen; the conversation does not go on from there."""
        asked = f"{observation['text']}\n\n{self._prompts.memory_block(observation.get('memory', ''))}"
        seen = self._conversation.messages() if self._conversation.begun else []
        messages = [
            {"role": "system", "content": self._prompts.reflect.strip()},
            *seen,
            {"role": "user", "content": asked},
        ]
        return {"text": self._chat(messages, []).text}

    def _chat(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]) -> Reply:
        assert self._client is not None, "begin comes first"
        return self._client.chat(messages, tools)

    def _taken(self, reply: Reply) -> Mapping[str, Any]:
        """The reply as an action."""
        if reply.uses:
            use = reply.uses[0]
            self._conversation.call(use.name, use.arguments)
            return {"tool": use.name, "args": _arguments(use.arguments)}
        self._conversation.say(reply.text)
        if reply.finish == "content_filter" or _REFUSAL.match(reply.text):
            return {"refusal": reply.text or reply.finish}
        return {"text": reply.text}

    def _fresh(self) -> Conversation:
        return Conversation(self._options.conversation or self._prompts.budgets.conversation)


def _arguments(text: str) -> Any:
    """The arguments of a call; as they are where they are no JSON, which no episode takes for arguments."""
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text
