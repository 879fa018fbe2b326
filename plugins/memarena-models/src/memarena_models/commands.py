"""`memarena gateway`."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memarena_models.account import AccountRow

OWNER = "gateway"
"""Whose calls those are that come with the printed key."""


@click.command("gateway")
@click.argument("config", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--port", type=int, help="Port on the loopback [default: a free one].")
@click.option("--record", type=click.Choice(("live", "record", "replay", "auto")), help="[default: auto]")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for exchanges and usage.")
@click.option("--json", "as_json", is_flag=True, help="Print address, key and account as JSON lines.")
def gateway(config: Path | None, port: int | None, record: str | None, out: Path | None, as_json: bool) -> None:
    """Serve models on the loopback until Ctrl-C, then say what was used.

    CONFIG is a TOML file with upstreams, prices and limits; without it there is the model offline alone. Any client of
    the OpenAI API works with the address and the key that are printed.
    """
    import msgspec

    from memarena.errors import UsageError
    from memarena_models.gateway import LocalGateway
    from memarena_models.settings import Options, load

    options = Options() if config is None else load(config)
    given: dict[str, Any] = {"port": port, "record": record}
    options = msgspec.structs.replace(options, **{name: value for name, value in given.items() if value is not None})
    if out is None and options.record in ("record", "replay"):
        raise UsageError(f"--record {options.record} needs a folder: give it with --out")
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    local = LocalGateway(options)
    local.start(out, {})
    try:
        _show_door(local.base_url, local.key(OWNER), as_json=as_json)
        _wait_for_the_end()
        _show_account(local.account(), as_json=as_json)
    finally:
        local.stop()


def _show_door(base_url: str, key: str, *, as_json: bool) -> None:
    if as_json:
        import json

        click.echo(json.dumps({"base_url": base_url, "key": key}))
        return
    click.echo(f"OPENAI_BASE_URL={base_url}\nOPENAI_API_KEY={key}")
    click.echo("the key is good until the end of this command; end it with Ctrl-C", err=True)


def _wait_for_the_end() -> None:
    """Return at Ctrl-C or SIGTERM."""
    ended = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda number, frame: ended.set())
    try:
        # A wait without an end could not be interrupted on every system.
        while not ended.wait(3600):
            continue
    except KeyboardInterrupt:
        return
    finally:
        signal.signal(signal.SIGTERM, before)


def _show_account(rows: Sequence[AccountRow], *, as_json: bool) -> None:
    if as_json:
        from memarena import codec

        for row in rows:
            click.echo(codec.encode(row).decode())
        return
    if not rows:
        click.echo("nothing was used")
        return
    from memarena.cli.output import print_columns

    head = ("session", "cell", "stage", "model", "calls", "errors", "retries", "tokens in", "out", "cost", "p50", "p99")
    print_columns([head, *(_columns(row) for row in rows)])


def _columns(row: AccountRow) -> tuple[str, ...]:
    estimated = "~" if row.estimated else ""
    return (
        str(row.session),
        row.cell_id,
        row.stage,
        f"{row.model} (replayed)" if row.replayed else row.model,
        str(row.calls),
        str(row.errors),
        str(row.retries),
        f"{estimated}{row.tokens_in}",
        f"{estimated}{row.tokens_out}",
        "unknown" if row.cost is None else f"{row.cost:.4f}",
        *("" if seconds is None else f"{seconds:.3f} s" for seconds in (row.p50, row.p99)),
    )
