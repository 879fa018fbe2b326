"""Invented operations that work on the decimal digits of a number."""

from __future__ import annotations

from memarena_aha.euler.conventions.operation import Operation
from memarena_aha.euler.values import Span

__all__ = ["OPERATIONS"]

TAUGHT, ASKED = Span(10_000, 999_999), Span(10**7, 10**9)
FACTOR = Span(2, 9)


def turn_blocks(n: int, size: int, first: int) -> int:
    """Every second block of digits, counted from the right, is reversed."""
    text, result, block = str(n), "", 0
    while text:
        text, piece = text[:-size], text[-size:]
        result = (piece[::-1] if block % 2 == first else piece) + result
        block += 1
    return int(result)


def turn_blocks_slowly(n: int, size: int, first: int) -> int:
    """Each digit carried to its new place."""
    digits = []
    while n:
        n, digit = divmod(n, 10)
        digits.append(digit)
    total = 0
    for place, digit in enumerate(digits):
        start = place // size * size
        last = min(start + size, len(digits)) - 1
        goal = start + last - place if place // size % 2 == first else place
        total += digit * 10**goal
    return total


def define_turn_blocks(size: int, first: int) -> tuple[str, ...]:
    return (
        f"Cut the decimal digits of n, from the right, into blocks of {size}; the leftmost block may be shorter",
        f"Count the blocks from the right and reverse the digits inside the {'2nd, 4th' if first else '1st, 3rd'},"
        " ... of them; leave the other blocks as they are",
        "Put the blocks together in their old order and read the result as a decimal number",
    )


def weave(n: int, factor: int, odd_first: int) -> int:
    """Digits at odd places forwards and those at even places backwards, one after the other, times a factor."""
    text = str(n)
    odd, even = text[::2], text[1::2][::-1]
    return factor * int(odd + even if odd_first else even + odd)


def weave_slowly(n: int, factor: int, odd_first: int) -> int:
    """The new number grown digit by digit."""
    digits: list[int] = []
    while n:
        digits.insert(0, n % 10)
        n //= 10
    odd = list(range(0, len(digits), 2))
    even = list(range(len(digits) - 1, 0, -1))
    even = [place for place in even if place % 2]
    total = 0
    for place in [*odd, *even] if odd_first else [*even, *odd]:
        total = 10 * total + digits[place]
    return sum(total for _ in range(factor))


def define_weave(factor: int, odd_first: int) -> tuple[str, ...]:
    odd = "the digits at the 1st, 3rd, 5th, ... place from the left, in this order"
    even = "the digits at the 2nd, 4th, 6th, ... place from the left, in backward order (the last of them first)"
    return (
        f"Write down {odd if odd_first else even}",
        f"Write behind them {even if odd_first else odd}",
        f"Read this as a decimal number and multiply it by {factor}",
    )


def echo(n: int, own: int, mirrored: int) -> int:
    """The number and its mirror image, each some times."""
    return own * n + mirrored * int(str(n)[::-1])


def echo_slowly(n: int, own: int, mirrored: int) -> int:
    """Digit by digit, the mirror image as a sum of powers of ten."""
    length, rest, total = 0, n, 0
    while rest:
        rest, length = rest // 10, length + 1
    for place in range(length):
        digit = n // 10**place % 10
        total += own * digit * 10**place + mirrored * digit * 10 ** (length - 1 - place)
    return total


def define_echo(own: int, mirrored: int) -> tuple[str, ...]:
    return (
        "Reverse the decimal digits of n to get r (zeros that come to the front are dropped)",
        f"Multiply n by {own} and r by {mirrored}",
        "Add the two products",
    )


def neighbours(n: int, left: int, right: int) -> int:
    """Each digit replaced by the last digit of a mixture of it and the next one; the last one is followed by the"
    " first."""
    digits = [int(digit) for digit in str(n)]
    following = digits[1:] + digits[:1]
    total = 0
    for one, two in zip(digits, following, strict=True):
        total = 10 * total + (left * one + right * two) % 10
    return total


