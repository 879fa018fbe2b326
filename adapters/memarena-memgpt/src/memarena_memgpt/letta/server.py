"""One agent of a Letta server, by `letta-client`: what it is sent, and what it keeps."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from importlib import import_module, metadata
from typing import Any, NamedTuple, TypeVar

from memarena.connections import TIMEOUT
from memarena.errors import PluginError

GONE = 404
ALERT = '{\n  "type": "system_alert"'
"""How a message begins that the server writes itself."""
MESSAGE, SUMMARY = "user_message", "summary"
"""Kinds of rows: what was sent, and what was summed up of what left the context."""
SHOWN = 300
"""Characters of the server's words that an error repeats."""
PAGE = 100
"""Rows that are read at once."""
TOOLS = ("archival_memory_insert", "archival_memory_search", "conversation_search")
"""Beside the server's own base tools, which edit blocks."""
TASK = "task"
"""The block that says what the agent is for; it can only be read."""
TASK_TEXT = (
    "You watch a conversation between others: each message that you get is one turn of it, with its time and its "
    "speaker. Nobody reads what you say; only what you store counts. Keep what may be asked about later: who the user "
    "is and what holds for the user's world in the block human, all else in archival memory. Correct the block as soon "
    "as a turn supersedes what stands there. Store no jokes and no rumours, nor what somebody asks you not to keep."
)

T = TypeVar("T")


class LettaFailed(Exception):
    """The server failed; `status` is that of HTTP, 0 where there was no reply or none that can be read."""

    def __init__(self, problem: str, status: int = 0) -> None:
        super().__init__(problem)
        self.status = status


class Models(NamedTuple):
    """Where an agent finds its models."""

    url: str
    """OpenAI-compatible, for both."""
    chat: str
    embedding: str
    dimensions: int


class Reply(NamedTuple):
    """What became of one message."""

    stop: str
    """Why the agent stopped, e.g. `end_turn` or `max_steps`."""
    tools: tuple[str, ...]
    """The tools that it called, in order."""
    errors: int
    """Calls among them that failed."""


class Row(NamedTuple):
    """A passage or a message."""

    row_id: str
    kind: str
    text: str


def client_version() -> str:
    """The version of letta-client; raises PluginError where it is not installed."""
    try:
        return metadata.version("letta-client")
    except metadata.PackageNotFoundError:
        raise PluginError("letta needs letta-client: pip install 'memarena-memgpt[letta]'") from None


