"""What can be set of `mem0` and `mem0-classic`."""

from __future__ import annotations

from typing import Literal

from memarena.records import Record


class ClassicOptions(Record, frozen=True, kw_only=True):
    """Settings of `mem0-classic`."""

    unit: Literal["round", "turn"] = "round"
    """What is handed over at once: a user's turn with the reply to it, as in the paper, or each turn alone."""
    longest: int = 20_000
    """Characters of a turn above which it is handed over in pieces, so that it fits the window of an encoder."""
    max_tokens: int = 2000
    """Tokens that the model may say in a reply; a reply that is cut off cannot be read."""
    vision: bool = False
    """Have the model describe each picture; its description is taken in like a message."""
    time_in_text: bool = True
    """Retrieved texts begin with `[time]`, as in the authors' own evaluation; what is kept does not."""
    dimensions: int = 0
    """Length of the vectors; 0: the embedding model is asked at reset, which takes one call."""
    qdrant_url: str = ""
    """A Qdrant server, e.g. `http://127.0.0.1:6333`; "": Qdrant's local mode, on disk in the private folder."""
    qdrant_api_key: str = ""
    """The key of that server, where it wants one."""


class Mem0Options(ClassicOptions, frozen=True, kw_only=True):
    """Settings of `mem0`."""

    threshold: float = 0.0
    """Cosine below which a memory is not retrieved, before other signals count."""
    hybrid: bool = False
    """Score by keywords and entities too: takes spaCy and fastembed with their models, which are not downloaded."""
