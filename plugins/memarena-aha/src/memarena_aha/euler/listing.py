"""Solvers as programs of their own: the source of a function and of all that it calls."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

__all__ = ["PACKAGE", "chained_program", "program"]

PACKAGE = "memarena_aha."
"""What is written out in full; all else is imported by the program."""
FAMILIES = "memarena_aha.euler.families."
"""Modules whose names are kept apart where several stand in one program."""
CHAIN = """
answers = []
for node in nodes:
    slots = dict(node['slots'])
    for port, parents, low, high in node['carries']:
        slots[port] = low + sum(answers[parent] for parent in parents) % (high - low + 1)
    solve, repair = solvers[' '.join(sorted(slots))]
    answers.append(solve(**(repair(**slots) if node['carries'] else slots)))
print(*answers)
""".strip()


def program(solver: Callable[..., int], params: Mapping[str, object], fixed: Mapping[str, object] = {}) -> str:
    """Slots first, one a line, then the functions, then a line that prints the answer; `fixed` stands in that line."""
    slots = "\n".join(f"{name} = {value!r}" for name, value in params.items())
    given = ", ".join([*params, *(f"{name}={value!r}" for name, value in fixed.items())])
    return _joined(slots, *_sources((("", solver),)), f"print({solver.__name__}({given}))")


def chained_program(
    solvers: Mapping[str, tuple[Callable[..., int], Callable[..., Any]]], nodes: Sequence[Mapping[str, Any]]
) -> str:
    """The nodes first, then all functions, then a loop that solves one node after the other and prints all answers.

    `solvers`: by a prefix for their names, the solver and the repair of each family. A node has its `slots`, and
    `carries`: port, parents, lowest and highest value.
    """
    wanted = tuple((f"{prefix}_", function) for prefix, pair in solvers.items() for function in pair)
    rows = ", ".join(
        f"{' '.join(sorted(inspect.signature(solve).parameters))!r}: ({_called(f'{prefix}_', solve)},"
        f" {_called(f'{prefix}_', repair)})"
        for prefix, (solve, repair) in solvers.items()
    )
    return _joined(f"nodes = {list(nodes)!r}", *_sources(wanted), f"solvers = {{{rows}}}\n{CHAIN}")


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"


@cache
def _sources(wanted: tuple[tuple[str, Callable[..., Any]], ...]) -> tuple[str, str, str]:
    """The imports, the functions (called ones first), and the constants: slots alone stand at the top of a program."""
    lines: dict[str, None] = {}
    functions: dict[str, str] = {}
    for prefix, function in wanted:
        _collect(function, prefix, lines, functions)
    imports = sorted(line for line in lines if " = " not in line)
    constants = sorted(line for line in lines if " = " in line)
    return "\n".join(imports), "\n\n".join(functions.values()), "\n".join(constants)


def _called(prefix: str, function: Callable[..., Any]) -> str:
    """The name of a function in a program."""
    assert isinstance(function, FunctionType), f"{function!r} is not a plain function"
    return (prefix if function.__module__.startswith(FAMILIES) else "") + function.__name__


def _collect(function: Callable[..., Any], prefix: str, lines: dict[str, None], functions: dict[str, str]) -> None:
    """Add a function after what it needs."""
    assert isinstance(function, FunctionType), f"{function!r} is not a plain function"
    own = _called(prefix, function)
    if own in functions:
        return
    functions[own] = ""
    renamed = {function.__name__: own}
    for name in sorted(set(_names(function.__code__)) & function.__globals__.keys()):
        value = function.__globals__[name]
        if isinstance(value, FunctionType) and value.__module__.startswith(PACKAGE):
            _collect(value, prefix, lines, functions)
            renamed[name] = _called(prefix, value)
        elif isinstance(value, ModuleType):
            lines[f"import {name}"] = None
        elif callable(value):
            module = value.__module__.lstrip("_")  # `_heapq` holds what `heapq` gives out
            lines[f"from {module} import {name}"] = None
        else:
            renamed[name] = (prefix if function.__module__.startswith(FAMILIES) else "") + name
            lines[f"{renamed[name]} = {value!r}"] = None
    del functions[own]
    functions[own] = _plain(function, renamed)


def _names(code: CodeType) -> Iterator[str]:
    """All names that a function looks up, also in functions inside it."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _plain(function: FunctionType, renamed: Mapping[str, str]) -> str:
    """The bare source: types would ask for imports of their own, and a memory has little room."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return ast.unparse(ast.fix_missing_locations(_Rewritten(renamed).visit(tree)))


class _Rewritten(ast.NodeTransformer):
    """Takes annotations and docstrings away, and changes names."""

    def __init__(self, renamed: Mapping[str, str]) -> None:
        self.renamed = renamed

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        node.name = self.renamed.get(node.name, node.name)
        if ast.get_docstring(node) is not None:
            del node.body[0]
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.renamed.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        self.generic_visit(node)
        return ast.Assign(targets=[node.target], value=node.value)
