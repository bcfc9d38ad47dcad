"""What a command says when it fails: one line on stderr and an exit code from a table."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import click

from gramian.cli.wording import spelling
from gramian.language import Sentence, Voice
from gramian.language.labels import escape_controls

__all__ = [
    "CODES",
    "Failure",
    "debug_option",
    "guarded",
    "language_option",
    "running",
    "tell",
    "worded",
]

# docs/cli.md publishes this table, and a test compares them.
CODES = {
    0: "done",
    1: "an error of Gramian's own, which is worth reporting (see it with --debug)",
    2: "the command line is not understood",
    3: "the data or an option was refused; the message says why and what to do",
    4: "the output exists (use --force) or cannot be written",
    5: "the model file was refused: damaged, cut off, from a newer version, or not a model",
    6: "the computation needs more memory than there is",
    130: "interrupted",
}
_DEBUG, _LANGUAGE = "gramian.debug", "gramian.language"


class Failure(Exception):
    """A failure with an exit code of its own."""

    def __init__(self, message: str | Sentence, code: int) -> None:
        self.sentence = message if isinstance(message, Sentence) else None
        super().__init__(Voice().say(message) if isinstance(message, Sentence) else message)
        self.code = code


def _set_debug(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value:
        ctx.find_root().meta[_DEBUG] = True


def _set_language(ctx: click.Context, param: click.Parameter, value: str) -> str:
    ctx.find_root().meta[_LANGUAGE] = value
    return value


def language_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --language: that of the page, and of what is told on the way."""
    return click.option(
        "--language",
        type=click.Choice(["en", "fr"]),
        default="en",
        show_default=True,
        is_eager=True,
        callback=_set_language,
    )(command)


def debug_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --debug, which may stand before or after the name of a command."""
    return click.option(
        "--debug",
        is_flag=True,
        expose_value=False,
        callback=_set_debug,
        help="Show the traceback of an error.",
    )(command)


def _colors() -> bool | None:
    """NO_COLOR turns colours off; otherwise they follow the terminal."""
    return False if os.environ.get("NO_COLOR") else None


def running() -> click.Command | None:
    """Return the command that is running."""
    ctx = click.get_current_context(silent=True)
    command: click.Command | None = None if ctx is None else ctx.command
    if ctx is not None and isinstance(command, click.Group):
        # A command that failed has left its own context.
        command = command.get_command(ctx, ctx.invoked_subcommand or "")
    return command


def worded(message: Any, language: str = "en") -> str:
    """Return a note, warning or error of the library in the words of the command that runs."""
    sentence = message if isinstance(message, Sentence) else getattr(message, "sentence", None)
    command = running()
    if command is None or sentence is None:
        return str(message)
    return Voice(language, spelling(command)).say(sentence)


def tell(kind: str, message: Any, language: str = "en") -> None:
    """Write one line on stderr: a note, a warning or an error."""
    color = {"error": "red", "warning": "yellow"}.get(kind)
    text = escape_controls(re.sub(r"[ \t\r\n]+", " ", worded(message, language)).strip())
    click.echo(f"{click.style(kind, fg=color)}: {text}", err=True, color=_colors())


@contextlib.contextmanager
def guarded(ctx: click.Context) -> Iterator[None]:
    """Turn what goes wrong inside into one line and an exit code."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = lambda message, *_, **__: tell("warning", message, _language(ctx))
        try:
            yield
        except (click.ClickException, click.exceptions.Exit, BrokenPipeError):
            raise
        except (KeyboardInterrupt, click.Abort):
            tell("error", "interrupted")
            ctx.exit(130)
        except Exception as error:
            if ctx.find_root().meta.get(_DEBUG):
                traceback.print_exc(file=sys.stderr)
            code = _code(error)
            what = f"{type(error).__name__}: {error} (--debug shows where)" if code == 1 else error
            tell("error", what, _language(ctx))
            ctx.exit(code)


def _language(ctx: click.Context) -> str:
    """Return the language of the command that runs, which may have left its context."""
    return str(ctx.find_root().meta.get(_LANGUAGE, "en"))


def _code(error: Exception) -> int:
    if isinstance(error, Failure):
        return error.code
    if isinstance(error, MemoryError):  # ours too: MemoryBudgetError
        return 6
    from gramian.errors import IndefiniteError, InputError, InputTypeError, OutputError

    if isinstance(error, OSError | OutputError):
        return 4
    return 3 if isinstance(error, InputError | InputTypeError | IndefiniteError) else 1
