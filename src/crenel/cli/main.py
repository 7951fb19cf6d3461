"""The command ``crenel``: its subcommands, and the one place where mistakes become a sentence and an exit status."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any, TextIO, cast

import typer

from crenel import __version__
from crenel.cli.atlas import atlas_command, label_command
from crenel.cli.benching import bench_command
from crenel.cli.catalogue import deal_command, games_command, rules_command
from crenel.cli.options import Interrupted, plain_interrupts
from crenel.cli.serving import play_command, serve_command
from crenel.cli.show import wrapped
from crenel.cli.solving import solve_command, verify_command
from crenel.cli.surveying import report_command, survey_command
from crenel.rules.reading import one_line

_MISTAKE, _INTERRUPT = 2, 130

app = typer.Typer(
    name="crenel",
    help="Cruel, Beleaguered Castle and their kin: played, solved exactly, and explained.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # help without boxes can be listened to
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("games")(games_command)
app.command("rules")(rules_command)
app.command("deal")(deal_command)
app.command("solve")(solve_command)
app.command("verify")(verify_command)
app.command("survey")(survey_command)
app.command("report")(report_command)
app.command("label")(label_command)
app.command("atlas")(atlas_command)
app.command("play")(play_command)
app.command("serve")(serve_command)
app.command("bench")(bench_command)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"crenel {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Prints the version and ends."),
    ] = False,
) -> None:
    """Cruel, Beleaguered Castle and their kin: played, solved exactly, and explained."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line.

    Args:
        arguments: What follows the program's name; ``None`` takes it from the process.

    Returns:
        The exit status: that of the command, 2 after a mistake in what was asked, 130 after an interrupt.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    _print_anything()
    try:
        status = _run(words or ["--help"])
        sys.stdout.flush()
    except BrokenPipeError:
        # Nothing can be written there any more, not even what Python would flush at its end.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _say("the output was closed before all of it was written", _MISTAKE)
    except KeyboardInterrupt:
        return _say("interrupted", _INTERRUPT)
    return status


def _run(words: list[str]) -> int:
    """Runs one command; what it raises for mistakes of the user becomes a sentence here."""
    command = typer.main.get_command(app)
    try:
        with plain_interrupts(), command.make_context("crenel", words) as context:
            status = command.invoke(context)
    except typer.Exit as end:
        return int(end.exit_code)
    except Interrupted as end:
        return _say(str(end), end.status)
    except BrokenPipeError:
        raise
    except OSError as error:
        where = f" {error.filename}" if error.filename else ""
        return _say(f"the system refused{where}: {error.strerror or error}", _MISTAKE)
    except ValueError as error:
        # Ours name the culprit; any other one is a fault of the program and keeps its traceback.
        if type(error).__module__.partition(".")[0] != "crenel":
            raise
        return _say(str(error), _MISTAKE)
    except Exception as error:
        # Usage errors have a common class only since Typer has its own copy of Click.
        if not hasattr(error, "format_message"):
            raise
        usage = cast(Any, error)
        message = " ".join(usage.format_message().split())
        place = usage.ctx.command_path if getattr(usage, "ctx", None) is not None else "crenel"
        return _say(f"{message.rstrip('.')} (see '{place} --help')", _MISTAKE)
    return status if isinstance(status, int) else 0


def _say(message: str, status: int) -> int:
    with contextlib.suppress(OSError):
        print(wrapped(f"crenel: {one_line(message)}", stream=sys.stderr), file=sys.stderr)
    return status


def _print_anything() -> None:
    """Characters that the output cannot show become question marks instead of an error."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            cast(TextIO, stream).reconfigure(errors="replace")  # type: ignore[attr-defined]