def neighbours_slowly(n: int, left: int, right: int) -> int:
    """From the last digit to the first."""
    total, weight, rest = 0, 1, n
    after = n
    while after >= 10:
        after //= 10
    while rest:
        rest, digit = divmod(rest, 10)
        mixture = left * digit + right * after
        total += (mixture - mixture // 10 * 10) * weight
        weight, after = 10 * weight, digit
    return total


def define_neighbours(left: int, right: int) -> tuple[str, ...]:
    return (
        "Take each decimal digit of n together with the digit to its right; the last digit is taken with the first one",
        f"For each such pair compute {left} times the digit plus {right} times its right neighbour, and keep only"
        " the last digit of this",
        "Write these last digits in the order of the pairs and read them as a decimal number (zeros in front are"
        " dropped)",
    )


def extremes(n: int, up: int, down: int) -> int:
    """Digits sorted in both directions, each reading some times."""
    total = 0
    for digits, times in ((sorted(str(n)), up), (sorted(str(n), reverse=True), down)):
        reading = 0
        for digit in digits:
            reading = 10 * reading + int(digit)
        total += times * reading
    return total


def extremes_slowly(n: int, up: int, down: int) -> int:
    """How often each digit occurs is enough."""
    occurs = [0] * 10
    while n:
        n, digit = divmod(n, 10)
        occurs[digit] += 1
    rising = falling = 0
    for digit in range(10):
        for _ in range(occurs[digit]):
            rising = 10 * rising + digit
    for digit in range(9, -1, -1):
        for _ in range(occurs[digit]):
            falling = 10 * falling + digit
    return up * rising + down * falling


def define_extremes(up: int, down: int) -> tuple[str, ...]:
    return (
        "Sort the decimal digits of n from small to large and read them as the number s (zeros in front are dropped)",
        "Sort them from large to small and read them as the number t",
        f"The result is {up} times s plus {down} times t",
    )


def rotate(n: int, extra: int, factor: int) -> int:
    """Digits rotated by their sum and some more, plus the number some times."""
    text = str(n)
    shift = (sum(map(int, text)) + extra) % len(text)
    return int(text[shift:] + text[:shift]) + factor * n


def rotate_slowly(n: int, extra: int, factor: int) -> int:
    """One digit after the other taken from the front to the end."""
    digits: list[int] = []
    rest = n
    while rest:
        digits.insert(0, rest % 10)
        rest //= 10
    for _ in range(sum(digits) + extra):
        digits.append(digits.pop(0))
    total = 0
    for digit in digits:
        total = 10 * total + digit
    return total + factor * n


def define_rotate(extra: int, factor: int) -> tuple[str, ...]:
    more = f" plus {extra}" if extra else ""
    return (
        f"Add the decimal digits of n; let k be this sum{more}",
        "Move the first digit of n to its end, and do this k times in all, to get the number m (zeros that come to the"
        " front are dropped at the end)",
        f"The result is m plus {factor} times n",
    )


OPERATIONS = (
    Operation(
        operation_id="E01",
        title="turned blocks",
        constants=(("size", Span(2, 4)), ("first", Span(0, 1))),
        taught=TAUGHT,
        asked=ASKED,
        apply=turn_blocks,
        apply_slowly=turn_blocks_slowly,
        define=define_turn_blocks,
        method=(("block",), ("revers", "backward", "turn")),
    ),
    Operation(
        operation_id="E02",
        title="weave",
        constants=(("factor", FACTOR), ("odd_first", Span(0, 1))),
        taught=TAUGHT,
        asked=ASKED,
        apply=weave,
        apply_slowly=weave_slowly,
        define=define_weave,
        method=(("place", "position"), ("backward", "revers")),
    ),
    Operation(
        operation_id="E03",
        title="echo",
        constants=(("own", FACTOR), ("mirrored", FACTOR)),
        taught=TAUGHT,
        asked=ASKED,
        apply=echo,
        apply_slowly=echo_slowly,
        define=define_echo,
        method=(("revers", "mirror", "backward"), ("times", "multipl", "product")),
    ),
    Operation(
        operation_id="E04",
        title="neighbours",
        constants=(("left", Span(1, 9)), ("right", Span(1, 9))),
        taught=TAUGHT,
        asked=ASKED,
        apply=neighbours,
        apply_slowly=neighbours_slowly,
        define=define_neighbours,
        method=(("neighbour", "to its right", "next digit"), ("last digit", "mod 10", "% 10")),
    ),
    Operation(
        operation_id="E05",
        title="extremes",
        constants=(("up", FACTOR), ("down", FACTOR)),
        taught=TAUGHT,
        asked=ASKED,
        apply=extremes,
        apply_slowly=extremes_slowly,
        define=define_extremes,
        method=(("sort",), ("small", "rising", "ascending", "descending")),
    ),
    Operation(
        operation_id="E06",
        title="rotation",
        constants=(("extra", Span(0, 5)), ("factor", FACTOR)),
        taught=TAUGHT,
        asked=ASKED,
        apply=rotate,
        apply_slowly=rotate_slowly,
        define=define_rotate,
        method=(("rotat", "move", "to its end"), ("digits", "sum")),
    ),
)
