"""Free-text mails to suppliers: which of eight intents, which products, and which numbers.

Words decide, never instructions: a text can ask for what the rules allow and for nothing else.
"""

from __future__ import annotations

import re

import msgspec

from memarena_aha.vending.products import Product

__all__ = ["INTENTS", "Reading", "read_letter"]

INTENTS = ("offer", "order", "cancel", "complain", "confirm", "ask_quote", "ask_catalogue", "other")
_WORDS = {
    "cancel": r"\bcancel|\bcall off\b",
    "complain": r"\bcomplain|\bmissing\b|\bwhere is\b|\bnever arrived\b|\bshort\b|\bdamaged\b|\blate\b",
    "offer": r"\boffer\b|\bwould pay\b|\bbest price\b|\bdiscount\b|\bcould you do\b",
    "ask_quote": r"\bquote\b(?! ?q\d)|\bquotation\b|\bprice",
    "order": r"\border\b|\bbuy\b|\bpurchase\b|\bsend (us|me)\b",
    "ask_catalogue": r"\bcatalogue\b|\bcatalog\b|\bproducts\b|\bassortment\b|\bwhat do you (sell|carry)\b",
    "confirm": r"\bconfirm|\bagreed\b|\baccept\b",
}
_QUOTE = re.compile(r"\bQ\d{4,}\b", re.IGNORECASE)
_MONEY = re.compile(r"\$ ?(\d{1,5})(?:\.(\d{2}))?(?!\d)")
_UNITS = r"(\d{{1,5}}) ?(?:x|units of|of)? ?{name}\b|\b{name}\)? ?[x:=] ?(\d{{1,5}})\b"


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What a letter was understood to say."""

    intent: str
    skus: tuple[str, ...]
    units: dict[str, int]
    price: int | None
    """The first amount of money, in cents."""
    quote: str | None


def read_letter(text: str, products: dict[str, Product]) -> Reading:
    """Read subject and body of a letter; deterministic, linear in its length."""
    lowered = text.lower()
    skus, units = [], {}
    for product in products.values():
        for name in (product.sku.lower(), product.name.lower()):
            if re.search(rf"\b{re.escape(name)}\b", lowered) is None:
                continue
            if product.sku not in skus:
                skus.append(product.sku)
            found = re.search(_UNITS.format(name=re.escape(name)), lowered)
            if found:
                units[product.sku] = int(found[1] or found[2])
    money = _MONEY.search(text)
    quote = _QUOTE.search(text)
    return Reading(
        intent=next((intent for intent, words in _WORDS.items() if re.search(words, lowered)), "other"),
        skus=tuple(skus),
        units=units,
        price=int(money[1]) * 100 + int(money[2] or 0) if money else None,
        quote=quote[0].upper() if quote else None,
    )
