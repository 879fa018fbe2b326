"""Invented operations that work on the value of a number: bases, bits, halves and steps."""

from __future__ import annotations

from memarena_aha.euler.conventions.operation import Operation
from memarena_aha.euler.values import Span

__all__ = ["OPERATIONS"]

FACTOR = Span(2, 9)


def reread(n: int, base: int, bonus: int) -> int:
    """The decimal digits read in another base, plus something for each digit."""
    total = 0
    for digit in str(n):
        total = total * base + int(digit)
    return total + bonus * len(str(n))


def reread_slowly(n: int, base: int, bonus: int) -> int:
    """From the last digit, with growing powers."""
    total, power = 0, 1
    while n:
        total += n % 10 * power + bonus
        n, power = n // 10, power * base
    return total


def define_reread(base: int, bonus: int) -> tuple[str, ...]:
    return (
        f"Take the decimal digits of n and read them as if they stood in base {base}: the last digit counts once,"
        f" the one before it {base} times, the one before that {base}^2 times, and so on",
        "Count the decimal digits of n",
        f"Add {bonus} times this count to the first number",
    )


def alternate(n: int, low: int, high: int) -> int:
    """Remainders by two divisors in turn, read as decimal digits from the right."""
    total, weight, divisors = 0, 1, (low, high)
    while n:
        n, digit = divmod(n, divisors[0])
        total += digit * weight
        weight, divisors = 10 * weight, divisors[::-1]
    return total


def alternate_slowly(n: int, low: int, high: int) -> int:
    """The greatest place value first, as often as it fits."""
    values = [1]
    while values[-1] <= n:
        values.append(values[-1] * (low if len(values) % 2 else high))
    total = 0
    for value in reversed(values):
        fits = 0
        while n >= value:
            n, fits = n - value, fits + 1
        total = 10 * total + fits
    return total


def define_alternate(low: int, high: int) -> tuple[str, ...]:
    return (
        f"Divide n by {low} and keep the remainder; divide the quotient by {high} and keep the remainder",
        f"Go on with the quotient, dividing by {low} and by {high} in turn, until the quotient is 0",
        "Write the remainders from right to left, the first one at the right end, and read them as a decimal number",
    )


def march(n: int, steps: int, bonus: int, rise: int) -> int:
    """Even numbers are halved and get a bonus, odd ones are tripled and rise."""
    for _ in range(steps):
        n = 3 * n + rise if n % 2 else n // 2 + bonus
    return n


def march_slowly(n: int, steps: int, bonus: int, rise: int) -> int:
    """The last step taken by itself, after all others."""
    if not steps:
        return n
    before = march_slowly(n, steps - 1, bonus, rise)
    half, odd = before >> 1, before & 1
    return before + before + before + rise if odd else half + bonus


def define_march(steps: int, bonus: int, rise: int) -> tuple[str, ...]:
    return (
        f"If the number is even, halve it and add {bonus}",
        f"If it is odd, triple it and add {rise}",
        f"Begin with n and do this {steps} times, each time with what came out before",
    )


def shadow(n: int, shift: int, weight: int) -> int:
    """The bits laid over their own shifted copy, plus something for each bit that is set."""
    return (n ^ n << shift) + weight * n.bit_count()


def shadow_slowly(n: int, shift: int, weight: int) -> int:
    """Bit by bit: two equal bits give 0."""
    bits = []
    while n:
        n, bit = divmod(n, 2)
        bits.append(bit)
    total = weight * bits.count(1)
    for place in range(len(bits) + shift):
        own = bits[place] if place < len(bits) else 0
        other = bits[place - shift] if place >= shift else 0
        total += (1 << place) if own != other else 0
    return total


def define_shadow(shift: int, weight: int) -> tuple[str, ...]:
    return (
        f"Write n in binary, and below it n * 2^{shift} in binary, with equal places under each other",
        "Compare place by place (missing digits are 0): write 1 where the two digits differ and 0 where they are equal",
        f"Read this as a binary number and add {weight} times the number of ones in the binary form of n",
    )


def halves(n: int, product: int, total: int) -> int:
    """The decimal digits cut in the middle: the product and the sum of both parts, each some times."""
    text = str(n)
    cut = (len(text) + 1) // 2
    left, right = int(text[:cut]), int(text[cut:])
    return product * left * right + total * (left + right)


