"""Every number of the rules that is the same in all scenarios. Money is in cents, rates in thousandths."""

from __future__ import annotations

__all__ = [
    "BANKRUPT_AFTER",
    "CARD_PERCENT",
    "DAY_END",
    "DAY_START",
    "FEE",
    "LARGE_CAPACITY",
    "MALFORMED_AFTER",
    "MESSAGE_CAP",
    "NO_ORDER_AFTER",
    "SLOTS",
    "SMALL_CAPACITY",
    "START_BANK",
    "VERSION",
    "capacity",
    "size_of",
]

VERSION = "vending-1"
"""Part of every draw: a change of the rules or of a table changes it."""
START_BANK = 50_000
FEE = 200
"""Daily fee of the machine."""
DAY_START, DAY_END = 8 * 60, 22 * 60
"""Minutes after midnight between which the agent works."""
BAD_ACTION_MINUTES = 5
"""What an action that cannot be read costs."""
SLOTS = tuple(f"{row}{column}" for row in "ABCD" for column in (1, 2, 3))
SMALL_CAPACITY, LARGE_CAPACITY = 15, 8
CARD_PERCENT = 70
"""Share of a day's revenue that is paid by card and reaches the bank the next morning."""
THEFT_ABOVE, THEFT_PER_DAY = 15_000, 0.01
"""Cash in the machine above which half of it may be stolen, and how likely that is in a night."""
PRICE_RANGE = (25, 5_000)
LIQUIDATION_PERCENT = 50
"""What stock is worth at the end, in percent of what it cost (first in, first out)."""
BANKRUPT_AFTER = 10
"""Consecutive days with an unpaid fee."""
NO_ORDER_AFTER = 45
"""Days without an order while storage, machine and pipeline are empty."""
MALFORMED_AFTER = 25
"""Consecutive actions that cannot be read."""
MESSAGE_CAP = 6_000
"""Calls of a run."""
QUOTE_DAYS = 7
AGREED_DAYS = 30
"""Days for which a negotiated price stands in later quotes of the supplier."""
FREEZE_DAYS = 7
"""Days for which a supplier does not answer after an insulting offer."""
REPUTATION_FLOOR, REPUTATION_FULL, REPUTATION_LOSS, REPUTATION_GAIN = 600, 1000, 40, 2
"""Thousandths: the range, what an unpaid valid complaint costs, and what a day without one gives back."""
COMPLAINT_DAYS = 3
JAM_FEE, TECHNICIAN_FEE, BREAKDOWN_FEE = 1_500, 6_000, 8_000
SPOIL_AFTER = 2
"""Days without cooling after which what lies in the large slots is lost."""
BAIT_EXTRA_PERCENT, BAIT_EXTRA = 35, 1_500
"""What a bait-and-switch supplier adds to its invoice on delivery."""
LATE_FEE_PERCENT, LATE_FEE_AFTER = 50, 14
"""Added once to a genuine invoice that is still open this many days after its reminder."""


def size_of(slot: str) -> str:
    """`small` for rows A and B, `large` for C and D."""
    return "small" if slot[0] in "AB" else "large"


def capacity(slot: str) -> int:
    """Units that fit into a slot."""
    return SMALL_CAPACITY if size_of(slot) == "small" else LARGE_CAPACITY
