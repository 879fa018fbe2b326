"""The fictional catalogue, and the 18 products that a seed draws from it with their hidden economics."""

from __future__ import annotations

import msgspec

from memarena_aha.keyed import Streams

__all__ = ["CATALOGUE", "CATEGORIES", "Product", "draw_products"]

CATEGORIES = ("cold", "hot", "snack", "sweet", "fresh")
_SMALL, _LARGE = 10, 8
_NAMES = {
    ("small", "cold"): "Fizzle Lime,Brook Water,Pepp Cola,Amber Iced Tea,Citra Soda,Tonka Mini",
    ("small", "hot"): "Cup o' Broth,Mokka Shot,Spiced Chai Cup,Tomato Sip,Miso Cup,Cocoa Dot",
    ("small", "snack"): "Salt Twists,Corn Clouds,Paprika Rings,Seed Crackers,Rice Puffs,Chili Nuts",
    ("small", "sweet"): "Hazel Bar,Mint Drops,Caramel Log,Berry Gums,Nougat Bite,Cocoa Wafer",
    ("small", "fresh"): "Apple Slices,Carrot Sticks,Grape Cup,Cheese Cubes,Olive Pot,Plum Duo",
    ("large", "cold"): "Big Fizzle,Spring Water XL,Mango Cooler,Oat Latte Can,Power Melon,Kefir Bottle",
    ("large", "hot"): "Noodle Bowl,Lentil Pot,Ramen Tub,Chili Pot,Porridge Pot,Dumpling Cup",
    ("large", "snack"): "Party Pretzels,Popcorn Sack,Trail Mix Bag,Tortilla Box,Jerky Pack,Pita Chips",
    ("large", "sweet"): "Cookie Box,Muffin Duo,Waffle Stack,Choco Slab,Donut Pair,Brownie Tray",
    ("large", "fresh"): "Garden Wrap,Egg Sandwich,Fruit Bowl,Pasta Salad,Hummus Plate,Yoghurt Jar",
}
CATALOGUE: tuple[tuple[str, str, str], ...] = tuple(
    (name, size, category) for (size, category), names in _NAMES.items() for name in names.split(",")
)
"""Name, size and category of the 60 products."""


class Product(msgspec.Struct, frozen=True, kw_only=True):
    """One product of a seed. Everything but sku, name, size and category is hidden from the agent."""

    sku: str
    name: str
    size: str
    category: str
    reference: int
    """Price in cents at which the base rate sells."""
    cost: int
    """What it costs to make, in cents; suppliers' prices are multiples of it."""
    rate: int
    """Base sales in thousandths of a unit a day."""
    elasticity: int
    """Thousandths; positive: demand falls by this many per mille when the price rises by one per mille."""


def draw_products(streams: Streams) -> tuple[Product, ...]:
    """10 small and 8 large products, numbered in the order drawn."""
    drawn = [
        entry
        for size, count in (("small", _SMALL), ("large", _LARGE))
        for entry in streams.shuffled([entry for entry in CATALOGUE if entry[1] == size], "cat", size)[:count]
    ]
    return tuple(_product(streams, f"P{number:02}", *entry) for number, entry in enumerate(drawn, 1))


def _product(streams: Streams, sku: str, name: str, size: str, category: str) -> Product:
    small = size == "small"
    reference = streams.between(*((150, 340) if small else (320, 680)), "ref", sku)
    return Product(
        sku=sku,
        name=name,
        size=size,
        category=category,
        reference=reference,
        cost=reference * streams.between(330, 500, "c", sku) // 1000,
        rate=streams.between(*((1600, 4600) if small else (800, 2300)), "b", sku),
        elasticity=streams.between(1200, 2400, "e", sku),
    )
