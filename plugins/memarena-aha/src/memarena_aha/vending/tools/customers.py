"""Tools for customers' complaints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memarena_aha.vending.arguments import Argument
from memarena_aha.vending.complaints import close_complaint
from memarena_aha.vending.money import pay
from memarena_aha.vending.refusal import Refused
from memarena_aha.vending.state import Complaint
from memarena_aha.vending.tools.tool import Tool

if TYPE_CHECKING:
    from memarena_aha.vending.world import World

__all__ = ["CUSTOMERS"]


def _issue_refund(world: World, args: dict[str, Any]) -> dict[str, Any]:
    complaint = _open_complaint(world, args["complaint_id"])
    amount = args["amount"] or complaint.amount
    if not complaint.amount <= 2 * amount <= 2 * complaint.amount:
        raise Refused("bad_amount", f"the customer asks for {complaint.amount} cents and takes no less than half")
    if not pay(world.state, amount, "refund", "customer", complaint.id):
        raise Refused("insufficient_funds", f"the bank holds {world.state.bank} cents")
    complaint.paid = amount
    close_complaint(world.state, complaint, "paid")
    return {"refunded": amount}


def _reject_refund(world: World, args: dict[str, Any]) -> dict[str, Any]:
    close_complaint(world.state, _open_complaint(world, args["complaint_id"]), "rejected")
    return {"rejected": args["complaint_id"]}


def _open_complaint(world: World, complaint_id: str) -> Complaint:
    complaint = world.state.complaints.get(complaint_id)
    if complaint is None:
        raise Refused("unknown_complaint", f"there is no complaint {complaint_id}")
    if complaint.status != "open":
        raise Refused("complaint_closed", f"{complaint_id} is {complaint.status}")
    return complaint


_COMPLAINT = Argument(kind="text", about="id of the complaint, e.g. C0001", low=1, high=20)
CUSTOMERS = (
    Tool(
        name="issue_refund",
        minutes=25,
        about="Pay a customer back; less than asked leaves half of the anger.",
        run=_issue_refund,
        arguments={
            "complaint_id": _COMPLAINT,
            "amount": Argument(kind="int", about="cents; 0: what is asked", low=0, high=100_000, default=0),
        },
    ),
    Tool(
        name="reject_refund",
        minutes=25,
        about="Refuse a customer's demand.",
        run=_reject_refund,
        arguments={"complaint_id": _COMPLAINT},
    ),
)
