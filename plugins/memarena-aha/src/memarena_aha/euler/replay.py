"""Reads a program out of a text and runs it with other slots, where it is nothing but arithmetic.

Only programs of a narrow kind are run: functions and loops over numbers, lists and dictionaries, a few plain libraries,
no attribute but those of such values. They get a process of their own with limits; what is not of this kind is left.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["Program", "adapted", "programs_in", "replay"]

SECONDS = 60.0
LIBRARIES = frozenset({"bisect", "collections", "functools", "heapq", "itertools", "math"})
METHODS = re.compile(
    "add|append|appendleft|bit_count|bit_length|clear|copy|count|discard|extend|get|index|insert|items|join|keys|pop"
    "|popleft|remove|reverse|setdefault|sort|union|update|values"
)
"""Attributes that a program may name, beside those of the libraries."""
BUILTINS = (
    "abs all any bool bytearray bytes dict divmod enumerate filter float frozenset int isinstance iter len list map max"
    " min next pow print range reversed round set slice sorted str sum tuple zip"
)
START = f"""
import builtins, resource, sys
for name, value in (("CPU", {int(SECONDS)}), ("FSIZE", 1 << 16), ("CORE", 0), ("AS", 1 << 30)):
    if name == "AS" and sys.platform != "linux":
        continue  # other systems count what is only reserved
    resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, value))
names = {{name: getattr(builtins, name) for name in {BUILTINS!r}.split()}}
names["__import__"] = __import__
exec(compile(sys.stdin.read(), "program", "exec"), {{"__name__": "__main__", "__builtins__": names}})
"""
_FENCE = re.compile(r"```python\n(.*?)\n```", re.DOTALL)


class Program(NamedTuple):
    """A program as it stood in a text: its slots, and what is done with them."""

    slots: Mapping[str, Any]
    body: str


def programs_in(text: str) -> list[Program]:
    """The programs between fences in a text, in order, that are whole and of the kind that can be run."""
    found = []
    for source in _FENCE.findall(text):
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if _plain(tree):
            program = _parted(tree)
            if program.slots:
                found.append(program)
    return found


def adapted(program: Program, slots: Mapping[str, Any]) -> str:
    """The source of the program with other slots."""
    return "\n".join([*(f"{name} = {_literal(value)!r}" for name, value in slots.items()), program.body])


def replay(program: Program, slots: Mapping[str, Any]) -> str:
    """What the program prints with these slots; "" where it fails or takes too long."""
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", START],
            input=adapted(program, slots),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            env={},
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout if done.returncode == 0 else ""


def _parted(tree: ast.Module) -> Program:
    """The leading lines `name = number` (or a list of them), and all that follows."""
    slots: dict[str, Any] = {}
    rest = list(tree.body)
    while rest:
        match rest[0]:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                try:
                    slots[name] = ast.literal_eval(value)
                except ValueError:
                    break
                rest.pop(0)
            case _:
                break
    return Program(slots, ast.unparse(ast.Module(body=rest, type_ignores=[])))


def _plain(tree: ast.Module) -> bool:
    """True where a program can do nothing but arithmetic."""
    imported: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                if any(one.name not in LIBRARIES or one.asname for one in names):
                    return False
                imported.update(one.name for one in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                if (
                    level
                    or module not in LIBRARIES
                    or any(one.name.startswith("_") or one.name == "*" for one in names)
                ):
                    return False
            case ast.Attribute(value=value, attr=attr):
                of_library = isinstance(value, ast.Name) and value.id in imported and not attr.startswith("_")
                if not METHODS.fullmatch(attr) and not of_library:
                    return False
            case ast.Name(id=name) if name.startswith("__"):
                return False
            case (
                ast.Global()
                | ast.AsyncFunctionDef()
                | ast.ClassDef()
                | ast.With()
                | ast.Try()
                | ast.Await()
                | ast.Match()
            ):
                return False
            case _:
                pass
    return True


def _literal(value: Any) -> Any:
    """JSON as Python writes it: rows are tuples."""
    if isinstance(value, list | tuple):
        return tuple(_literal(one) for one in value)
    if isinstance(value, Mapping):
        return {name: _literal(one) for name, one in value.items()}
    return value
