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
    "chart": f"{_KINDS}.charts:bars",
    "line_chart": f"{_KINDS}.charts:lines",
    "pie_chart": f"{_KINDS}.charts:pie",
    "dashboard": f"{_KINDS}.dashboard:draw",
    "lab_report": f"{_KINDS}.lab_report:draw",
    "chat": f"{_KINDS}.chat:draw",
    "calendar": f"{_KINDS}.calendar:draw",
    "ticket": f"{_KINDS}.ticket:draw",
    "label": f"{_KINDS}.label:draw",
    "floor_plan": f"{_KINDS}.floor_plan:draw",
    "shelf": f"{_KINDS}.shelf:draw",
    "map": f"{_KINDS}.city_map:draw",
    "note": f"{_KINDS}.note:draw",
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
