"""Text -> tokens, for any language and without a model."""

from __future__ import annotations

import re
import unicodedata

_EAST_ASIAN = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[^\W{_EAST_ASIAN}]+|[{_EAST_ASIAN}]")


def tokenize(text: str) -> list[str]:
    """Words in lower case, compatibility forms folded (NFKC); each East Asian character is a token of its own."""
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _TOKEN.findall(folded.casefold())
