"""Answers of F14 to F32 that two independent programs agreed on: a small one, then two of full size."""

from __future__ import annotations

LARGE = 1_000_000_007
"""Families that report a residue are compared with the residue of the full count."""

KNOWN: dict[str, list[tuple[dict[str, object], int]]] = {
    "F14": [
        ({"n": 12, "k": 3, "g": 2, "ring": 1}, 40),
        ({"n": 200, "k": 20, "g": 4, "ring": 1}, 49103712151961059530210),
        ({"n": 250, "k": 18, "g": 6, "ring": 1}, 49211006195530906125000),
    ],
    "F15": [
        ({"n": 20, "parts": (1, 2, 3, 5), "m": 3, "odd": 1}, 6),
        ({"n": 260, "parts": (1, 2, 3, 5, 8, 13, 21), "m": 9, "odd": 0}, 22969),
        ({"n": 300, "parts": (1, 3, 4, 7, 11, 18), "m": 12, "odd": 1}, 9654),
    ],
    "F16": [
        ({"n": 8, "ring": 1, "prime": LARGE}, 4738),
        ({"n": 40, "ring": 1, "prime": LARGE}, 49405205),
        ({"n": 47, "ring": 1, "prime": LARGE}, 87055879),
    ],
    "F17": [
        ({"n": 9, "c": 3, "w": 4, "fixed": 0}, 16572),
        ({"n": 200, "c": 4, "w": 5, "fixed": 0}, 712408472),
        ({"n": 260, "c": 3, "w": 6, "fixed": 0}, 331353641),
    ],
    "F18": [
        ({"n": 14, "k": 5, "total": 40, "balanced": 0}, 98),
        ({"n": 100, "k": 20, "total": 1200, "balanced": 0}, 490015547883858273),
        ({"n": 120, "k": 22, "total": 1500, "balanced": 0}, 892295408899526912788),
    ],
    "F19": [
        ({"total": 57, "values": (1, 5, 8, 13), "cap": 3}, 6001),
        ({"total": 9876, "values": (1, 7, 19, 53, 131, 367, 997), "cap": 12}, 14001),
        ({"total": 12345, "values": (1, 11, 23, 71, 179, 499, 1301), "cap": 9}, 15001),
    ],
    "F20": [
        ({"n": 4, "m": 2, "c": 1}, 134),
        ({"n": 60, "m": 6, "c": 1}, 6928263124922210287472558 % LARGE),
        ({"n": 75, "m": 5, "c": 1}, 36830959297732938159794997274 % LARGE),
    ],
    "F21": [
        ({"n": 6, "s": 2, "p": 2, "q": 5, "prime": LARGE}, 601503770),
        ({"n": 1000, "s": 377, "p": 3, "q": 8, "prime": LARGE}, 422342277),
        ({"n": 1500, "s": 611, "p": 5, "q": 9, "prime": LARGE}, 380760917),
    ],
}