def halves_slowly(n: int, product: int, total: int) -> int:
    """Cut by division, multiplied by adding."""
    size, rest = 0, n
    while rest:
        rest, size = rest // 10, size + 1
    scale: int = 10 ** (size // 2)
    left, right = n // scale, n - n // scale * scale
    area = 0
    for place in range(right.bit_length()):
        area += (left << place) if right >> place & 1 else 0
    return area * product + left * total + right * total


def define_halves(product: int, total: int) -> tuple[str, ...]:
    return (
        "Cut the decimal digits of n in the middle into a left part L and a right part R; if their count is odd, L gets"
        " one more",
        "Read L and R as numbers (R may begin with zeros)",
        f"The result is {product} times the product of L and R plus {total} times their sum",
    )


def turn_base(n: int, base: int, factor: int) -> int:
    """The digits in another base reversed, some times, plus the number."""
    mirrored, rest = 0, n
    while rest:
        mirrored, rest = mirrored * base + rest % base, rest // base
    return factor * mirrored + n


def turn_base_slowly(n: int, base: int, factor: int) -> int:
    """With the list of all digits and their powers."""
    power = 1
    while power * base <= n:
        power *= base
    digits, rest = [], n
    while power:
        digits.append(rest // power)
        rest, power = rest % power, power // base
    mirrored, weight = 0, 1
    for digit in digits:
        mirrored, weight = mirrored + digit * weight, weight * base
    return n + factor * mirrored


def define_turn_base(base: int, factor: int) -> tuple[str, ...]:
    return (
        f"Write n in base {base}",
        f"Reverse these digits and read them in base {base} again, to get r",
        f"The result is n plus {factor} times r",
    )


OPERATIONS = (
    Operation(
        operation_id="E07",
        title="other base",
        constants=(("base", Span(11, 19)), ("bonus", Span(1, 9))),
        taught=Span(1000, 99_999),
        asked=Span(10**6, 10**8),
        apply=reread,
        apply_slowly=reread_slowly,
        define=define_reread,
        method=(("base",), ("digits",), ("count", "length", "for each")),
    ),
    Operation(
        operation_id="E08",
        title="two divisors",
        constants=(("low", Span(2, 5)), ("high", Span(6, 9))),
        taught=Span(1000, 99_999),
        asked=Span(10**6, 10**8),
        apply=alternate,
        apply_slowly=alternate_slowly,
        define=define_alternate,
        method=(("remainder", "mod"), ("in turn", "alternat")),
    ),
    Operation(
        operation_id="E09",
        title="march",
        constants=(("steps", Span(4, 9)), ("bonus", Span(1, 9)), ("rise", Span(1, 9))),
        taught=Span(10_000, 99_999),
        asked=Span(10**7, 10**9),
        apply=march,
        apply_slowly=march_slowly,
        define=define_march,
        method=(("even",), ("odd",), ("halv", "half", "n // 2"), ("tripl", "three times", "3 *")),
    ),
    Operation(
        operation_id="E10",
        title="shadow",
        constants=(("shift", Span(1, 6)), ("weight", FACTOR)),
        taught=Span(1000, 9999),
        asked=Span(10**4, 10**5),
        apply=shadow,
        apply_slowly=shadow_slowly,
        define=define_shadow,
        method=(("binary", "xor", "bits"), ("differ", "xor", "^"), ("ones", "set bits", "bit_count")),
    ),
    Operation(
        operation_id="E11",
        title="halves",
        constants=(("product", Span(1, 9)), ("total", Span(1, 9))),
        taught=Span(10_000, 999_999),
        asked=Span(10**7, 10**9),
        apply=halves,
        apply_slowly=halves_slowly,
        define=define_halves,
        method=(("middle", "half", "halves"), ("product",), ("sum",)),
    ),
    Operation(
        operation_id="E12",
        title="turned base",
        constants=(("base", Span(3, 9)), ("factor", FACTOR)),
        taught=Span(1000, 99_999),
        asked=Span(10**6, 10**8),
        apply=turn_base,
        apply_slowly=turn_base_slowly,
        define=define_turn_base,
        method=(("base",), ("revers", "mirror", "backward")),
    ),
)
