"""One rule for `--seed`, whichever command it is of: a whole number of at least 0."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from memarena.cli import cli
from memarena.config import settings
from memarena.errors import UsageError


def seeded(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of every command that has the flag."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            if found is not None:
                yield from seeded(found, (*path, name))
    elif any("--seed" in option.opts for option in command.params):
        yield path


COMMANDS = list(seeded(cli))


def test_many_commands_have_a_seed():
    assert {("run",), ("data", "build"), ("data", "record"), ("aha", "run"), ("compare",)} <= set(COMMANDS)


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("seed", ["-1", "1.5", "x"])
def test_a_seed_that_is_none_is_refused_by_name(path, seed, tmp_path):
    found: click.Command = cli
    for name in path:
        assert isinstance(found, click.Group)
        command = found.get_command(click.Context(found), name)
        assert command is not None
        found = command
    option = next(each for each in found.params if "--seed" in each.opts)
    context = click.Context(found, info_name=path[-1])
    try:
        value = option.type_cast_value(context, seed)
    except click.BadParameter as error:
        error.param = option
        assert "--seed" in error.format_message()
        return
    with pytest.raises(UsageError, match=r"--seed: expected a whole number of at least 0, not -1"):
        settings({"seed": value})


def test_a_negative_seed_ends_a_run_before_anything_is_written(tmp_path):
    done = CliRunner().invoke(
        cli, ["run", "-d", "tiny", "-a", "verbatim", "--seed", "-1", "--out", str(tmp_path / "r")]
    )
    assert isinstance(done.exception, UsageError) and not (tmp_path / "r").exists()
