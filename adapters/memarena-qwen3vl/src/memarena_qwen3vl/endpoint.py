"""Embeddings from an endpoint that takes `messages`, as vLLM serves multimodal models: one a request."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from memarena.modelclient import ModelCallFailed, ModelClient
from memarena.records import Endpoint
from memarena_qwen3vl.inputs import INSTRUCTION, Input, beginning, fits
from memarena_qwen3vl.options import Qwen3VlOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NOT_TAKEN = (400, 404, 405, 415, 422, 501)
"""What servers say that embed texts alone."""


class EndpointEncoder:
    """One request an input, several at a time; the gateway does the retries."""

    fuses = True
    mixes = True

    def __init__(self, options: Qwen3VlOptions, endpoint: Endpoint) -> None:
        self.name = f"messages:{endpoint.model}/{options.window}"
        self._endpoint = endpoint
        self._window = options.window
        self._at_once = options.at_once
        self._instructions = (options.document_prompt or INSTRUCTION, options.query_prompt or INSTRUCTION)
        self._client = ModelClient(None, endpoint)

    def encode(self, inputs: Sequence[Input], *, query: bool) -> NDArray[np.float32]:
        """As Encoder.encode; raises ModelCallFailed."""
        import numpy as np

        bodies = [self._body(each, self._instructions[query]) for each in inputs]
        if len(bodies) == 1:
            rows = [self._vector(bodies[0])]
        else:
            with ThreadPoolExecutor(min(self._at_once, len(bodies))) as pool:
                try:
                    rows = list(pool.map(self._vector, bodies))
                except BaseException:
                    pool.shutdown(wait=False, cancel_futures=True)
                    raise
        sizes = sorted({len(row) for row in rows})
        if len(sizes) > 1:
            raise ModelCallFailed(f"{self._endpoint.model}: its vectors differ in length: {sizes}", 200)
        return np.stack(rows)

    def whole(self, texts: Sequence[str]) -> list[bool]:
        return [fits(text, self._window) for text in texts]

    def close(self) -> None:
        self._client.close()

    def _body(self, given: Input, instruction: str) -> dict[str, Any]:
        """The empty answer that is gone on from makes the model end where it was trained to."""
        parts: list[dict[str, Any]] = [
            {"type": "image_url", "image_url": {"url": picture.url()}} for picture in given.pictures
        ]
        if given.text or not parts:
            parts.append({"type": "text", "text": beginning(given.text, self._window)})
        return {
            "messages": [
                {"role": "system", "content": [{"type": "text", "text": instruction}]},
                {"role": "user", "content": parts},
                {"role": "assistant", "content": [{"type": "text", "text": ""}]},
            ],
            "continue_final_message": True,
            "add_special_tokens": True,
            "encoding_format": "float",
        }

    def _vector(self, body: dict[str, Any]) -> NDArray[np.float32]:
        import numpy as np

        try:
            reply = self._client.post(self._endpoint, "embeddings", body)
        except ModelCallFailed as error:
            if error.status not in _NOT_TAKEN:
                raise
            hint = "qwen3-vl sends `messages` with pictures, as vLLM embeds them; for texts alone there is dense"
            raise ModelCallFailed(f"{error} ({hint})", error.status) from error
        try:
            (row,) = reply["data"]
            return np.asarray([float(value) for value in row["embedding"]], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelCallFailed(f"{self._endpoint.model}: the reply does not hold one embedding", 200) from error
