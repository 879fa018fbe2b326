"""Tiny tasks of the held-out rules, counted by hand from the words of a statement."""

from __future__ import annotations

import pytest

from memarena_aha.euler.register import family

BY_HAND: dict[str, tuple[dict[str, object], int]] = {
    # 1, 5, 13 and 17 are 1 modulo 4; 9 is divisible by 3.
    "F01": ({"limit": 20, "modulus": 4, "residue": 1, "bound": 4}, 36),
    # The primitive roots of 7 are 3 and 5.
    "F02": ({"prime": 7, "order": 6}, 8),
    # Modulo 3: (0,0) and four with x = y or x = -y. Modulo 5: (0,2), (0,3) and four with x and y 1 or 4. 5 * 6.
    "F03": ({"modulus": 15, "twist": 2, "target": 3}, 30),
    # 3^20 is 1 modulo 100, and 2^1001 is 12 modulo 20 (4, 8, 16, 12 in turn): 3^12 = 531441.
    "F04": ({"base": 3, "middle": 2, "top": 1001, "digits": 2}, 41),
    # 1, 5, 10, 10, 5, 1: the product has two factors 2.
    "F05": ({"row": 5, "prime": 2}, 2),
    # 0, 1, 2, 0, 1, 2, 0, 1.
    "F06": ({"shift": 1, "modulus": 5, "start": 0, "steps": 7}, 1),
    # 1, 2, 10, 12, 20, 21 in base 3; digit sums 1, 2, 1, 3, 2, 3.
    "F07": ({"low": 1, "high": 8, "base": 3, "rest": 1, "cycle": 2}, 4),
    # 0, 1, 2, 10, 11, 12 in base 3: 2 carries once, 12 twice.
    "F08": ({"base": 3, "digits": 1, "lead": 2}, 3),
    # 10, 11 and 20.
    "F09": ({"base": 3, "length": 2}, 3),
    # 1112, 1122, 1222 in base 3: 41 + 44 + 53.
    "F10": ({"base": 3, "length": 4, "distinct": 2}, 138),
    # The first sixteen cancel; 17 and 18 leave 1 and 4.
    "F11": ({"bits": 4, "limit": 18}, 5),
    # Two golden pearls side by side: four ways for the others. Opposite: three, for a half turn swaps the others.
    "F12": ({"beads": 4, "colours": 3, "quota": 2}, 7),
    # (1,1) is blocked, 1+3+7 = 11 = 3 modulo 8: right, right, up is left.
    "F13": ({"width": 2, "height": 1, "turns": 2, "spacing": 8}, 1),
    # Five cabins, two lit, no two adjacent: 13, 14, 24, 25, 35.
    "F14": ({"n": 5, "k": 2, "g": 1, "ring": 1}, 5),
    # 4 as an odd number of 1s and 2s: 1+1+2.
    "F15": ({"n": 4, "parts": (1, 2), "m": 4, "odd": 1}, 1),
    # Trams 1 to 4 on tracks 3421, 3412 and 4123.
    "F16": ({"n": 4, "ring": 0, "prime": 101}, 3),
    # AAB, ABA, ABB; AAA is one shade only.
    "F17": ({"n": 3, "c": 2, "w": 3, "fixed": 1}, 3),
    # 1+6, 2+5, 3+4, each with one even and one odd tag.
    "F18": ({"n": 6, "k": 2, "total": 7, "balanced": 1}, 3),
    # 3+3 is the only pair; the greedy 4+1+1 takes three.
    "F19": ({"total": 6, "values": (1, 3, 4), "cap": 2}, 2001),
    # One column of three: three studs of two metals (8), or a brick above or below and a stud (2 * 2).
    "F20": ({"n": 1, "m": 3, "c": 2}, 12),
    # E1 = 1 + 2/3 E2 and E2 = 1 + 1/3 E1 give 15/7, and 7 * 31 = 217 = 15 + 2 * 101.
    "F21": ({"n": 3, "s": 1, "p": 2, "q": 3, "prime": 101}, 31),
    # 0, 1, then 1+0+2 = 3, 3+1+3 = 7, 7+3+4 = 14.
    "F22": (
        {"alpha": 1, "beta": 1, "gamma": 1, "delta": 0, "first": 0, "second": 1, "n": 4, "modulus": 10},
        4,
    ),
    # 1, 12, 121, 12112: three 1s.
    "F23": ({"one": (1, 2), "two": (1,), "n": 5}, 3),
    # (1,4) and (4,1); (1,4) has 4+1+8 = 13 = 6 modulo 7 and is closed; 4*1 = 4.
    "F24": ({"n": 5, "leap": (1, 4), "k": 1, "h": 7, "r": 6}, 1004),
    # Squares modulo 6: 0, 1, 3 and 4 stay where they are, 2 goes to 4 and 5 to 1.
    "F25": ({"a": 1, "b": 0, "c": 0, "n": 6}, 4),
    # A ring of four with both diagonals double: (6 * 4 * 6) / 4 by the eigenvalues.
    "F26": ({"n": 4, "k": 2, "prime": 1009}, 36),
    # 1 to 2 to 4 by two jumps at 1 each; four steps cost more.
    "F27": ({"n": 6, "a": 1, "m": 3, "k": 2, "c": 1, "start": 1, "goal": 4}, 2),
    # ABACA and ACABA.
    "F28": ({"most": 3, "others": (1, 1)}, 2),
    # Legs of length 4: (1,1), (1,2), (2,1) away from the corner.
    "F29": ({"origin": (5, 5), "x1": 1, "y1": 0, "x2": 0, "y2": 1, "stretch": 4}, 3),
    # (1,1), (1,2), (1,3), (2,1), (3,1).
    "F30": ({"width": 3, "height": 3, "clip": 4}, 5),
    # A diagonal of two cells, then four right and two up: 4 cells.
    "F31": ({"east": (1, 2), "north": (1, 1), "stretch": 2}, 6),
    # Three columns of four points: one tilted square in each of two boxes of side 2.
    "F32": ({"w": 2, "extra": 1, "tilted": 1}, 2),
}


@pytest.mark.parametrize("family_id", BY_HAND)
def test_both_solvers_give_what_is_counted_by_hand_under_the_held_out_rule(family_id: str) -> None:
    chosen = family(family_id)
    params, answer = BY_HAND[family_id]
    assert chosen.held_out(**params)
    assert (chosen.solve_fast(**params), chosen.solve_brute(**params)) == (answer, answer)
