"""Whatever is changed in a pack, it is refused with its place, or dialogues can be built from it."""

from __future__ import annotations

import copy

import pytest
from builder_orders import order
from builder_own_packs import forget
from hypothesis import given, settings
from hypothesis import strategies as st

from memarena.errors import DataError
from memarena_builder.lifelong import build_sample
from memarena_builder.packs import load as loading
from memarena_builder.packs.load import REGISTERS, check_all, in_register
from memarena_builder.packs.places import SHARED, read
from memarena_builder.plan.quota import Quota
from memarena_builder.reader.patterns import Grammar

FILES = [(file, language) for language in ("en", "zh") for file in (*SHARED, "health")]
OTHERS = (0, -1, 10**20, 1.5, float("nan"), float("inf"), "", "x", True, [], ["x"], {}, {"a": 1}, [[]], [{}])
"""What may stand in the place of anything."""
NAMES = ("name", "V", "S", "en", "about", "")


def places_in(raw, path=()):
    """The path of everything within lists and tables."""
    for key in raw if isinstance(raw, dict) else range(len(raw)) if isinstance(raw, list) else ():
        yield (*path, key)
        yield from places_in(raw[key], (*path, key))


def ways(parent, key):
    """What somebody may do to what stands there, as functions of the two."""
    value = parent[key]
    yield lambda: parent.pop(key)
    yield from (lambda other=other: parent.__setitem__(key, other) for other in OTHERS)
    if isinstance(parent, dict):
        yield from (lambda name=name: parent.__setitem__(name, parent.pop(key)) for name in (*NAMES, f"{key}x"))
    else:
        yield lambda: parent.append(copy.deepcopy(value))
    if isinstance(value, str):
        for text in (value.replace("{S}", ""), value.replace("{V}", ""), f"{value} {{Z}}", f"{value}{{", f" {value}\n"):
            yield lambda text=text: parent.__setitem__(key, text)
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield from (lambda number=number: parent.__setitem__(key, number) for number in (value * 1000, value // 7, 2))
    if isinstance(value, list):
        yield lambda: parent.__setitem__(key, value[:1])


@st.composite
def mutants(draw):
    """A file of a language with one thing changed, on whatever level."""
    file, language = draw(st.sampled_from(FILES))
    raw = read(file, language)
    by_depth = {}
    for path in places_in(raw):
        by_depth.setdefault(len(path), []).append(path)
    path = draw(st.sampled_from(by_depth[draw(st.sampled_from(sorted(by_depth)))]))
    parent = raw
    for key in path[:-1]:
        parent = parent[key]
    draw(st.sampled_from(list(ways(parent, path[-1]))))()
    return file, language, raw


@pytest.fixture(autouse=True)
def as_it_was():
    yield
    forget()


def loaded(mutant, patched):
    """The pack of the clinic with one file changed; None where it is refused, in one line that names a file."""
    file, language, raw = mutant
    changed = lambda name, of: copy.deepcopy(raw) if (name, of) == (file, language) else read(name, of)  # noqa: E731
    patched.setattr(loading, "_read", changed)
    forget()
    try:
        return check_all("health", language)
    except DataError as error:
        assert error.file.startswith(f"{language}/") and error.problem and "\n" not in str(error)
        return None


@settings(max_examples=40, derandomize=True)
@given(mutants())
def test_a_pack_with_one_thing_changed_is_refused_with_its_place_or_can_be_read(mutant):
    with pytest.MonkeyPatch.context() as patched:
        pack = loaded(mutant, patched)
        if pack:
            both = [in_register("health", pack.language, register=register) for register in REGISTERS]
            assert Grammar(both).statements


@settings(max_examples=8, derandomize=True)
@given(mutants())
def test_from_a_pack_with_one_thing_changed_that_is_not_refused_a_dialogue_is_built(mutant):
    with pytest.MonkeyPatch.context() as patched:
        pack = loaded(mutant, patched)
        if pack:
            quota = Quota(sessions=4, points=6, updates=2, rounds=7, checkpoints=2, language=pack.language)
            built = build_sample(order("health", quota=quota))
            assert built.left == () and len(built.spoken) == 4
