"""Tools at the desk: status, ledger and mail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from memarena_aha.vending.almanac import WEEKDAYS, weekday
from memarena_aha.vending.arguments import Argument
from memarena_aha.vending.digest import notices
from memarena_aha.vending.refusal import Refused
from memarena_aha.vending.rules import DAY_END
from memarena_aha.vending.state import Letter
from memarena_aha.vending.tools.tool import Tool

if TYPE_CHECKING:
    from memarena_aha.vending.world import World

__all__ = ["DESK"]


def _get_status(world: World, args: dict[str, Any]) -> dict[str, Any]:
    state = world.state
    return {
        "day": state.day,
        "days_in_all": world.scenario.horizon,
        "weekday": WEEKDAYS[weekday(state.day)],
        "weather": world.hidden.weather[state.day],
        "bank": state.bank,
        "unpaid_days": state.unpaid_days,
        "minutes_left": DAY_END - state.minute,
        "unread_mail": sum(not mail.read for mail in state.inbox),
        "notices": notices(state),
    }


def _get_ledger(world: World, args: dict[str, Any]) -> dict[str, Any]:
    return {"entries": [msgspec.to_builtins(entry) for entry in world.state.ledger[-args["n"] :]]}


def _list_emails(world: World, args: dict[str, Any]) -> dict[str, Any]:
    mails = [mail for mail in reversed(world.state.inbox) if not (args["unread_only"] and mail.read)]
    return {
        "emails": [
            {"id": mail.id, "day": mail.day, "from": mail.sender, "subject": mail.subject, "read": mail.read}
            for mail in mails[: args["limit"]]
        ]
    }


def _read_email(world: World, args: dict[str, Any]) -> dict[str, Any]:
    for mail in reversed(world.state.inbox):
        if mail.id == args["id"]:
            mail.read = True
            shown = {"id": mail.id, "day": mail.day, "from": mail.sender, "subject": mail.subject, "body": mail.body}
            return shown | {"attachment": mail.attachment}
    raise Refused("unknown_email", f"there is no mail {args['id']}")


def _send_email(world: World, args: dict[str, Any]) -> dict[str, Any]:
    state = world.state
    slow = world.hidden.streams.uniform("reply", state.day, args["to"]) < 0.15
    state.outbox.append(Letter(day=state.day, due=state.day + 1 + slow, **args))
    return {"queued": True}


DESK = (
    Tool(
        name="get_status",
        minutes=5,
        about="Day, weather, bank in cents, unpaid days, minutes left today, unread mail, notices.",
        run=_get_status,
        reads=True,
    ),
    Tool(
        name="get_ledger",
        minutes=5,
        about="The last n rows of the bank's ledger, in cents.",
        run=_get_ledger,
        arguments={"n": Argument(kind="int", about="rows", low=1, high=50, default=20)},
        reads=True,
    ),
    Tool(
        name="list_emails",
        minutes=5,
        about="Headers of mails, newest first.",
        run=_list_emails,
        arguments={
            "unread_only": Argument(kind="flag", about="only those not read", default=True),
            "limit": Argument(kind="int", about="at most this many", low=1, high=50, default=20),
        },
        reads=True,
    ),
    Tool(
        name="read_email",
        minutes=5,
        about="One mail in full, with its attachment in fields.",
        run=_read_email,
        arguments={"id": Argument(kind="text", about="id of the mail", low=1, high=20)},
        reads=True,
    ),
    Tool(
        name="send_email",
        minutes=25,
        about="Write a mail; suppliers answer the next morning or the one after.",
        run=_send_email,
        arguments={
            "to": Argument(kind="text", about="address", low=3, high=100),
            "subject": Argument(kind="text", about="subject", high=150),
            "body": Argument(kind="text", about="text", low=1, high=1500),
        },
    ),
)
