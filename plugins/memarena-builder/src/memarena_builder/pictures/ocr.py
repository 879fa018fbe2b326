"""Reads boxes of pictures by optical character recognition, offline: needs the extra `ocr`."""

from __future__ import annotations

import re
import unicodedata
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from memarena.errors import PluginError

if TYPE_CHECKING:
    from PIL.Image import Image

MODULE = "rapidocr_onnxruntime"
"""Brings its models in its wheel."""
TALL = 48
"""Pixels to which a line is brought."""


class Recogniser:
    """Reads one line of text; one recogniser for all pictures of a process."""

    def __init__(self) -> None:
        """Load the models; raises PluginError where the extra is not installed."""
        if find_spec(MODULE) is None:
            raise PluginError("reading pictures by OCR needs an extra: pip install 'memarena-builder[ocr]'")
        self._engine: Any = import_module(MODULE).RapidOCR(intra_op_num_threads=1)
        self._array: Any = import_module("numpy").asarray

    def read(self, piece: Image) -> str:
        """The text in `piece`, a box cut out of a picture; "" where there is none."""
        from PIL import Image, ImageOps

        ground = piece.convert("RGB")
        ground = ground.resize((max(1, round(ground.width * TALL / ground.height)), TALL), Image.Resampling.BICUBIC)
        corner = ground.getpixel((1, 1))
        ground = ImageOps.expand(ground, 6, fill=corner if isinstance(corner, tuple) else 255)
        found, _ = self._engine(self._array(ground), use_det=False, use_cls=False, use_rec=True)
        return str(found[0][0]) if found else ""


def comparable(text: str) -> str:
    """`text` without what readers differ in: case, blanks, and the marks - _ . , : ' /."""
    return re.sub(r"[\s\-_.,:'’/–]", "", unicodedata.normalize("NFKC", text).lower())
