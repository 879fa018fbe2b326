"""Settings of `qwen3-vl`."""

from __future__ import annotations

from memarena.errors import UsageError
from memarena_rag.documents import DocumentOptions


class Qwen3VlOptions(DocumentOptions, frozen=True, kw_only=True):
    """Settings of `qwen3-vl`."""

    encoder: str = ""
    """Folder or name of a sentence-transformers model that reads pictures; "": the model of --model embed=NAME."""
    cache: str = ""
    """Folder (absolute path) that keeps vectors by the content of texts and pictures, for later runs too; "": none."""
    query_prompt: str = ""
    """Instruction for questions; "": that of the model (of an endpoint: `Represent the user's input.`)."""
    document_prompt: str = ""
    """Instruction for what is kept; "": that of the model (of an endpoint: the same)."""
    window: int = 6000
    """Estimated tokens of a text that are embedded; the rest of a longer one is not searched."""
    longest_side: int = 1024
    """Pixels; a larger picture is scaled down to it."""
    batch: int = 16
    """Inputs that an encoder in this process takes at a time, and pictures that are decoded at a time."""
    at_once: int = 8
    """Requests that an endpoint is sent at a time; each is for one embedding."""
    least_pictures: int = 0
    """How many of the items found are pictures at least, where there are so many; 0: the scores alone decide."""
    qdrant: str = ""
    """Search by Qdrant: `:memory:`, `disk` (in the cell's folder) or the URL of a server; "": exactly, by numpy."""

    def check(self) -> None:
        """Raise UsageError for a number that cannot work."""
        for name, least in (("window", 1), ("longest_side", 1), ("batch", 1), ("at_once", 1), ("least_pictures", 0)):
            if getattr(self, name) < least:
                raise UsageError(f"qwen3-vl: {name}={getattr(self, name)}: give a whole number of at least {least}")
