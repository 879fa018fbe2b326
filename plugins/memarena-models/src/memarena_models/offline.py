"""The embedded model `offline`: rules and hashed n-grams in place of weights. Deterministic, instant, offline.

It lets every memory system, answerer and judge run end to end on a machine with no key and no network. It is not a
language model: it copies sentences, and knows nothing that is not in the request.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from memarena.answering import shorten
from memarena.meter import estimate_tokens
from memarena_models.offline_embeddings import embedded
from memarena_models.offline_requests import BadRequest, Request, chat_request, responses_request
from memarena_models.rules import Output, ToolCall, reply_to

__all__ = ["MODEL", "BadRequest", "chat", "embeddings", "responses"]

MODEL = "offline"


def chat(body: Mapping[str, Any]) -> dict[str, Any]:
    """The whole reply to a body of `POST /v1/chat/completions`; raises BadRequest for what no server would take."""
    request = chat_request(body)
    output, cut = _output(request)
    calls = [_chat_call(call, _hash(body, place)) for place, call in enumerate(_calls(output))]
    message: dict[str, Any] = {"role": "assistant", "content": _text(output), "refusal": None}
    if calls:
        message["tool_calls"] = calls
    finish = "length" if cut else "tool_calls" if calls else "stop"
    sent, said = _tokens(body.get("messages")), _tokens_out(output)
    return {
        "id": f"chatcmpl-{_hash(body)}",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [
            {"index": place, "message": message, "finish_reason": finish, "logprobs": None}
            for place in range(request.choices)
        ],
        "usage": {
            "prompt_tokens": sent,
            "completion_tokens": said * request.choices,
            "total_tokens": sent + said * request.choices,
            "prompt_tokens_details": {"cached_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0},
        },
    }


def responses(body: Mapping[str, Any]) -> dict[str, Any]:
    """The whole reply to a body of `POST /v1/responses`; raises BadRequest for what no server would take."""
    request = responses_request(body)
    output, cut = _output(request)
    sent, said = _tokens([body.get("instructions"), body.get("input")]), _tokens_out(output)
    groups = {tool.name: tool.namespace for tool in request.tools if tool.namespace}
    items = [_response_call(call, _hash(body, place), groups) for place, call in enumerate(_calls(output))]
    return {
        "id": f"resp_{_hash(body)}",
        "object": "response",
        "created_at": 0,
        "status": "incomplete" if cut else "completed",
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "instructions": body.get("instructions"),
        "metadata": body.get("metadata") or {},
        "model": MODEL,
        "output": items or [_response_message(_text(output) or "", _hash(body), complete=not cut)],
        "parallel_tool_calls": bool(body.get("parallel_tool_calls", True)),
        "previous_response_id": None,
        "temperature": body.get("temperature"),
        "tool_choice": body.get("tool_choice", "auto"),
        "tools": body.get("tools") or [],
        "top_p": body.get("top_p"),
        "usage": {
            "input_tokens": sent,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": said,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": sent + said,
        },
    }


def embeddings(body: Mapping[str, Any]) -> dict[str, Any]:
    """The reply to a body of `POST /v1/embeddings`; the model `offline-minilm` is all-MiniLM-L6-v2, where installed.

    Raises BadRequest for what no server would take, ModelError where `offline-minilm` is not installed.
    """
    model, vectors, tokens = embedded(body)
    return {
        "object": "list",
        "model": model,
        "data": [{"object": "embedding", "index": place, "embedding": vector} for place, vector in enumerate(vectors)],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def _output(request: Request) -> tuple[Output, bool]:
    """What the rules say, and whether it was cut to the tokens that the request allows."""
    output = reply_to(request)
    if not isinstance(output, str) or request.max_tokens is None:
        return output, False
    kept = shorten(output, request.max_tokens)
    return kept, len(kept) < len(output)


def _calls(output: Output) -> tuple[ToolCall, ...]:
    return () if isinstance(output, str) else tuple(output)


def _text(output: Output) -> str | None:
    return output if isinstance(output, str) else None


def _chat_call(call: ToolCall, mark: str) -> dict[str, Any]:
    function = {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)}
    return {"id": f"call_{mark}", "type": "function", "function": function}


def _response_call(call: ToolCall, mark: str, groups: Mapping[str, str]) -> dict[str, Any]:
    group = {"namespace": groups[call.name]} if call.name in groups else {}
    return {
        "type": "function_call",
        **group,
        "id": f"fc_{mark}",
        "call_id": f"call_{mark}",
        "name": call.name,
        "arguments": json.dumps(call.arguments, ensure_ascii=False),
        "status": "completed",
    }


def _response_message(text: str, mark: str, *, complete: bool) -> dict[str, Any]:
    return {
        "type": "message",
        "id": f"msg_{mark}",
        "role": "assistant",
        "status": "completed" if complete else "incomplete",
        "content": [{"type": "output_text", "text": text, "annotations": []}],
    }


def _hash(body: Mapping[str, Any], place: int = 0) -> str:
    """An id that is the same for the same request, and another one as a conversation goes on."""
    return blake2b(json.dumps([body, place], default=str).encode(), digest_size=12).hexdigest()


def _tokens(value: object) -> int:
    """Tokens of all texts within `value`; a picture counts as nothing, as its size in tokens is not known here."""
    if isinstance(value, str):
        return estimate_tokens(value)
    if isinstance(value, Mapping):
        return sum(_tokens(part) for name, part in value.items() if name not in ("type", "role", "image_url", "id"))
    return sum(map(_tokens, value)) if isinstance(value, list | tuple) else 0


def _tokens_out(output: Output) -> int:
    return _tokens(output) if isinstance(output, str) else sum(_tokens([call.name, call.arguments]) for call in output)
