"""Python literals that libraries write into their prompts, read by rules for the model `offline`."""

from __future__ import annotations

import ast
import threading
from typing import Any

_READING = threading.Lock()
"""Python 3.11 counts the depth of what it parses over all threads, and fails where two do so at once."""


def literal(text: str) -> Any:
    """The value that `text` writes; raises ValueError or SyntaxError, as `ast.literal_eval` does."""
    with _READING:
        return ast.literal_eval(text)