class LettaAgent:
    """An agent that exists from `create` to `delete`. Nothing is tried twice: a message that is sent again is heard
    twice. Every method raises LettaFailed."""

    def __init__(self, url: str, key: str, namespace: str) -> None:
        self._library: Any = import_module("letta_client")
        # No proxy of the environment: the server stands on this machine.
        http = self._library.DefaultHttpxClient(trust_env=False, timeout=TIMEOUT)
        self._api = self._library.Letta(
            base_url=url, api_key=key or "none", max_retries=0, timeout=TIMEOUT, http_client=http
        )
        self._url = url
        self._name = "memarena-" + blake2b(namespace.encode(), digest_size=12).hexdigest()
        self._agent_id = ""

    def create(self, models: Models, *, window: int, block_limit: int, reply_tokens: int) -> None:
        """Make the agent, empty; one that an earlier run left under its name goes."""
        for left in self._do("agents", lambda api: [agent.id for agent in api.agents.list(name=self._name)]):
            self._delete(left)
        chat = {
            "model": models.chat,
            "model_endpoint_type": "openai",
            "model_endpoint": models.url,
            "context_window": window,
            "max_tokens": reply_tokens,
            "temperature": 0,
        }
        embedding = {
            "embedding_model": models.embedding,
            "embedding_endpoint_type": "openai",
            "embedding_endpoint": models.url,
            "embedding_dim": models.dimensions,
        }
        blocks = [
            {"label": "human", "value": "", "limit": block_limit},
            {"label": "persona", "value": "", "limit": block_limit},
            {"label": TASK, "value": TASK_TEXT, "read_only": True},
        ]

        def made(api: Any) -> str:
            agent = api.agents.create(
                name=self._name,
                memory_blocks=blocks,
                llm_config=chat,
                embedding_config=embedding,
                tools=list(TOOLS),
                initial_message_sequence=[],
                timezone="UTC",
            )
            if not str(agent.id).startswith("agent-"):
                raise ValueError(f"{agent.id!r} is no id of an agent")
            return str(agent.id)

        self._agent_id = self._do("a new agent", made)

    def delete(self) -> None:
        """Remove the agent with all that it kept, and close the connections."""
        try:
            if self._agent_id:
                self._delete(self._agent_id)
        except LettaFailed as failure:
            # Somebody else has removed it.
            if failure.status != GONE:
                raise
        finally:
            self._agent_id = ""
            self._api.close()

    def send(self, text: str, steps: int) -> Reply:
        """Have the agent hear a message of the user, and act until it stops."""

        def heard(api: Any) -> Reply:
            reply = api.agents.messages.create(
                self._agent_id, messages=[{"role": "user", "content": text}], max_steps=steps
            )
            returns = [each for each in reply.messages if each.message_type == "tool_return_message"]
            errors = sum(each.status != "success" for each in returns)
            return Reply(str(reply.stop_reason.stop_reason), tuple(str(each.name) for each in returns), errors)

        return self._do("a message", heard)

    def blocks(self) -> dict[str, str]:
        """The text of each block that the agent may edit, by its label."""
        return self._do(
            "blocks",
            lambda api: {
                str(block.label): str(block.value)
                for block in sorted(api.agents.blocks.list(self._agent_id), key=lambda block: str(block.label))
                if block.label != TASK
            },
        )

    def passages(self, after: str) -> list[Row]:
        """The passages that came after that with the id `after` ("": all), oldest first."""
        return list(self._passages(after))

    def messages(self, after: str) -> list[Row]:
        """The messages and summaries that came after that with the id `after` ("": all), oldest first."""

        def read(api: Any) -> list[Row]:
            more = {"after": after} if after else {}
            found = api.agents.messages.list(self._agent_id, order="asc", limit=PAGE, **more)
            return [_row(each) for each in found]

        return self._do("messages", read)

    def search(self, query: str, most: int) -> list[str]:
        """Ids of passages, the nearest to `query` first."""
        return self._do(
            "a search",
            lambda api: [
                str(each.id) for each in api.agents.passages.search(self._agent_id, query=query, top_k=most).results
            ],
        )

    def _passages(self, after: str) -> Iterator[Row]:
        while True:
            more = {"after": after} if after else {}

            def read(api: Any, more: dict[str, str] = more) -> list[Row]:
                found = api.agents.passages.list(self._agent_id, limit=PAGE, ascending=True, **more)
                return [Row(str(each.id), "passage", str(each.text)) for each in found]

            rows = self._do("passages", read)
            yield from rows
            if len(rows) < PAGE:
                return
            after = rows[-1].row_id

    def _delete(self, agent_id: str) -> None:
        # The server keeps blocks and archives of an agent that is gone.
        def drop(api: Any) -> None:
            blocks = [block.id for block in api.agents.blocks.list(agent_id)]
            archives = [archive.id for archive in api.archives.list(agent_id=agent_id)]
            api.agents.delete(agent_id)
            for block in blocks:
                api.blocks.delete(block)
            for archive in archives:
                api.archives.delete(archive)

        self._do("the end of an agent", drop)

    def _do(self, what: str, work: Callable[[Any], T]) -> T:
        library = self._library
        try:
            return work(self._api)
        except library.APIStatusError as error:
            told = " ".join(str(error.response.text).split())[:SHOWN]
            raise LettaFailed(f"{self._url}: {what}: status {error.status_code}: {told}", error.status_code) from error
        except library.APIConnectionError as error:
            raise LettaFailed(f"{self._url}: {what}: no reply ({error.__cause__ or error})") from error
        except (library.APIError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise LettaFailed(f"{self._url}: {what}: what came back cannot be read ({error})") from error


def _row(message: Any) -> Row:
    kind, text = str(message.message_type), _text(message)
    alert = _alert(text) if kind == MESSAGE else None
    # The server tells its agent in the name of the user what left the context.
    return Row(str(message.id), kind, text) if alert is None else Row(str(message.id), SUMMARY, alert)


def _alert(text: str) -> str | None:
    """What an alert of the server says, without the words before the summary; None where `text` is no alert."""
    if not text.startswith(ALERT):
        return None
    try:
        told = str(json.loads(text)["message"])
    except (ValueError, KeyError, TypeError):
        return None
    before, mark, summary = told.partition("summary of the previous messages:")
    return (summary if mark else before).strip()


def _text(message: Any) -> str:
    content: object = getattr(message, "content", "")
    if isinstance(content, Sequence) and not isinstance(content, str):
        return "".join(str(getattr(part, "text", "")) for part in content)
    return str(content)
