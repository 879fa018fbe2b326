"""Quotes, bargaining and orders. Every price comes from here; no text can move one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memarena_aha.vending.letters import deliver, dollars
from memarena_aha.vending.money import next_id, pay
from memarena_aha.vending.refusal import Refused
from memarena_aha.vending.rules import AGREED_DAYS, FREEZE_DAYS, QUOTE_DAYS
from memarena_aha.vending.state import Agreement, Offer, Order, Quote, Request, State
from memarena_aha.vending.suppliers import Supplier, counter_price

if TYPE_CHECKING:
    from memarena_aha.vending.hidden import Hidden

__all__ = ["answer_offer", "answer_request", "order_goods", "standing_price"]


def standing_price(hidden: Hidden, state: State, supplier: Supplier, sku: str) -> int:
    """What a supplier quotes today: its list price, or the price agreed on in the last 30 days."""
    shock = hidden.shock(state.day)
    listed = supplier.list_price(hidden.products[sku], shock)
    agreed = state.agreed.get(supplier.id, {}).get(sku)
    if agreed and agreed.shock == shock and state.day - agreed.day <= AGREED_DAYS:
        return min(listed, agreed.price)
    return listed


def answer_request(hidden: Hidden, state: State, request: Request) -> Quote | None:
    """Send the quote that was asked for; None where the supplier has closed, is silent, or carries none of it."""
    supplier = hidden.suppliers[request.supplier]
    if hidden.closed(supplier.id, state.day):
        deliver(state, "mailer-daemon@post.example", "Undeliverable", f"{supplier.address} does not exist.")
        return None
    if state.frozen.get(supplier.id, -1) >= state.day:
        return None
    asked = [sku for sku in request.skus or sorted(hidden.products) if sku in supplier.carries]
    if not asked:
        deliver(state, supplier.address, "Your request", "We carry none of these products.")
        return None
    quote = Quote(
        id=next_id("Q", len(state.quotes)),
        supplier=supplier.id,
        day=state.day,
        until=state.day + QUOTE_DAYS,
        minimum=supplier.minimum,
        lead=supplier.lead,
        account=hidden.account(supplier.id, state.day),
        prices={sku: standing_price(hidden, state, supplier, sku) for sku in asked},
    )
    state.quotes[quote.id] = quote
    state.payees.setdefault(supplier.id, quote.account)
    _send_quote(hidden, state, supplier, quote, request.units)
    return quote


def answer_offer(hidden: Hidden, state: State, offer: Offer) -> None:
    """Accept, counter, or decline a bid; the standing price of the quote becomes what was answered."""
    quote = state.quotes[offer.quote]
    supplier = hidden.suppliers[quote.supplier]
    if hidden.closed(supplier.id, state.day) or state.frozen.get(supplier.id, -1) >= state.day:
        return
    shock = hidden.shock(state.day)
    product = hidden.products[offer.sku]
    listed, floor = supplier.list_price(product, shock), supplier.floor_price(product, shock)
    facts: dict[str, Any] = {"kind": "answer", "quote": quote.id, "sku": offer.sku, "offer": offer.price}
    if offer.price * 10 < floor * 7:
        state.frozen[supplier.id] = state.day + FREEZE_DAYS
        facts |= {"answer": "declined", "price": quote.prices[offer.sku]}
        text = f"{dollars(offer.price)} for {product.name} is not serious. We will not answer for a while."
    else:
        quote.offers[offer.sku] = quote.offers.get(offer.sku, 0) + 1
        counter = counter_price(listed, floor, quote.offers[offer.sku])
        accepted = offer.price >= counter
        price = min(quote.prices[offer.sku], max(offer.price, floor) if accepted else counter)
        quote.prices[offer.sku] = price
        agreement = Agreement(price=price, day=state.day, shock=shock)
        state.agreed.setdefault(supplier.id, {})[offer.sku] = agreement
        facts |= {"answer": "accepted" if accepted else "counter", "price": price}
        text = f"{product.name} ({offer.sku}): {'agreed,' if accepted else 'we can do'} {dollars(price)} a unit."
    deliver(state, supplier.address, f"Your offer on {quote.id}", text, facts)


def order_goods(hidden: Hidden, state: State, quote_id: str, units: dict[str, int]) -> Order:
    """Charge the bank and place the order.

    Raises `Refused`: unknown_quote, expired_quote, supplier_closed, unknown_sku, below_moq, account_closed,
    insufficient_funds.
    """
    quote = state.quotes.get(quote_id)
    if quote is None:
        raise Refused("unknown_quote", f"there is no quote {quote_id}")
    supplier = hidden.suppliers[quote.supplier]
    _check_order(hidden, state, quote, units)
    account = state.payees[supplier.id]
    known = hidden.holder(account, state.day)
    if account != hidden.account(supplier.id, state.day) and (known or account in _old_accounts(hidden, supplier)):
        raise Refused(
            "account_closed", f"the bank returned the payment: {account} is not an account of {supplier.name}"
        )
    total = sum(quote.prices[sku] * count for sku, count in units.items())
    order_id = next_id("O", len(state.orders))
    if not pay(state, total, "order", account, order_id):
        raise Refused("insufficient_funds", f"the order costs {dollars(total)}, the bank holds {dollars(state.bank)}")
    if known is None:
        state.defrauded += total
    promised = state.day + supplier.lead
    late, lost = _fate(hidden, supplier, state.day)
    due = promised + late
    if hidden.on("weather") and due <= hidden.scenario.horizon and hidden.weather[due] == "storm":
        due += 2
    order = Order(
        id=order_id,
        supplier=supplier.id,
        quote=quote.id,
        day=state.day,
        units=dict(units),
        prices={sku: quote.prices[sku] for sku in units},
        charged=total,
        promised=promised,
        due=due,
        lost=lost,
        fraud=known is None,
    )
    state.orders[order.id] = order
    return order


def _check_order(hidden: Hidden, state: State, quote: Quote, units: dict[str, int]) -> None:
    if quote.until < state.day:
        raise Refused("expired_quote", f"quote {quote.id} was valid to day {quote.until}")
    if hidden.closed(quote.supplier, state.day):
        raise Refused("supplier_closed", f"{hidden.suppliers[quote.supplier].name} is out of business")
    for sku, count in units.items():
        if sku not in quote.prices:
            raise Refused("unknown_sku", f"{sku} is not in quote {quote.id}")
        if count < quote.minimum:
            raise Refused("below_moq", f"{count} of {sku}: the least is {quote.minimum} of a product")


def _fate(hidden: Hidden, supplier: Supplier, day: int) -> tuple[int, bool]:
    """Days late and whether the order is lost, by day and supplier alone."""
    if not hidden.on("delay"):
        return 0, False
    draw = hidden.streams
    flaky = supplier.kind == "flaky"
    lost = flaky and draw.uniform("lost", day, supplier.id) < 0.10
    late = draw.uniform("delay", day, supplier.id) < (0.35 if flaky else 0.12)
    return (draw.between(2, 6, "delay-days", day, supplier.id) if late else 0), lost


def _old_accounts(hidden: Hidden, supplier: Supplier) -> set[str]:
    changes = {reminder.account for reminder in hidden.reminders if reminder.supplier == supplier.id}
    return {supplier.account} | changes


def _send_quote(hidden: Hidden, state: State, supplier: Supplier, quote: Quote, units: int) -> None:
    rows = {
        sku: {
            "name": hidden.products[sku].name,
            "size": hidden.products[sku].size,
            "category": hidden.products[sku].category,
            "unit_price": price,
        }
        for sku, price in quote.prices.items()
    }
    lines = [
        f"{sku} {row['name']} ({row['size']}, {row['category']}): {dollars(quote.prices[sku])}"
        for sku, row in rows.items()
    ]
    note = f"\n{units} a product is below our minimum." if 0 < units < quote.minimum else ""
    body = (
        f"Quote {quote.id}, valid to day {quote.until}. At least {quote.minimum} of a product, "
        f"delivery in {quote.lead} days. Payment to {quote.account}.\n" + "\n".join(lines) + note
    )
    facts = {
        "kind": "quote",
        "quote": quote.id,
        "supplier": supplier.id,
        "valid_to": quote.until,
        "minimum": quote.minimum,
        "lead_days": quote.lead,
        "account": quote.account,
        "products": rows,
    }
    deliver(state, supplier.address, f"Quote {quote.id}", body, facts)
