"""Where the graph of a cell lives: a database of a server of our own, or a part of a Neo4j database."""

from __future__ import annotations

import os
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from memarena.errors import UsageError
from memarena.records import RunContext
from memarena_graph.embedded import USER, EmbeddedServer, ServerFailed, shared_database
from memarena_graph.graph import Graph
from memarena_graph.options import GraphOptions


class Place:
    """The graph of one cell, empty. `about` says which server keeps it, and how long one of our own took to start.

    Raises UsageError for a login that is not there, GraphFailed, ServerFailed.
    """

    def __init__(self, options: GraphOptions, context: RunContext) -> None:
        # The folder is part of the name: two runs may use one server at the same time.
        folder = blake2b(context.folder.encode("utf-8", "replace"), digest_size=6).hexdigest()
        cell = f"{context.namespace}@{folder}"
        self._server: EmbeddedServer | None = None
        self._database = options.database
        if options.url:
            self.graph = Graph(options.url, _login(options), options.database, cell)
            self.about: dict[str, Any] = {"agent": self.graph.prepare()}
            # An earlier attempt at this cell may have been killed.
            self.graph.clear()
        else:
            server, self._database = shared_database(options.heap_mib)
            self._server = server
            self.graph = Graph(server.url, (USER, server.password), self._database, cell)
            self.about = {"agent": self.graph.prepare(), "start_seconds": round(server.start_seconds, 3)}

    def leave(self) -> None:
        """Delete all that is kept, and close the connections."""
        if self._server is None:
            self.graph.clear()
        self.graph.close()
        if self._server is not None:
            try:
                self._server.drop(self._database)
            except ServerFailed:
                # It is gone, and all its databases with it.
                return


def versions(url: str) -> dict[str, str]:
    """Version of the driver, and of the server where it is our own; without what is not installed."""
    found = {}
    for library in ("neo4j",) if url else ("neo4j", "arcadedb-embedded"):
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found


def _login(options: GraphOptions) -> tuple[str, str] | None:
    if not options.user:
        return None
    password = os.environ.get(options.password_env)
    if password is None:
        raise UsageError(
            f"graph: the password of {options.user} at {options.url} is missing: set {options.password_env}, "
            'or -o graph.user="" for a server that asks for none'
        )
    return options.user, password
