"""How tests ask the model `offline`."""

from __future__ import annotations

from typing import Any

from memarena_models import offline

TALK = "user: I moved to Leeds in May 2023. How are you?\nassistant: Great!\nuser: My sister Tara lives there too."


def chat(*messages: tuple[str, str], **more: Any) -> dict[str, Any]:
    return offline.chat({"model": "offline", "messages": [{"role": r, "content": t} for r, t in messages], **more})


def tool(name: str, /, **properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


TEXT = {"type": "string"}
MEMORY_TOOLS = [
    tool("send_message", message=TEXT),
    tool("core_memory_append", name={"type": "string", "enum": ["human", "persona"]}, content=TEXT),
    tool("conversation_search", query=TEXT),
]
