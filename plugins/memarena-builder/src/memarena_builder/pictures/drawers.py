"""Which function draws which kind of picture. To add a kind, add a line here; it is imported when it is needed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import cast

from memarena_builder.pictures.spec import Drawer, Drawing, PictureSpec

_KINDS = "memarena_builder.pictures.kinds"
DRAWERS: Mapping[str, str] = {
    "badge": f"{_KINDS}.badge:draw",
    "form": f"{_KINDS}.form:draw",
    "receipt": f"{_KINDS}.receipt:draw",
    "whiteboard": f"{_KINDS}.whiteboard:draw",
}
"""By kind: `module:function`. A kind that is not here is drawn as a card."""
PLAIN = "memarena_builder.pictures.card:draw"


def draw(spec: PictureSpec) -> Drawing:
    """The picture of `spec`."""
    return _drawer(DRAWERS.get(spec.kind, PLAIN))(spec)


@cache
def _drawer(target: str) -> Drawer:
    module, _, name = target.partition(":")
    return cast(Drawer, getattr(import_module(module), name))
