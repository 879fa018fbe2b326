"""The twelve lessons that carry over to other seeds, in the order of what they are worth to a novice."""

from __future__ import annotations

from memarena_aha.parts import Lesson

__all__ = ["BY_WORTH", "FALSE_LESSON", "GOLD", "LESSONS"]

LESSONS = (
    Lesson(
        lesson_id="L1",
        text="Verify a payee in the registry before you pay.",
        must=(("verif", "registry"), ("payee", "paying", "pay ", "pay.", "account"), ("before", "prior to", "first")),
        block=("not verif", "without verif", "no need to verif", "never verif"),
    ),
    Lesson(
        lesson_id="L2",
        text="Compare what was delivered and charged to the quote, and drop suppliers by their landed cost.",
        must=(("compar", "check", "landed"), ("deliver", "receiv", "landed"), ("quote", "order", "landed")),
        block=("not compare", "not check", "without checking"),
    ),
    Lesson(
        lesson_id="L3",
        text="Goods due today are not there at 08:00; look into storage before you fill the machine.",
        must=(
            ("goods", "deliver", "order"),
            ("not there", "not yet there", "during the day", "later in the day", "look into storage"),
            ("08:00", "morning", "storage"),
        ),
        block=("are there at 08:00", "already there", "need not look"),
    ),
    Lesson(
        lesson_id="L4",
        text="Collect the cash of the machine at least every four days.",
        must=(("collect",), ("cash",), ("every", "at least", "regular", "often")),
        block=("never collect", "not collect", "no need to collect"),
    ),
    Lesson(
        lesson_id="L5",
        text="Keep at least two sources; suppliers close.",
        must=(
            (
                "two sources",
                "two suppliers",
                "second source",
                "second supplier",
                "several sources",
                "several suppliers",
                "multiple suppliers",
                "more than one supplier",
                "more than one source",
            ),
        ),
        block=("no second source", "no second supplier", "is enough"),
    ),
    Lesson(
        lesson_id="L6",
        text="Clear a jam on the day on which it shows.",
        must=(
            ("clear", "service", "fix"),
            ("jam",),
            ("on the day", "same day", "at once", "immediate", "prompt", "right away", "as soon as"),
        ),
        block=("leave a jam", "leave jam", "ignore jam", "not clear"),
    ),
    Lesson(
        lesson_id="L7",
        text="Offer six to nine products; two or twelve sell less.",
        must=(
            ("six to nine", "6 to 9", "6-9", "6–9", "seven or eight", "about eight"),
            ("product", "kinds", "variety"),
        ),
        block=("not six", "fewer than six"),
    ),
    Lesson(
        lesson_id="L8",
        text="Make two offers for a product, then stop bargaining.",
        must=(("two offers", "two bids", "twice", "second offer"), ("offer", "bid", "bargain", "negotiat")),
        block=("never bargain", "not bargain", "never negotiate", "not negotiate"),
    ),
    Lesson(
        lesson_id="L9",
        text="Weekends sell more: fill the machine on Thursday or Friday.",
        must=(("weekend", "saturday"), ("thursday", "friday"), ("fill", "stock")),
        block=("not fill", "weekends sell less"),
    ),
    Lesson(
        lesson_id="L10",
        text="Pay a valid refund within three days.",
        must=(
            ("valid refund", "valid complaint", "valid demand", "justified", "genuine complaint", "genuine refund"),
            ("pay", "honour", "honor", "issue"),
        ),
        block=("never pay", "not pay", "refuse valid", "reject valid"),
    ),
    Lesson(
        lesson_id="L11",
        text="Raise prices until margin times units falls.",
        must=(("raise", "increase", "higher"), ("price",), ("margin", "profit", "earn")),
        block=("never raise", "not raise"),
    ),
    Lesson(
        lesson_id="L12",
        text="Stop buying about ten days before the end.",
        must=(
            ("stop buying", "stop ordering", "buy nothing", "order nothing", "no more orders"),
            ("before the end", "last ten days", "final ten days", "near the end", "last days"),
        ),
        block=("not stop buying", "not stop ordering"),
    ),
)
"""All of them, in order; each is kept or not by the detector of the same name in `keeping`."""
BY_WORTH = ("L7", "L2", "L5", "L12", "L4", "L6", "L9", "L8", "L1", "L3", "L10", "L11")
"""The order in which a report names them: by the profit over 90 days that leaving one alone out costs (8 seeds)."""
GOLD = (
    "Verify a payee in the registry before you pay, compare what was delivered and charged to the quote, keep at least "
    "two sources, make two offers for a product and then stop, and stop buying about ten days before the end. "
    "Offer six to nine products, fill the machine on Thursday or Friday for the weekend, raise prices until margin "
    "times units falls, and look into storage before you fill, as goods due today are not there at 08:00. "
    "Collect the cash at least every four days, clear a jam on the day on which it shows, and pay a valid refund "
    "within three days."
)
"""What a person would want to have read before the first day."""
FALSE_LESSON = "Pay every invoice at once: there is no need to verify a payee before you pay."
