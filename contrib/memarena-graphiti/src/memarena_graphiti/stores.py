"""Where the graph of a cell is: a FalkorDB of our own, or a server by URL."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from graphiti_core.graph_queries import (  # type: ignore[import-not-found,unused-ignore]
    get_fulltext_indices,
    get_range_indices,
)
from graphiti_core.utils.maintenance.graph_data_operations import (  # type: ignore[import-not-found,unused-ignore]
    clear_data,
)

from memarena.aio import Bridge
from memarena.errors import UsageError, first_line
from memarena_graphiti.options import GraphitiOptions
from memarena_graphiti.server import FalkorServer

FALKOR = frozenset({"redis", "rediss", "unix"})
NEO4J = frozenset({"bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"})

# FalkorDB 4.16 crashes when it looks for an entity whose name is a stop word, such as IT or Will.
_STOPWORDS = re.compile(r"stopwords: \[[^]]*\]")


class Store:
    """A driver of graphiti for the graph `group`. Raises UsageError where the server of `url` cannot be used."""

    def __init__(self, folder: Path, group: str, options: GraphitiOptions, bridge: Bridge) -> None:
        self.group = group
        self._bridge = bridge
        self.server: FalkorServer | None = None
        self._url = options.url
        scheme = urlsplit(options.url).scheme
        self._falkor = not options.url or scheme in FALKOR
        if not self._falkor and scheme not in NEO4J:
            raise UsageError(f"url {options.url!r}: it must begin with redis:// (FalkorDB) or bolt:// (Neo4j)")
        self.driver: Any = None
        try:
            self.driver = self._falkor_driver(folder) if self._falkor else _neo4j_driver(options)
            bridge.run(self._prepare())
        except Exception as error:
            self._end()
            if not options.url:
                raise
            raise UsageError(f"url {options.url}: no graph works there: {first_line(error)}") from error

    def close(self) -> None:
        """Close the connection and end our own server; a graph on another server is removed."""
        try:
            if self._url:
                self._bridge.run(self._drop())
        finally:
            self._end()

    @property
    def may_cut(self) -> bool:
        """Whether its server is a FalkorDB of others, which may give no more than a number of rows."""
        return self._falkor and self.server is None

    def _falkor_driver(self, folder: Path) -> Any:
        from falkordb.asyncio import FalkorDB  # type: ignore[import-not-found,unused-ignore]
        from graphiti_core.driver.falkordb_driver import (  # type: ignore[import-not-found,unused-ignore]
            FalkorDriver,
        )

        if self._url:
            client = FalkorDB.from_url(self._url)
        else:
            self.server = FalkorServer(folder)
            client = FalkorDB(unix_socket_path=self.server.socket)
        return FalkorDriver(falkor_db=client, database=self.group)

    def _end(self) -> None:
        try:
            if self.driver is not None:
                self._bridge.run(self._close_driver())
        finally:
            if self.server is not None:
                self.server.close()

    async def _prepare(self) -> None:
        if not self._falkor:
            # A query would be tried again for half a minute.
            await self.driver.client.verify_connectivity()
        if self._url:
            await self._drop()
        if not self._falkor:
            await self.driver.build_indices_and_constraints()
            return
        provider = self.driver.provider
        for query in (*get_range_indices(provider), *get_fulltext_indices(provider)):
            await self.driver.execute_query(_STOPWORDS.sub("stopwords: []", query))

    async def _close_driver(self) -> None:
        await self.driver.close()
        if self._falkor:
            # The driver leaves the connections of a client open that was made from a URL.
            await self.driver.client.connection.aclose(close_connection_pool=True)

    async def _drop(self) -> None:
        if not self._falkor:
            await clear_data(self.driver, [self.group])
        elif self.group in await self.driver.client.list_graphs():
            await self.driver.client.select_graph(self.group).delete()


def _neo4j_driver(options: GraphitiOptions) -> Any:
    from graphiti_core.driver.neo4j_driver import (  # type: ignore[import-not-found,unused-ignore]
        Neo4jDriver,
    )

    return Neo4jDriver(options.url, options.user, options.password)
