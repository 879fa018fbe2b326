"""Colours by name, and the schemes that designs choose from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

COLOURS = {
    "crimson": "#dc143c", "turquoise": "#40e0d0", "mustard": "#d8a917", "lavender": "#b9a3e3", "olive": "#6b7a1f",
    "coral": "#ff7f50", "indigo": "#4b0082", "maroon": "#800000", "amber": "#ffbf00", "teal": "#008080",
    "magenta": "#d0219a", "beige": "#e8dcc0", "scarlet": "#ff2400", "violet": "#8f00ff", "khaki": "#bdb76b",
    "bronze": "#b0793a", "emerald": "#2ea86b", "ivory": "#fffff0", "charcoal": "#36454f", "salmon": "#fa8072",
}  # fmt: skip
"""The colours of the pool `colours`."""
COLOURS_HAN = dict(zip(
    ("绯红", "青碧", "芥黄", "丁香紫", "橄榄绿", "珊瑚", "靛蓝", "栗褐", "琥珀", "黛青", "洋红", "米驼",
     "朱砂", "堇紫", "卡其", "古铜", "翡翠", "象牙", "炭黑", "鲑粉"),
    COLOURS.values(),
    strict=True,
))  # fmt: skip
"""The same in Chinese, in the same order."""


def palette(name: str) -> Mapping[str, str]:
    """The colours by their names in the language of `name`; raises KeyError where it is no colour."""
    if name in COLOURS_HAN:
        return COLOURS_HAN
    if name in COLOURS:
        return COLOURS
    raise KeyError(name)


class Scheme(NamedTuple):
    """Colours that go together."""

    dark: str
    """For heads, with white on it."""
    light: str
    """For grounds, with black on it."""
    accent: str


SCHEMES = (
    Scheme("#1f3a5f", "#eef3f9", "#3f7cac"),
    Scheme("#2f4f3f", "#eef5ef", "#5b9a72"),
    Scheme("#5a2a3c", "#f8eff2", "#b0567a"),
    Scheme("#3b3b45", "#f2f2f4", "#7c7c90"),
    Scheme("#7a4a17", "#faf3e8", "#c98b3b"),
    Scheme("#20515a", "#ebf5f6", "#3c98a4"),
    Scheme("#43306b", "#f2eff8", "#8465c0"),
    Scheme("#222222", "#f4f4f2", "#8d8d86"),
)
"""What letterheads and programs look like."""
PAPERS = ("#ffffff", "#fdfbf5", "#f7f7f3", "#fbfaf7", "#f5f2ea", "#fafcfd")
