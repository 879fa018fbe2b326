"""A desk as a server of the Model Context Protocol (extra `mcp`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TextIO

from memarena.errors import PluginError
from memarena_aha.mcp.desk import Desk

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

__all__ = ["NAME", "build", "run"]

NAME = "world"
"""What the server calls itself; says nothing of what is played."""


def build(desk: Desk) -> Server[Any]:
    """The server; its tools are those of the desk, its instructions the briefing. Raises PluginError without `mcp`."""
    try:
        import anyio.to_thread
        import mcp_types as types
        from mcp.server.lowlevel import Server
    except ImportError:
        raise PluginError("serving needs the package mcp: pip install 'memarena-aha[mcp]'") from None

    lock = anyio.Lock()

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool(**_described(tool)) for tool in desk.tools()])

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        async with lock:
            text = await anyio.to_thread.run_sync(desk.call, params.name, params.arguments or {})
        return types.CallToolResult(content=[types.TextContent(text=text)])

    return Server(NAME, version="1", instructions=desk.briefing(), on_list_tools=list_tools, on_call_tool=call_tool)


async def run(desk: Desk, reader: TextIO | None = None, writer: TextIO | None = None) -> None:
    """Serve until the client hangs up: over standard input and output, or over two streams of lines."""
    import anyio
    from mcp.server.stdio import stdio_server

    server = build(desk)
    streams = [anyio.wrap_file(stream) if stream is not None else None for stream in (reader, writer)]
    async with stdio_server(*streams) as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _described(tool: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": tool["name"], "description": tool["description"], "input_schema": dict(tool["parameters"])}
