"""What a gateway can be told: plain data, checked before anything starts. Secrets stand here by name only."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from memarena.errors import ModelError, UsageError

RecordMode = Literal["live", "record", "replay", "auto"]
FaultKind = Literal[
    "none", "latency", "429", "429-retry-after", "500", "401", "reset", "junk", "half-json", "cut", "no-usage"
]
PASSING_FAULTS: tuple[FaultKind, ...] = (
    "latency",
    "429",
    "429-retry-after",
    "500",
    "reset",
    "junk",
    "half-json",
    "cut",
    "no-usage",
)
"""Every kind but a refused key, which ends a run."""


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the settings: an unknown key is an error."""


class Upstream(Part, frozen=True, kw_only=True):
    """An OpenAI-compatible server."""

    base_url: str
    """With its version, e.g. `https://api.openai.com/v1`."""
    key_env: str = ""
    """Name of the environment variable that holds the key; "": the server wants none."""
    models: tuple[str, ...] = ("*",)
    """Names of its models; `*` and `?` stand for anything. The first upstream that fits is taken."""
    concurrency: int = 64
    """Most calls at once; fewer after a 429, more again after successes."""
    rpm: int | None = None
    """Requests a minute."""
    tpm: int | None = None
    """Tokens a minute, in and out together."""


class Price(Part, frozen=True, kw_only=True):
    """What a model costs, in any one currency, for a million tokens."""

    input: float
    output: float = 0.0
    cached: float | None = None
    """For input tokens that the server had in its cache; None: as `input`."""


class Budget(Part, frozen=True, kw_only=True):
    """When to stop; None: never."""

    tokens: int | None = None
    """In and out together."""
    money: float | None = None
    """In the currency of the prices; every model that is used needs a price."""


class Budgets(Part, frozen=True, kw_only=True):
    """What may be spent; replayed calls cost nothing."""

    run: Budget = Budget()
    adapter: Budget = Budget()
    """For all cells of one adapter's label together."""
    cell: Budget = Budget()


class Timeouts(Part, frozen=True, kw_only=True):
    """Seconds."""

    connect: float = 10.0
    read: float = 300.0
    """Longest silence of an upstream."""


class Retries(Part, frozen=True, kw_only=True):
    """How often, and after which waits, a call that may help is sent again."""

    attempts: int = 6
    """In all, the first one included."""
    base: float = 0.5
    """Seconds; the wait before the n-th retry is random between 0 and `base` times 2 to the n."""
    longest: float = 20.0
    """Seconds; no random wait is longer."""
    longest_asked: float = 120.0
    """Seconds; a Retry-After beyond this is cut to it."""


class Faults(Part, frozen=True, kw_only=True):
    """Failures to plant, for tests and demos: by list, then by rate."""

    rate: float = 0.0
    """Share of attempts, 0 to 1; decided by the content of a request, so that it is the same in any order."""
    kinds: tuple[FaultKind, ...] = PASSING_FAULTS
    first: tuple[FaultKind, ...] = ()
    """What befalls the first attempts, one by one; `none`: nothing."""
    seed: int = 0
    seconds: float = 0.05
    """How long `latency` takes and how long `429-retry-after` asks to wait (sent as whole seconds)."""


class Options(Part, frozen=True, kw_only=True):
    """Options of the gateway `local`."""

    upstreams: Mapping[str, Upstream] = {}
    """By a name of your choice."""
    prices: Mapping[str, Price] = {}
    """By model, `*` and `?` stand for anything; the first that fits is taken. No price: the cost is not known."""
    record: RecordMode = "auto"
    """`live`: keep nothing; `record`: ask anew and keep; `replay`: only what was kept, no network; `auto`: replay what
    was kept, ask and keep the rest."""
    budgets: Budgets = Budgets()
    timeouts: Timeouts = Timeouts()
    retries: Retries = Retries()
    faults: Faults = Faults()
    force_decoding: Mapping[str, Any] = {}
    """Fields set in every chat and response request, e.g. `{temperature = 0, seed = 7}`."""
    port: int = 0
    """0: any free one."""


def check(options: Options) -> None:
    """Raise UsageError for the first setting that cannot work."""
    for name, upstream in options.upstreams.items():
        place = f"upstreams.{name}"
        url = urlsplit(upstream.base_url)
        if url.scheme not in ("http", "https") or not url.hostname:
            raise UsageError(f"{place}.base_url: {upstream.base_url!r} is no address such as http://127.0.0.1:8000/v1")
        if url.username or url.password or url.query:
            raise UsageError(f"{place}.base_url: put no secret in it; name a variable with {place}.key_env")
        if upstream.key_env and not upstream.key_env.isidentifier():
            # The value is not shown: it may be the key itself.
            raise UsageError(f"{place}.key_env: this is no name of an environment variable, e.g. OPENAI_API_KEY")
        if not upstream.models:
            raise UsageError(f'{place}.models is empty: name its models, or leave it out for "*"')
        for field in ("concurrency", "rpm", "tpm"):
            value = getattr(upstream, field)
            if value is not None and value < 1:
                raise UsageError(f"{place}.{field} is {value}; it has to be 1 or more")
    if options.retries.attempts < 1:
        raise UsageError("retries.attempts has to be 1 or more: the first attempt counts")
    if not 0 <= options.faults.rate <= 1:
        raise UsageError(f"faults.rate is {options.faults.rate}; it has to be between 0 and 1")
    if options.faults.rate and not options.faults.kinds:
        raise UsageError("faults.kinds is empty; name at least one, or set faults.rate to 0")


def read_key(name: str, upstream: Upstream, environment: Mapping[str, str] = os.environ) -> str:
    """The key of an upstream; "" where it wants none. Raises ModelError where its variable is not set."""
    key = environment.get(upstream.key_env, "").strip() if upstream.key_env else ""
    if upstream.key_env and not key:
        raise ModelError(f"upstream {name!r} needs a key: set the environment variable {upstream.key_env}")
    return key


def load(file: Path) -> Options:
    """Options from a TOML file of their own, or from `[gateway]` of a `memarena.toml`.

    Raises UsageError with the file and the key that is wrong.
    """
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
        options = msgspec.convert(values.get("gateway", values), Options)
        check(options)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError, UsageError) as error:
        raise UsageError(f"{file}: {error}") from None
    return options
