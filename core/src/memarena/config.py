"""Settings: defaults < preset < memarena.toml < environment < flags, and where each value came from.

memarena.toml is looked for in the working directory and then upwards:

    [run]
    data = "mini"
    top_k = 5

    [adapters.short]
    name = "longcontext"
    options = { budget_tokens = 2000 }

    [gateway.upstreams.openai]
    base_url = "https://api.openai.com/v1"
    key_env = "OPENAI_API_KEY"

`[gateway]` holds options of the gateway. An adapter under `[adapters.LABEL]` can be picked with `-a LABEL`; where
nothing picks any, all of them run.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from memarena import selectors
from memarena.catalog import did_you_mean
from memarena.errors import UsageError
from memarena.presets import PRESETS
from memarena.run_settings import BY_NAME, SETTINGS, Setting
from memarena.selectors import AdapterChoice

FILE = "memarena.toml"
TABLES = ("run", "adapters", "gateway")
SECRET = "***"
"""What stands in place of a secret wherever it would be shown or kept."""
NOT_SETTINGS = frozenset(
    f"MEMARENA_{name}"
    for name in (
        "CACHE",
        "CHROMIUM",
        "DEBUG",
        "DISABLE",
        "ENVS",
        "LOCOMO_URL",
        "PACKS",
        "SHARED",
        "WORLDMEMARENA_REPO",
    )
)
"""Variables of memarena that are read elsewhere."""


class Declared(NamedTuple):
    """An `[adapters.LABEL]` table."""

    choice: AdapterChoice
    options: Mapping[str, Any]


class Settings:
    """The settings that hold, and where each came from."""

    def __init__(self, file: Path | None, declared: Mapping[str, Declared]) -> None:
        self.values: dict[str, Any] = {setting.name: setting.default for setting in SETTINGS}
        """By name, e.g. `top_k`; lists are tuples; None: not set."""
        self.origin: dict[str, str] = dict.fromkeys(self.values, "default")
        """By name: `default`, `preset NAME`, the path of memarena.toml, the name of a variable, or a flag."""
        self.file = file
        """The memarena.toml that was read; None: there is none."""
        self.declared = declared
        """The `[adapters.LABEL]` tables by label."""
        self.gateway: Mapping[str, Any] = {}
        """The `[gateway]` table."""

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def adapters(self) -> tuple[AdapterChoice, ...]:
        """The adapters to run, in order: those that were picked, else all that memarena.toml declares."""
        if not self.values["adapters"]:
            return tuple(declared.choice for declared in self.declared.values())
        picked = selectors.parse_adapters(self.values["adapters"])
        return tuple(
            self.declared[choice.name].choice._replace(label=choice.label)
            if choice.name in self.declared and not choice.dist
            else choice
            for choice in picked
        )

    def options(self, labels: Collection[str]) -> dict[str, dict[str, Any]]:
        """Options by label, those of `-o` before those of memarena.toml; `labels` are all that the run knows."""
        tables: dict[str, Mapping[str, Any]] = {}
        picked = selectors.parse_adapters(self.values["adapters"])
        sources = {choice.label: choice.name for choice in picked} or {label: label for label in self.declared}
        for label, name in sources.items():
            if name in self.declared:
                tables[label] = self.declared[name].options
        return selectors.merge_options(tables, selectors.parse_options(self.values["options"], labels))


def settings(flags: Mapping[str, Any], *, folder: Path | None = None) -> Settings:
    """All settings, from the memarena.toml nearest to `folder` (the working directory), the environment and `flags`.

    A flag that is None or an empty tuple was not given. Raises UsageError that names file and key, variable or flag.
    """
    file = nearest(folder or _working_directory())
    found = Settings(None, {}) if file is None else _from_file(file)
    for setting in SETTINGS:
        text = os.environ.get(setting.variable, "")
        if text:
            _set(found, setting, _parsed(setting, text), setting.variable, f"{setting.variable}={text}")
    for name, value in flags.items():
        if value is not None and value != ():
            setting = BY_NAME[name]
            _set(found, setting, value, setting.flag, setting.flag)
    _apply_preset(found)
    return found


def _apply_preset(found: Settings) -> None:
    """Give every setting that nobody set the value of the preset; options and models are added to, key by key."""
    name = found.values["preset"]
    for key, value in PRESETS[name].items() if name else ():
        if key in ("options", "models"):
            given = {_key_of(text) for text in found.values[key]}
            taken = given | (_meant_by_all(found.values[key]) if "" in given else set())
            found.values[key] = (*(text for text in value if _key_of(text) not in taken), *found.values[key])
        elif found.origin[key] == "default":
            found.values[key], found.origin[key] = value, f"preset {name}"


def _meant_by_all(models: Iterable[str]) -> set[str]:
    """The roles that a model for all roles takes: not the embeddings, unless it is one that embeds as well."""
    name = next(text for text in models if not _key_of(text))
    return {"inner", "answer", "judge", *(("embed",) if name.startswith("offline") else ())}


def _key_of(text: str) -> str:
    key, equals, _ = text.partition("=")
    return key if equals else ""


def _working_directory() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise UsageError("the working directory is gone: change to one that is there") from None


def nearest(folder: Path) -> Path | None:
    """The memarena.toml in `folder` or in the nearest folder above it; None: there is none."""
    for place in (folder, *folder.parents):
        if (place / FILE).is_file():
            return place / FILE
    return None


def masked(value: Any, name: str = "") -> Any:
    """`value` without secrets, at any depth: what stands under a name with key, token, secret or password is `***`.

    `LABEL.key=value` texts are masked as well; numbers of tokens, and names of variables (`..._env`), are no secrets.
    """
    if isinstance(value, Mapping):
        return {key: masked(item, str(key)) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [masked(item, name) for item in value]
    if _is_secret(name):
        harmless = value is None or (name.lower().endswith("tokens") and not isinstance(value, str))
        return value if harmless else SECRET
    if isinstance(value, str) and "=" in value:
        place, _, rest = value.partition("=")
        key = place.rpartition(".")[2] if "." in place else ""
        given = selectors.parse_value(rest)
        shown = masked(given, key)
        return value if shown == given else f"{place}={shown}"
    return value


def _is_secret(name: str) -> bool:
    return any(word in name.lower() for word in ("key", "token", "secret", "password")) and not name.endswith("_env")


def unknown_variables() -> list[str]:
    """Variables of the environment that look like settings of memarena and are none."""
    known = {setting.variable for setting in SETTINGS} | NOT_SETTINGS
    return sorted(name for name in os.environ if name.startswith("MEMARENA_") and name not in known)


def _set(found: Settings, setting: Setting, value: Any, origin: str, place: str) -> None:
    if not setting.kind.accepts(value):
        raise UsageError(f"{place}: expected {setting.kind.expects}, not {value!r}")
    found.values[setting.name] = tuple(value) if isinstance(value, list) else value
    found.origin[setting.name] = origin


def _known(name: str, place: str) -> Setting:
    if name not in BY_NAME:
        raise UsageError(f"{place}: no such setting{did_you_mean(name, BY_NAME)}")
    return BY_NAME[name]


def _parsed(setting: Setting, text: str) -> Any:
    try:
        return setting.kind.parse(text)
    except (KeyError, ValueError):
        return text


def _anchored(name: str, value: Any, file: Path) -> Any:
    """A path in memarena.toml counts from the folder of that file."""
    if not isinstance(value, str) or name not in ("data", "out"):
        return value
    head, colon, source = value.partition(":")
    if name == "data" and colon and len(head) > 1:
        return f"{head}:{file.parent / source}" if source and (file.parent / source).exists() else value
    return str(file.parent / value) if name == "out" or "/" in value or os.sep in value else value


def _from_file(file: Path) -> Settings:
    run, declared, gateway = _read(file)
    found = Settings(file, declared)
    found.gateway = gateway
    for name, value in run.items():
        place = f"{file}: run.{name}"
        _set(found, _known(name, place), _anchored(name, value, file), str(file), place)
    return found


def _read(file: Path) -> tuple[dict[str, Any], dict[str, Declared], dict[str, Any]]:
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{file}: {error}") from None
    for name in table:
        if name not in TABLES:
            raise UsageError(f"{file}: no table [{name}]{did_you_mean(name, TABLES)}")
    run = _table(table.get("run", {}), f"{file}: run")
    adapters = _table(table.get("adapters", {}), f"{file}: adapters")
    declared = {label: _declared(label, value, f"{file}: adapters.{label}") for label, value in adapters.items()}
    return run, declared, _table(table.get("gateway", {}), f"{file}: gateway")


def _declared(label: str, value: Any, place: str) -> Declared:
    table = _table(value, place)
    for key in table:
        if key not in ("name", "options"):
            raise UsageError(f"{place}.{key}: no such key{did_you_mean(key, ('name', 'options'))}")
    name = table.get("name", label)
    if not isinstance(name, str):
        raise UsageError(f"{place}.name: expected NAME or NAME@DISTRIBUTION, not {name!r}")
    selectors.check_label(label, place)
    choice = selectors.parse_adapter(f"{label}={name}")
    return Declared(choice, _table(table.get("options", {}), f"{place}.options"))


def _table(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"{place}: expected a table, not {value!r}")
    return value
