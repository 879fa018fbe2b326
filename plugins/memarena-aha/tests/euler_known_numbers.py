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
    "F03": [
        ({"modulus": 105, "twist": 2, "target": 4}, 96),
        ({"modulus": 3 * 5 * 7 * 11 * 13 * 17 * 19, "twist": 2, "target": 23}, 3870720),
        ({"modulus": 5 * 7 * 11 * 13 * 23 * 29, "twist": 3, "target": 12}, 3732480),
    ],
    "F04": [
        ({"base": 7, "middle": 3, "top": 5, "digits": 4}, 2343),
        ({"base": 13, "middle": 11, "top": 10**6, "digits": 9}, 200000013),
        ({"base": 17, "middle": 19, "top": 123456, "digits": 8}, 32076817),
    ],
    "F05": [
        ({"row": 30, "prime": 3}, 58),
        ({"row": 10**6, "prime": 7}, 4196092),
        ({"row": 2 * 10**6, "prime": 5}, 15906251),
    ],
    "F06": [
        ({"shift": 7, "modulus": 1000, "start": 3, "steps": 400}, 503),
        ({"shift": 11, "modulus": 1000003, "start": 5, "steps": 10**18}, 831491),
        ({"shift": 17, "modulus": 2000033, "start": 9, "steps": 3 * 10**17}, 1968244),
    ],
    "F07": [
        ({"low": 100, "high": 20000, "base": 10, "rest": 2, "cycle": 5}, 2770),
        ({"low": 1, "high": 10**15, "base": 10, "rest": 3, "cycle": 7}, 33089646226361),
        ({"low": 10**5, "high": 10**14, "base": 8, "rest": 1, "cycle": 6}, 2374649708491),
    ],
    "F08": [
        ({"base": 10, "digits": 4, "lead": 1}, 20000),
        ({"base": 10, "digits": 18, "lead": 1}, 9 * 10**18),
        ({"base": 7, "digits": 21, "lead": 1}, 5818186084200875073),
    ],
    "F09": [
        ({"base": 6, "length": 5}, 945),
        ({"base": 10, "length": 17}, 342547927734375),
        ({"base": 9, "length": 20}, 27240503132812500),
    ],
    "F10": [
        ({"base": 10, "length": 5, "distinct": 3}, 14777280),
        ({"base": 10, "length": 18, "distinct": 5}, 56985185185185184893000),
        ({"base": 10, "length": 25, "distinct": 4}, 574591111111111111111110876552),
    ],
    "F11": [
        ({"bits": 6, "limit": 1000}, 16),
        ({"bits": 16, "limit": 10**14 + 12345}, 41377),
        ({"bits": 18, "limit": 10**15 + 777}, 20993),
    ],
    "F12": [
        ({"beads": 8, "colours": 3, "quota": 3}, 224),
        ({"beads": 60, "colours": 4, "quota": 15}, 2619199560257517926604867276295152 % (10**9 + 7)),
    ],
    "F13": [
        ({"width": 5, "height": 4, "turns": 4, "spacing": 7}, 8),
        ({"width": 40, "height": 36, "turns": 20, "spacing": 14}, 28119464089698),
        ({"width": 44, "height": 41, "turns": 24, "spacing": 10}, 3163275122450628),
    ],
}
