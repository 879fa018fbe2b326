"""One `Graphiti` and its loop behind a synchronous face. Imports the library: import it where it is needed."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Coroutine, Sequence
from contextvars import copy_context
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from graphiti_core import Graphiti  # type: ignore[import-not-found,unused-ignore]
from graphiti_core.cross_encoder.openai_reranker_client import (  # type: ignore[import-not-found,unused-ignore]
    OpenAIRerankerClient,
)
from graphiti_core.edges import EntityEdge  # type: ignore[import-not-found,unused-ignore]
from graphiti_core.errors import (  # type: ignore[import-not-found,unused-ignore]
    GroupsEdgesNotFoundError,
    GroupsNodesNotFoundError,
)
from graphiti_core.nodes import (  # type: ignore[import-not-found,unused-ignore]
    EpisodeType,
    EpisodicNode,
)
from graphiti_core.search.search_config_recipes import (  # type: ignore[import-not-found,unused-ignore]
    EDGE_HYBRID_SEARCH_RRF,
)
from graphiti_core.search.search_filters import (  # type: ignore[import-not-found,unused-ignore]
    ComparisonOperator,
    DateFilter,
    SearchFilters,
)

from memarena.aio import Bridge
from memarena.errors import ModelError
from memarena.records import Endpoint, RunContext
from memarena_graphiti.clients import Encoder, Model
from memarena_graphiti.library import without_telemetry
from memarena_graphiti.options import GraphitiOptions
from memarena_graphiti.stores import Store
from memarena_graphiti.watching import WATCH, Outage, Unreadable, Watch, listen

CAPPED = 10_000
"""Rows that a FalkorDB gives at most where nobody told it otherwise; it does not say that there are more."""

T = TypeVar("T")


class Engine:
    """An open graph. Its calls must come one after another."""

    def __init__(self, folder: Path, context: RunContext, options: GraphitiOptions) -> None:
        """Raises ModelError where an endpoint is missing, UsageError where a server cannot be used."""
        model = _needed(context.model, "inner", "a language model")
        embedding = _needed(context.embedding, "embed", "an embedding model")
        self._closed = options.closed
        # On a server of our own a copied folder must be found again, whatever the cell is called by then.
        name = blake2b(context.namespace.encode(), digest_size=12).hexdigest() if options.url else "own"
        self._group = f"memarena_{name}"
        self._watch = Watch()
        self.tally = self._watch.tally
        listen()
        self._bridge = Bridge()
        try:
            store = Store(folder, self._group, options, self._bridge)
        except BaseException:
            self._bridge.close()
            raise
        self.store = store
        said, encoder = Model(model, options, self._watch), Encoder(embedding, options)
        # Nothing here ranks by a model, but without one graphiti asks for OPENAI_API_KEY.
        ranker = OpenAIRerankerClient(config=said.config, client=said.client)
        with without_telemetry():
            self._graphiti = Graphiti(
                graph_driver=store.driver, llm_client=said, embedder=encoder, cross_encoder=ranker
            )
        self._shut = weakref.finalize(self, _shut, self._bridge, store, (said.client, encoder.client))

    def add(self, name: str, text: str, source: str, moment: datetime) -> tuple[str, list[Any]] | None:
        """Hand an episode over: its id, and the facts that it made, repeated or closed; None where it is lost.

        Raises what the model, the encoder or the store raised, also where graphiti would have swallowed it: but for
        the store, nothing is in the graph then.
        """
        self.tally.episodes += 1
        self._watch.swallowed.clear()
        try:
            result = self._run(
                self._graphiti.add_episode(
                    name=name,
                    episode_body=text,
                    source_description=source,
                    reference_time=moment,
                    source=EpisodeType.message,
                    group_id=self._group,
                )
            )
        except Unreadable:
            self.tally.unreadable += 1
            return None
        if self._watch.swallowed:
            raise self._watch.swallowed[0]
        return result.episode.uuid, list({edge.uuid: edge for edge in result.edges}.values())

    def search(self, query: str, top_k: int) -> list[tuple[Any, float]]:
        """Facts for a query with their scores, best first; raises as `add` does."""
        # The library's own `search` writes the limit into this recipe, by which it looks for contradictions too.
        recipe = EDGE_HYBRID_SEARCH_RRF.model_copy(update={"limit": top_k})
        current = SearchFilters(expired_at=[[DateFilter(comparison_operator=ComparisonOperator.is_null)]])
        found = self._run(
            self._graphiti.search_(
                query,
                config=recipe,
                group_ids=[self._group],
                search_filter=SearchFilters() if self._closed else current,
                driver=self._graphiti.driver,
            )
        )
        return list(zip(found.edges, found.edge_reranker_scores, strict=True))

    def facts(self) -> list[Any]:
        """All facts, closed ones too, in the order in which they came."""
        return self._run(self._all(EntityEdge, GroupsEdgesNotFoundError))

    def episodes(self) -> list[Any]:
        """All episodes, in the order in which they came."""
        return self._run(self._all(EpisodicNode, GroupsNodesNotFoundError))

    @property
    def marker(self) -> str:
        """The value of `MEMARENA_HOST_ID` in the environment of our own server; "" where there is none."""
        return self.store.server.marker if self.store.server else ""

    def close(self) -> None:
        """Close everything and end our own server."""
        self._shut()

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        context = copy_context()
        context.run(WATCH.set, self._watch)
        try:
            return context.run(self._bridge.run, _whole(coroutine))
        except Outage as outage:
            raise outage.error from None

    async def _all(self, kind: Any, nothing: type[Exception]) -> list[Any]:
        # The library's own pages are not in the order of their cursor, so that they skip rows or never end.
        try:
            found: Sequence[Any] = await kind.get_by_group_ids(self._graphiti.driver, [self._group])
        except nothing:
            found = ()
        if len(found) == CAPPED and self.store.may_cut:
            raise ModelError(
                f"the server gives {CAPPED:,} rows at most, and there may be more: set its RESULTSET_SIZE to -1"
            )
        return sorted(found, key=lambda each: (each.created_at, each.uuid))


async def _whole(coroutine: Coroutine[Any, Any, T]) -> T:
    """What `coroutine` gives; where it fails, nothing that it started goes on: graphiti would let it."""
    try:
        return await coroutine
    except BaseException:
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        raise


def _needed(endpoint: Endpoint | None, role: str, what: str) -> Endpoint:
    if endpoint is None:
        raise ModelError(f"graphiti needs {what}: name one with --model {role}=NAME, e.g. --model offline")
    return endpoint


def _shut(bridge: Bridge, store: Store, clients: Sequence[Any]) -> None:
    try:
        store.close()
        for client in clients:
            bridge.run(client.close())
    finally:
        bridge.close()
