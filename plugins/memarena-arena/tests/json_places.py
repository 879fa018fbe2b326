"""Whether the JSON path of a finding leads to a place of the file that it is about."""

from __future__ import annotations

import json
import re
from typing import Any

_STEP = re.compile(r"\.(?P<name>[A-Za-z_]\w*)|\['(?P<quoted>(?:[^'\\]|\\.)*)'\]|\[(?P<index>\d+)\]")


def leads_somewhere(text: str, path: str) -> bool:
    """Whether `path` leads to a value of the JSON `text`, or to a member that an object does not have (or is null).

    True where the standard library cannot read `text`.
    """
    try:
        return leads_to(json.loads(text), path)
    except ValueError:
        return True


def leads_to(tree: Any, path: str) -> bool:
    """The same for the value `tree`."""
    place = 1
    while place < len(path):
        step = _STEP.match(path, place)
        if step is None:
            return path[place:] == "…"
        place = step.end()
        if step["index"] is not None:
            if not isinstance(tree, list) or int(step["index"]) >= len(tree):
                return False
            tree = tree[int(step["index"])]
        else:
            name = step["name"] or re.sub(r"\\(.)", r"\1", step["quoted"] or "")
            if tree is None or (isinstance(tree, dict) and name not in tree):
                return True
            if not isinstance(tree, dict):
                return False
            tree = tree[name]
    return path.startswith("$")
