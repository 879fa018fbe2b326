"""What every plugin but adapters and instruments says of itself."""

from __future__ import annotations

import msgspec

from memarena.testing.checks import Stage, expect


def expect_named(stage: Stage) -> None:
    """Raise CheckFailed unless the plugin has a name, a revision and, where it has `Options`, a Struct."""
    plugin = stage.plugin()
    name, revision = getattr(plugin, "name", None), getattr(plugin, "revision", None)
    expect(isinstance(name, str) and name, f"its name is {name!r}")
    expect(type(revision) is int and revision >= 1, f"its revision is {revision!r}")
    options = getattr(plugin, "Options", None)
    if options is not None:
        expect(isinstance(options, type) and issubclass(options, msgspec.Struct), "Options is no msgspec.Struct")
