"""The tools of the agent, one file for each place at which it works."""

from __future__ import annotations

from memarena_aha.vending.tools.buying import BUYING
from memarena_aha.vending.tools.customers import CUSTOMERS
from memarena_aha.vending.tools.days import DAYS
from memarena_aha.vending.tools.desk import DESK
from memarena_aha.vending.tools.machine import MACHINE
from memarena_aha.vending.tools.notebook import NOTEBOOK
from memarena_aha.vending.tools.payments import PAYMENTS
from memarena_aha.vending.tools.tool import Tool

__all__ = ["NOTEBOOK_TOOLS", "TOOLS", "Tool"]

TOOLS: dict[str, Tool] = {
    tool.name: tool for tool in (*DESK, *BUYING, *PAYMENTS, *MACHINE, *CUSTOMERS, *NOTEBOOK, *DAYS)
}
"""All tools by name."""
NOTEBOOK_TOOLS = frozenset(tool.name for tool in NOTEBOOK)
"""Those that a world without a notebook does not have."""
