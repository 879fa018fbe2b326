"""Reads the fields that the public data sets share: texts, lists, turns, questions and answers."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

from memarena.records import Turn
from memarena_arena.faults import Faults, kind_of, quoted
from memarena_arena.jsonpath import child
from memarena_arena.public.likeness import plain
from memarena_arena.times import KnownTimes

ROLES = frozenset({"user", "assistant", "system"})
"""Any other role is kept, and reported."""


class Unread:
    """Says once a pass of each field that nobody knows: a misspelt one hides what it holds."""

    def __init__(self) -> None:
        self._told: set[tuple[str, str]] = set()

    def tell(self, raw: Mapping[str, Any], known: Collection[str], what: str, path: str, faults: Faults) -> None:
        """`what`: the kind of object that `raw` is, e.g. `turn`."""
        for key in raw.keys() - known:
            if (what, key) not in self._told:
                self._told.add((what, key))
                faults.note("unread_field", f"this field of a {what} is not read", child(path, key))


def an_object(given: Any, what: str, path: str, faults: Faults) -> dict[str, Any] | None:
    """`given` if it is an object; else None and a refusal."""
    if isinstance(given, dict):
        return given
    faults.refuse("not_an_object", f"a {what} is an object, not {kind_of(given)}", path)
    return None


def a_list(raw: Mapping[str, Any], key: str, path: str, faults: Faults, *, need: bool = True) -> list[Any]:
    """The list under `key`; empty with a refusal where there is none. Without `need` it may be absent or null."""
    given = raw.get(key)
    if isinstance(given, list):
        return given
    if need or given is not None:
        faults.refuse("not_a_list", f"a list is needed, not {kind_of(given)}", child(path, key))
    return []


def each(given: Any, path: str) -> list[tuple[str, Any]]:
    """The elements of `given`, which stands at `path`, with their paths; what is no list is the only element."""
    if isinstance(given, list):
        return [(f"{path}[{number}]", item) for number, item in enumerate(given)]
    return [(path, given)]


def a_text(raw: Mapping[str, Any], key: str, path: str, faults: Faults) -> str:
    """The text under `key`, "" where it is absent or null; anything else is left out with a warning."""
    given = raw.get(key)
    if isinstance(given, str):
        return given
    if given is not None:
        faults.warn("odd_value", f"a text is needed, not {kind_of(given)}; left out", child(path, key))
    return ""


def a_flag(raw: Mapping[str, Any], key: str, path: str, faults: Faults) -> bool:
    """The flag under `key`: absent and null are false, and the texts `True` and `False` what they say."""
    given = raw.get(key)
    if given is None or isinstance(given, bool):
        return bool(given)
    said = given.strip().lower() if isinstance(given, str) else ""
    if said not in ("true", "false"):
        faults.warn("odd_flag", f"{quoted(given)} is neither true nor false; read as false", child(path, key))
    return said == "true"


def a_question(raw: Mapping[str, Any], path: str, faults: Faults, key: str = "question") -> str:
    """The text of a question without outer blanks; "" with a refusal where there is none."""
    given = raw.get(key)
    if not isinstance(given, str) or not given.strip():
        faults.refuse("no_question", "a question needs a text that is not empty", child(path, key))
        return ""
    if given != given.strip():
        faults.note("blank_around_question", "blanks around it, taken away", child(path, key))
    return given.strip()


def answers(given: Any, path: str, faults: Faults) -> tuple[str, ...]:
    """The answers that `given` (a text, a number, or a list of them) tells, each without outer blanks.

    () with a refusal where there is none. A list of several is reported: any of them is right.
    """
    if isinstance(given, list):
        found = tuple(text for number, item in enumerate(given) for text in _answer(item, f"{path}[{number}]", faults))
        if len(found) > 1:
            faults.note("several_answers", "any of them is right", path)
    else:
        found = _answer(given, path, faults)
    if not found:
        faults.refuse("no_answer", "a question needs an answer: a text or a number", path)
    return found


def either(found: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The first of the right answers, and the others that say something else; "" where there is none."""
    kept: dict[str, str] = {}
    for text in found:
        kept.setdefault(plain(text) or text, text)
    first, *others = kept.values() or ("",)
    return first, tuple(others)


def _answer(given: Any, path: str, faults: Faults) -> tuple[str, ...]:
    if isinstance(given, str):
        text = given.strip()
        if text and text != given:
            faults.note("blank_around_answer", "blanks around it, taken away", path)
        return (text,) if text else ()
    if isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given):
        faults.note("number_answer", "a number, read as text", path)
        return (str(given),)
    return ()


class TurnReader:
    """Reads the turns `{role, content}` of one sample, whatever the fields are called."""

    def __init__(self, role: str, content: str, faults: Faults) -> None:
        self._role = role
        self._content = content
        self._faults = faults

    def read(
        self, given: Any, session_id: str, index: int, path: str, *, time: str | None = None, speaker: str = ""
    ) -> Turn | None:
        """The turn `<session_id>:T<index>`; None with a refusal where its text is no text.

        `speaker`: the name of the user where it is known.
        """
        raw = an_object(given, "turn", path, self._faults)
        if raw is None:
            return None
        body = raw.get(self._content, "")
        if not isinstance(body, str):
            problem = f"what was said must be a text, not {kind_of(body)}"
            self._faults.refuse("text_not_a_text", problem, child(path, self._content))
            return None
        if not body.strip():
            self._faults.warn("empty_text", "the turn says nothing", child(path, self._content))
        role = self._read_role(raw, path)
        return Turn(
            turn_id=f"{session_id}:T{index:03}",
            session_id=session_id,
            index=index,
            role=role,
            speaker=speaker if role == "user" else "",
            text=body,
            body=body,
            time=time,
        )

    def _read_role(self, raw: Mapping[str, Any], path: str) -> str:
        given = raw.get(self._role)
        role = given.strip().lower() if isinstance(given, str) else ""
        if not role:
            self._faults.warn("no_role", "the turn names no role; it is the user's", child(path, self._role))
        elif role not in ROLES:
            self._faults.warn("odd_role", f"{quoted(given)} is kept as it is", child(path, self._role))
        return role or "user"


def a_time(raw: Mapping[str, Any], key: str, path: str, faults: Faults, times: KnownTimes) -> str | None:
    """The time under `key` as given; None where it is absent. One that nothing can read is kept, and reported."""
    given = raw.get(key)
    if given is None or given == "":
        return None
    if not isinstance(given, str):
        faults.warn("odd_time", f"a time is a text, not {kind_of(given)}; left out", child(path, key))
        return None
    if not times.check(given):
        faults.warn("odd_time", f"{quoted(given)} is kept as it is", child(path, key))
    return given
