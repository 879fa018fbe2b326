"""Looks whether an upstream answers and takes our key, before anything starts."""

from __future__ import annotations

from memarena.errors import ModelError
from memarena_models.settings import Upstream

SECONDS = 10.0
"""A server that takes longer to list its models is left alone: it may only be busy."""


def probe(name: str, upstream: Upstream, key: str) -> None:
    """Ask an upstream for its models. Raises ModelError where nobody answers or the key is refused.

    Any other answer will do: not every server has such a list.
    """
    import httpx

    headers = {"authorization": f"Bearer {key}"} if key else {}
    try:
        response = httpx.get(f"{upstream.base_url.rstrip('/')}/models", headers=headers, timeout=SECONDS)
    except httpx.ConnectError:
        raise ModelError(f"upstream {name!r}: nothing answers at {upstream.base_url}; is the server up?") from None
    except httpx.HTTPError:
        return
    if response.status_code in (401, 403):
        what = f"refuses the key in {upstream.key_env}" if upstream.key_env else "wants a key: name its variable"
        raise ModelError(f"upstream {name!r} {what} (status {response.status_code}); see upstreams.{name}.key_env")
