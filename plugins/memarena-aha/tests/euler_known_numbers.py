"""Answers of F01 to F13 that two independent programs agreed on: a small one, then two of full size."""

from __future__ import annotations

KNOWN: dict[str, list[tuple[dict[str, object], int]]] = {
    "F01": [
        ({"limit": 500, "modulus": 4, "residue": 1, "bound": 11}, 14185),
        ({"limit": 10**9, "modulus": 12, "residue": 5, "bound": 29}, 20448524560010509),
        ({"limit": 3 * 10**9, "modulus": 10, "residue": 7, "bound": 23}, 192402031781441593),
    ],
    "F02": [
        ({"prime": 61, "order": 12}, 122),
        ({"prime": 998244353, "order": 119}, 51908706357),
        ({"prime": 469762049, "order": 112}, 11274289176),
    ],
}
