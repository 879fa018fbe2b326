"""The settings of a run as flags of a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from memarena.run_settings import OPTION_FLAGS, SETTINGS, SWITCH, Setting

F = TypeVar("F", bound=Callable[..., Any])

LONG = {"-d": "--data", "-a": "--adapter", "-o": "--option"}
"""The long names of short flags."""


class _Switch(click.Choice[str]):
    """`on` or `off`, as a bool."""

    def __init__(self) -> None:
        super().__init__(("on", "off"))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if isinstance(value, bool) else super().convert(value, param, ctx) == "on"


def setting_options(*names: str) -> Callable[[F], F]:
    """One flag a setting of these names, or of all; a flag that is not given leaves the setting to the environment, the
    file or its default."""

    def decorate(command: F) -> F:
        for setting in reversed(SETTINGS):
            if not names or setting.name in names:
                command = _option(setting)(command)
        return command

    return decorate


def _option(setting: Setting) -> Callable[[F], F]:
    names = [setting.flag, LONG[setting.flag]] if setting.flag in LONG else [setting.flag]
    if setting.name in OPTION_FLAGS:
        return click.option(*names, setting.name, is_flag=True, default=None, help=setting.about)
    several = isinstance(setting.default, tuple)
    shown = f" [default: {_shown(setting.default)}]" if setting.default not in (None, ()) else ""
    kind: Any = _Switch() if setting.kind is SWITCH else int if setting.kind.parse is int else str
    return click.option(
        *names, setting.name, multiple=several, type=kind, default=() if several else None, help=setting.about + shown
    )


def _shown(default: Any) -> str:
    return {True: "on", False: "off"}.get(default, str(default)) if isinstance(default, bool) else str(default)
