"""How many units of a product people want on a day.

The mean is `b * clamp(1 + e*(p - ref)/ref, 0, 2.5) * weekday * month * weather * variety * reputation`; the number is
the inverse of its Poisson distribution at a uniform that depends on day and product alone. So demand never rises with
the price, and is the same for two agents that offer the same.
"""

from __future__ import annotations

from functools import lru_cache

from memarena_aha.vending.almanac import MONTH_FACTORS, WEATHER_FACTORS, WEEKDAY_FACTORS, month, weekday
from memarena_aha.vending.products import Product

__all__ = ["demand", "expected", "price_factor", "variety_factor"]


def price_factor(product: Product, price: int) -> float:
    """Demand at a price in cents, relative to that at the reference price, in [0, 2.5]."""
    change = product.elasticity * (price - product.reference) / (1000 * product.reference)
    return min(2.5, max(0.0, 1.0 - change))


def variety_factor(kinds: int, best: int) -> float:
    """1 at the best number of products, 2 % less a squared step away from it, never below a half."""
    return max(0.5, 1.0 - 0.02 * (kinds - best) ** 2)


def expected(product: Product, price: int, day: int, weather: str, variety: float, reputation: int) -> float:
    """The mean demand of a day; `reputation` in thousandths."""
    season = WEEKDAY_FACTORS[weekday(day)] * MONTH_FACTORS[month(day)] * WEATHER_FACTORS[weather][product.category]
    return product.rate / 1000 * price_factor(product, price) * season * variety * (reputation / 1000)


def demand(mean: float, uniform: float) -> int:
    """The smallest k at which the Poisson distribution of this mean, to a thousandth, exceeds `uniform`."""
    thousandths = int(mean * 1000 + 0.5)
    term = total = _exp_minus(thousandths)
    count, mean = 0, thousandths / 1000
    # Nearer to 1, the sum of the terms has no digits left that tell one mean from another.
    uniform = min(uniform, 1 - 1e-12)
    while total <= uniform and count < 10 * mean + 20:
        count += 1
        term *= mean / count
        total += term
    return count


@lru_cache(maxsize=65536)
def _exp_minus(thousandths: int) -> float:
    # math.exp may differ in its last bit between platforms; products and sums may not.
    step, term, total = -thousandths / 1000 / 256, 1.0, 1.0
    for order in range(1, 12):
        term *= step / order
        total += term
    for _ in range(8):
        total *= total
    return total
