"""What the files of a language hold, as they are: `common.toml`, `scripts.toml`, and one a domain."""

from __future__ import annotations

from collections.abc import Mapping

from memarena.records import Record
from memarena_builder.packs.schema import Attribute, Halves, Script


class Shared(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all domains of a language have: `common.toml`."""

    attribute: tuple[Attribute, ...]


class Scripts(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The scripts of all domains of a language: `scripts.toml`."""

    script: tuple[Script, ...]


class Domain(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What only one domain has: the file of its name. From `reasons` on, packs of this package have theirs in the files
    of the language; one's own have all in one."""

    domain: str
    working: bool = True
    settings: tuple[str, ...]
    roles: tuple[str, ...]
    project_names: tuple[str, ...]
    device_names: tuple[str, ...]
    thing: str
    thing_names: tuple[str, ...]
    without: tuple[str, ...] = ()
    """Names of shared attributes that it does not have."""
    attribute: tuple[Attribute, ...] = ()
    pools: Mapping[str, tuple[str, ...]] = {}
    reasons: tuple[str, ...] = ()
    """Why the user writes, as whole sentences."""
    one: str = ""
    """How one of the kind `thing` is called; "": by the name of the kind."""
    article: str = ""
    """How the `{name}` of such a thing stands within a sentence, e.g. `the {name}`; "": as it is."""
    topics: tuple[str, ...] = ()
    """What leads into a thread about such things, as whole sentences."""
    chat: tuple[tuple[str, ...], ...] = ()
    """Exchanges that tell nothing, for this domain alone."""
    script: tuple[Script, ...] = ()
    halves: Mapping[str, Halves] = {}
