"""All families, found by the names of their files; each is imported when it is asked for."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from memarena.errors import UsageError
from memarena_aha.euler import families
from memarena_aha.euler.family import Family

__all__ = ["all_families", "family", "family_ids"]

NAME = re.compile(r"f(\d\d)_\w+")


@cache
def _modules() -> dict[str, str]:
    """Names of modules by family id, in order."""
    names = (module.name for module in iter_modules(families.__path__))
    return {f"F{found[1]}": name for name in sorted(names) if (found := NAME.fullmatch(name))}


def family_ids() -> tuple[str, ...]:
    """`F01`, `F02`, ...; nothing is imported."""
    return tuple(_modules())


@cache
def family(family_id: str) -> Family:
    """A family by id; raises UsageError for one that does not exist."""
    name = _modules().get(family_id.upper())
    if name is None:
        raise UsageError(f"no Euler family {family_id!r}: there are {', '.join(family_ids())}")
    found = import_module(f"{families.__name__}.{name}").FAMILY
    assert isinstance(found, Family) and found.family_id == family_id.upper(), f"{name} holds another family"
    return found


def all_families() -> tuple[Family, ...]:
    """Every family, in order of ids."""
    return tuple(family(family_id) for family_id in family_ids())
