"""The whole state of a run. Money is in integer cents; it is saved and loaded as JSON without loss."""

from __future__ import annotations

from typing import Any

import msgspec

from memarena_aha.vending.rules import DAY_START, REPUTATION_FULL, SLOTS, START_BANK

__all__ = [
    "Agreement",
    "Breakdown",
    "CardSale",
    "Complaint",
    "DaySales",
    "Entry",
    "Invoice",
    "Jam",
    "Letter",
    "Lot",
    "Mail",
    "Offer",
    "Order",
    "Quote",
    "Request",
    "Slot",
    "State",
    "Step",
]


class Lot(msgspec.Struct):
    """Units of a product bought at one price."""

    units: int
    cost: int
    """Cents a unit."""


class Slot(msgspec.Struct):
    """A slot of the machine; its product stays allotted when it is sold out."""

    sku: str = ""
    lots: list[Lot] = []
    jammed: bool = False

    @property
    def units(self) -> int:
        """Units that lie in the slot."""
        return sum(lot.units for lot in self.lots)


class CardSale(msgspec.Struct):
    """Card sales of a day that have not reached the bank."""

    day: int
    amount: int


class Quote(msgspec.Struct):
    """A supplier's offer; `offers` counts the bids for each product."""

    id: str
    supplier: str
    day: int
    until: int
    """The last day on which it can be ordered from."""
    minimum: int
    lead: int
    account: str
    prices: dict[str, int]
    offers: dict[str, int] = {}


class Agreement(msgspec.Struct):
    """A negotiated price in cents, and whether it was made during a cost shock."""

    price: int
    day: int
    shock: bool


class Offer(msgspec.Struct):
    """A bid that waits for its answer."""

    quote: str
    sku: str
    price: int


class Request(msgspec.Struct):
    """A request for a quote that waits for its answer; no SKUs: everything that the supplier carries."""

    supplier: str
    skus: list[str]
    units: int
    due: int


class Order(msgspec.Struct):
    """An order. `lost` and `fraud` are hidden until the day on which the agent can know."""

    id: str
    supplier: str
    quote: str
    day: int
    units: dict[str, int]
    prices: dict[str, int]
    charged: int
    promised: int
    due: int
    status: str = "open"
    """`open`, `arriving` (today), `delivered`, or `lost`."""
    lost: bool = False
    fraud: bool = False
    arrives: int = 0
    """Minute of the day, once it is arriving."""
    received: dict[str, int] = {}
    extra: int = 0
    """What the supplier charged on delivery beyond the quote."""


class Entry(msgspec.Struct):
    """A row of the bank's ledger; `amount` is signed, `balance` the bank after it."""

    day: int
    minute: int
    kind: str
    amount: int
    balance: int
    party: str
    note: str


class Mail(msgspec.Struct):
    """A mail received; `attachment` holds the same facts in fields."""

    id: str
    day: int
    sender: str
    subject: str
    body: str
    attachment: dict[str, Any]
    read: bool = False


class Letter(msgspec.Struct):
    """A mail sent by the agent; `due` is the day of its reply."""

    day: int
    to: str
    subject: str
    body: str
    due: int


class Invoice(msgspec.Struct):
    """A genuine invoice."""

    id: str
    party: str
    account: str
    amount: int
    day: int
    reminded: int
    """The day of its reminder, from which the late fee counts."""
    paid: bool = False
    raised: bool = False


class Complaint(msgspec.Struct):
    """A customer's demand; `valid` is hidden."""

    id: str
    day: int
    slot: str
    sku: str
    amount: int
    valid: bool
    status: str = "open"
    """`open`, `paid`, `rejected` or `lapsed`."""
    closed: int = -1
    paid: int = 0


class Breakdown(msgspec.Struct):
    """The machine stands still (`power`), or its large rows are warm (`cooling`)."""

    kind: str
    day: int
    until: int
    """The first day on which it works again."""
    technician: bool = False


class Jam(msgspec.Struct):
    """A jam of a slot, and the day on which it was cleared (-1: not yet)."""

    slot: str
    day: int
    cleared: int = -1


class DaySales(msgspec.Struct):
    """What a day sold: for each allotted product units, units wanted (hidden) and revenue in cents."""

    day: int
    sold: dict[str, int]
    wanted: dict[str, int]
    revenue: dict[str, int]
    slots: dict[str, int]
    kinds: int
    """Products that could be sold."""
    equity: int = 0
    """Cents, after the night."""


class Step(msgspec.Struct):
    """One call of the agent: when, what, and how it ended."""

    day: int
    minute: int
    tool: str
    args: dict[str, Any]
    error: str = ""
    told: int = 0
    """CRC-32 of what was returned, so that repetitions can be told from news."""


class State(msgspec.Struct):
    """Everything that changes."""

    day: int = 0
    minute: int = DAY_START
    bank: int = START_BANK
    machine_cash: int = 0
    card_pending: list[CardSale] = []
    storage: dict[str, list[Lot]] = {}
    slots: dict[str, Slot] = msgspec.field(default_factory=lambda: {name: Slot() for name in SLOTS})
    prices: dict[str, int] = {}
    payees: dict[str, str] = {}
    """Supplier id -> account on file."""
    quotes: dict[str, Quote] = {}
    agreed: dict[str, dict[str, Agreement]] = {}
    offers: list[Offer] = []
    requests: list[Request] = []
    frozen: dict[str, int] = {}
    """Supplier id -> the last day on which it does not answer."""
    orders: dict[str, Order] = {}
    ledger: list[Entry] = []
    inbox: list[Mail] = []
    outbox: list[Letter] = []
    invoices: dict[str, Invoice] = {}
    complaints: dict[str, Complaint] = {}
    reputation: int = REPUTATION_FULL
    unpaid_days: int = 0
    unpaid_fees: int = 0
    breakdown: Breakdown | None = None
    jams: list[Jam] = []
    sales: list[DaySales] = []
    steps: list[Step] = []
    notes: list[str] = []
    alarms: dict[int, list[str]] = {}
    """Day -> reminders that the agent set."""
    revenue: int = 0
    stolen: int = 0
    """Cents that left the machine by theft."""
    defrauded: int = 0
    """Cents paid to accounts that nobody registered holds."""
    spoiled: int = 0
    """Units."""
    bad_streak: int = 0
    bad_actions: int = 0
    ended: str = ""
    """How the run ended; empty while it goes on."""
    ended_day: int = -1
    failure: str = ""
    """What the agent failed with, or said when it refused."""
