"""Names of things that agents meet: none is a colour, a number or another word that a picture alone may show.

There are many, so that two samples have few in common and nothing can be learnt of a name from others.
"""

from __future__ import annotations

NAMES = (
    "Juniper", "Onyx", "Flint", "Maple", "Cobble", "Saffron", "Willow", "Basalt", "Clover", "Thistle", "Hazel",
    "Quartz", "Bramble", "Ember", "Fennel", "Garnet", "Heron", "Iris", "Kestrel", "Lantern", "Marlow", "Nettle",
    "Osprey", "Pebble", "Raven", "Sorrel", "Tansy", "Umber", "Vesper", "Wicker", "Yarrow", "Zephyr", "Alder",
    "Birch", "Cedar", "Dahlia", "Elder", "Fjord", "Gannet", "Hollow", "Ibex", "Jasper", "Lupin", "Mistral",
    "Nutmeg", "Opal", "Acorn", "Adder", "Anchor", "Aspen", "Aster", "Badger", "Barley", "Beacon", "Bellow", "Bison",
    "Bobbin", "Borage", "Bracken", "Brindle", "Bugle", "Burdock", "Butler", "Caddis", "Campion", "Candle",
    "Caraway", "Cassia", "Cinder", "Citron", "Comet", "Condor", "Cotton", "Cricket", "Crocus", "Curlew", "Cypress",
    "Dapple", "Dipper", "Dormer", "Dunlin", "Egret", "Fathom", "Feather", "Ferret", "Filbert", "Finch", "Foxglove",
    "Gable", "Galley", "Gentian", "Ginger", "Gorse", "Granite", "Grebe", "Gypsum", "Harrier", "Hatchet", "Heather",
    "Hemlock", "Hickory", "Holly", "Hornet", "Hyssop", "Kelp", "Kettle", "Lapwing", "Larch", "Laurel", "Linden",
    "Linnet", "Lobelia", "Locket", "Lynx", "Magpie", "Mallow", "Marble", "Marten", "Mimosa", "Muslin", "Myrtle",
    "Newt", "Oakum", "Otter", "Parsnip", "Pewter", "Pigeon", "Pippin", "Plover", "Poppy", "Puffin", "Quail",
    "Quill", "Rafter", "Ramson", "Redwing", "Rowan", "Rudder", "Saddle", "Salvia", "Sedge", "Serin", "Sextant",
    "Shale", "Siskin", "Slate", "Snipe", "Spindle", "Starling", "Stoat", "Sumac", "Swallow", "Tallow", "Tamarind",
    "Teasel", "Tinder", "Topaz", "Trellis", "Tulip", "Turnip", "Valerian", "Vervain", "Viola", "Walnut", "Warbler",
    "Wombat", "Woodruff", "Yarn", "Zinnia",
)  # fmt: skip
