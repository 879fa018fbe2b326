"""The models of graphiti: they ask the endpoints of the cell, and let no failure pass for nothing."""

from __future__ import annotations

import json
from typing import Any

import openai
from graphiti_core.embedder.openai import (  # type: ignore[import-not-found,unused-ignore]
    OpenAIEmbedder,
    OpenAIEmbedderConfig,
)
from graphiti_core.llm_client.config import (  # type: ignore[import-not-found,unused-ignore]
    LLMConfig,
    ModelSize,
)
from graphiti_core.llm_client.errors import (  # type: ignore[import-not-found,unused-ignore]
    EmptyResponseError,
    RateLimitError,
)
from graphiti_core.llm_client.openai_generic_client import (  # type: ignore[import-not-found,unused-ignore]
    OpenAIGenericClient,
)
from pydantic import ValidationError

from memarena.records import Endpoint
from memarena_graphiti.options import GraphitiOptions
from memarena_graphiti.watching import Outage, Unreadable, Watch


class Model(OpenAIGenericClient):  # type: ignore[misc,unused-ignore]
    """The language model. Nothing is asked again but what cannot be read: the gateway has done so."""

    def __init__(self, endpoint: Endpoint, options: GraphitiOptions, watch: Watch) -> None:
        config = LLMConfig(api_key=endpoint.api_key, model=endpoint.model, base_url=endpoint.base_url, temperature=0)
        super().__init__(
            config,
            client=client_of(endpoint),
            max_tokens=options.max_tokens,
            structured_output_mode=options.output,
        )
        self._tries = options.tries
        self._watch = watch

    async def _generate_response_with_retry(  # type: ignore[override,unused-ignore]
        self,
        messages: list[Any],
        response_model: Any = None,
        max_tokens: int = 0,
        model_size: Any = ModelSize.medium,
        *,
        model: str | None = None,
    ) -> dict[str, Any]:
        """The reply as `response_model` wants it; raises Outage where the server fails, Unreadable after all tries."""
        problem: Exception | None = None
        for _ in range(self._tries):
            try:
                reply = await self._generate_response(
                    messages, response_model, min(max_tokens, self.max_tokens), model_size, model=model
                )
                found: dict[str, Any] = response_model.model_validate(reply).model_dump() if response_model else reply
            except (openai.OpenAIError, RateLimitError) as error:
                cause = error.__cause__ if isinstance(error, RateLimitError) else error
                raise Outage(cause if isinstance(cause, Exception) else error) from error
            except (json.JSONDecodeError, EmptyResponseError, ValidationError) as error:
                problem = error
                continue
            self._watch.reply(response_model.__name__ if response_model else "", found)
            return found
        raise Unreadable(str(problem)) from problem


class Encoder(OpenAIEmbedder):  # type: ignore[misc,unused-ignore]
    """The embedding model; raises Outage where its server fails."""

    def __init__(self, endpoint: Endpoint, options: GraphitiOptions) -> None:
        config = OpenAIEmbedderConfig(embedding_model=endpoint.model, embedding_dim=options.dimensions)
        super().__init__(config, client=client_of(endpoint))

    async def create(self, input_data: Any) -> list[float]:
        (found,) = await self.create_batch(input_data if isinstance(input_data, list) else [input_data])
        return found

    async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
        if not input_data_list:
            return []
        try:
            found: list[list[float]] = await super().create_batch(input_data_list)
        except openai.OpenAIError as error:
            raise Outage(error) from error
        if len(found) != len(input_data_list):
            raise Outage(ValueError(f"the embedding model gave {len(found)} vectors for {len(input_data_list)} texts"))
        return found


def client_of(endpoint: Endpoint) -> openai.AsyncOpenAI:
    """A client that tries nothing again: the gateway does."""
    return openai.AsyncOpenAI(api_key=endpoint.api_key, base_url=endpoint.base_url, max_retries=0)
