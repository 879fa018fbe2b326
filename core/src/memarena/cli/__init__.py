"""The command line: one small file a command, each imported when it is called, so that --help is instant."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import click

from memarena import __version__
from memarena.catalog import FIRST_PARTY, did_you_mean, entries, find
from memarena.errors import MemarenaError, UsageError, first_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BUG = 70
"""Exit code where memarena itself is at fault (EX_SOFTWARE)."""
CANCELLED = 130
"""Exit code after Ctrl-C."""

COMMANDS: Mapping[str, tuple[str, str]] = {
    "answer": ("memarena.cli.answer:answer", "Answer a run again from what it retrieved."),
    "check": ("memarena.cli.check:check", "Put an adapter through the contract of its kind."),
    "config": ("memarena.cli.config:config", "Show each setting and where its value comes from."),
    "data": ("memarena.cli.data:data", "Look at data sets: stats, validate, show, fetch."),
    "describe": ("memarena.cli.describe:describe", "Show what a plugin is and which options it takes."),
    "doctor": ("memarena.cli.doctor:doctor", "Examine this installation and every plugin in it."),
    "env": ("memarena.cli.env:env", "Keep adapters apart, each in an environment of its own."),
    "install": ("memarena.cli.install:install", "Install the distribution of an adapter here."),
    "list-adapters": ("memarena.cli.list_adapters:list_adapters", "List the memory systems that are installed."),
    "list-plugins": ("memarena.cli.list_plugins:list_plugins", "List all plugins that are installed."),
    "new": ("memarena.cli.new:new", "Start a package of your own: adapter, scorer or dataset."),
    "run": ("memarena.cli.run:run", "Run memory systems over a data set and score them."),
    "score": ("memarena.cli.score:score", "Score a finished run again."),
}
"""The core's commands: where each lives, and its line in `--help`."""

ELSEWHERE: Mapping[str, str] = {
    "compare": "Compare runs or systems, paired sample by sample.",
    "explain": "Follow one question from its evidence to its verdict.",
    "gateway": "Serve models on this machine, every call counted.",
    "judge": "See how far a judge can be trusted.",
    "report": "Write the tables and the HTML report of a run.",
    "selftest": "Plant faults in a perfect memory, and see whether the diagnosis finds them.",
}
"""The lines of commands that other packages of the project bring."""


class LazyGroup(click.Group):
    """Commands by name; a module is imported when its command is called, never to list it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*COMMANDS, *(row.name for row in entries("memarena.commands"))})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            module, _, attribute = COMMANDS[cmd_name][0].partition(":")
            command = getattr(import_module(module), attribute)
        elif cmd_name in FIRST_PARTY["memarena.commands"] or cmd_name in self.list_commands(ctx):
            command = find("memarena.commands", cmd_name).load()
        else:
            raise UsageError(f"unknown command {cmd_name!r}{did_you_mean(cmd_name, self.list_commands(ctx))}")
        if not isinstance(command, click.Command):
            raise UsageError(f"the command {cmd_name!r} is no click command but {type(command).__name__}")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        lines = {name: line for name, (_, line) in COMMANDS.items()}
        for row in entries("memarena.commands"):
            lines.setdefault(row.name, ELSEWHERE.get(row.name, f"From {row.distribution}: {row.summary}"))
        for name, line in ELSEWHERE.items():
            lines.setdefault(name, f"{line} (pip install {FIRST_PARTY['memarena.commands'][name]})")
        with formatter.section("Commands"):
            formatter.write_dl(sorted(lines.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="memarena COMMAND --help shows the flags of a command.",
)
@click.version_option(__version__, message="memarena %(version)s")
@click.option("--debug", is_flag=True, help="Show the traceback of an error (also after the command).")
def cli(debug: bool) -> None:
    """To agent memory what pytest is to tests."""


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 1 something did not pass, 2 a person's mistake, 70 a bug, 130 Ctrl-C."""
    words, debug = _without_debug(list(sys.argv[1:] if args is None else args))
    _write_utf8()
    try:
        code = cli.main(words, prog_name="memarena", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()
        code = 1
    except (KeyboardInterrupt, click.Abort):
        click.echo("memarena: cancelled", err=True)
        code = CANCELLED
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        code = error.exit_code
    except click.ClickException as error:
        click.echo(f"memarena: {_usage_line(error)}", err=True)
        code = error.exit_code
    except MemarenaError as error:
        _complain(str(error), debug=debug)
        code = error.exit_code
    except OSError as error:
        _complain(_place_and_problem(error), debug=debug)
        code = UsageError.exit_code
    except Exception as error:
        hint = "" if debug else "; add --debug for the traceback"
        _complain(f"this is a bug of memarena: {first_line(error)}{hint}", debug=debug)
        code = BUG
    sys.exit(code if isinstance(code, int) else 0)


def _without_debug(words: list[str]) -> tuple[list[str], bool]:
    end = words.index("--") if "--" in words else len(words)
    kept = [word for word in words[:end] if word != "--debug"]
    return kept + words[end:], len(kept) < end or os.environ.get("MEMARENA_DEBUG", "") not in ("", "0")


def _write_utf8() -> None:
    """Whatever the locale says, output is UTF-8, and what no encoding can hold is escaped."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            # The shell closed it (`>&-`), yet click and whoever prints count on it.
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _forget_stdout() -> None:
    """The reader is gone: let the interpreter's last flush go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _usage_line(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    hint = f" (see {context.command_path} --help)" if context is not None else ""
    return " ".join(error.format_message().split()) + hint


def _place_and_problem(error: OSError) -> str:
    """Which file, and what is wrong with it: a full disk, no permission, a folder that is gone."""
    return ": ".join(str(part) for part in (error.filename, error.strerror or first_line(error)) if part)


def _complain(message: str, *, debug: bool) -> None:
    if debug:
        import traceback

        traceback.print_exc()
    click.echo(f"memarena: {message}", err=True)
