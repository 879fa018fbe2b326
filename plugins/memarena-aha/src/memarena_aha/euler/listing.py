"""A solver as a program of its own: the source of the function and of all that it calls."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import CodeType, FunctionType, ModuleType

__all__ = ["PACKAGE", "program"]

PACKAGE = "memarena_aha."
"""What is written out in full; all else is imported by the program."""


def program(solver: Callable[..., int], params: Mapping[str, object]) -> str:
    """Slots first, one a line, then the functions, then a line that prints the answer."""
    slots = "\n".join(f"{name} = {value!r}" for name, value in params.items())
    head, body = _sources(solver)
    call = f"print({solver.__name__}({', '.join(params)}))"
    return "\n\n".join(part for part in (slots, head, body, call) if part) + "\n"


@cache
def _sources(solver: Callable[..., int]) -> tuple[str, str]:
    """The lines of imports and constants, and the functions, called ones first."""
    lines: dict[str, None] = {}
    functions: dict[str, str] = {}
    _collect(solver, lines, functions)
    return "\n".join(sorted(lines, key=lambda line: (" = " in line, line))), "\n\n".join(functions.values())


def _collect(function: Callable[..., object], lines: dict[str, None], functions: dict[str, str]) -> None:
    """Add a function after what it needs."""
    assert isinstance(function, FunctionType), f"{function!r} is not a plain function"
    if function.__name__ in functions:
        return
    functions[function.__name__] = ""
    for name in sorted(set(_names(function.__code__)) & function.__globals__.keys()):
        value = function.__globals__[name]
        if isinstance(value, FunctionType) and value.__module__.startswith(PACKAGE):
            _collect(value, lines, functions)
        elif isinstance(value, ModuleType):
            lines[f"import {name}"] = None
        elif callable(value):
            lines[f"from {value.__module__} import {name}"] = None
        else:
            lines[f"{name} = {value!r}"] = None
    del functions[function.__name__]
    functions[function.__name__] = _plain(function)


def _names(code: CodeType) -> Iterator[str]:
    """All names that a function looks up, also in functions inside it."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _plain(function: FunctionType) -> str:
    """The source without types, which would ask for imports of their own."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return ast.unparse(ast.fix_missing_locations(_Untyped().visit(tree)))


class _Untyped(ast.NodeTransformer):
    """Takes annotations away."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return ast.Assign(targets=[node.target], value=node.value)
