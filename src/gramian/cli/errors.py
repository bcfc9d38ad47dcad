"""What a command says, in its language, and how it fails: one line and an exit code."""

import contextlib
import os
import re
import sys
import traceback
import warnings
from collections.abc import Iterator

import click

from gramian._study.language import LANGUAGES, Options, Sentence, Voice
from gramian._study.language.labels import escape_controls

# docs/cli.md publishes this table, and a test compares them.
CODES = {
    0: "done",
    1: "an internal error; please report it (see it with --debug)",
    2: "the command line is not understood",
    3: "the data or an option is not valid; the message says why and what to do",
    4: "the output exists (use --force) or cannot be written",
    5: "the model file cannot be read: damaged, truncated, from a newer version, or not a model",
    6: "the computation needs more memory than there is",
    130: "interrupted",
}
_DEBUG_KEY, _LANGUAGE_KEY = "gramian.debug", "gramian.language"
# The arguments of the library that the command calls otherwise.
_OTHER_NAMES = {"n_components": "components", "random_state": "seed", "rank": "nystrom"}
_COLORS = {"error": "red", "warning": "yellow"}


class Failure(Exception):
    """A failure of the command itself: a sentence of the catalogue and an exit code."""

    def __init__(self, key: str, code: int, /, **values: object) -> None:
        self.sentence = Sentence(f"cli.{key}", values)
        self.code = code
        super().__init__(Voice().say(self.sentence))


def _set_debug(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value:
        ctx.find_root().meta[_DEBUG_KEY] = True


def _set_language(ctx: click.Context, param: click.Parameter, value: str) -> None:
    ctx.find_root().meta[_LANGUAGE_KEY] = value


language_option = click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    is_eager=True,
    expose_value=False,
    callback=_set_language,
    help="Language of the page and of messages.",
)


# It may stand before or after the name of a command.
debug_option = click.option(
    "--debug",
    is_flag=True,
    expose_value=False,
    callback=_set_debug,
    help="Show the traceback of an error.",
)


def voice() -> Voice:
    """Return the voice of the command that runs: its language, and how it spells arguments."""
    ctx = click.get_current_context(silent=True)
    if ctx is None:
        return Voice()
    command: click.Command | None = ctx.command
    if isinstance(command, click.Group):
        # A command that failed has left its own context.
        command = command.get_command(ctx, ctx.invoked_subcommand or "")
    language = str(ctx.find_root().meta.get(_LANGUAGE_KEY, "en"))
    return Voice(language) if command is None else Voice(language, _spelling(command))


def _spelling(command: click.Command) -> Options:
    """Return how a command spells settings."""
    options = {p.name: p for p in command.params if isinstance(p, click.Option) and p.name}
    options |= {ours: options[name] for ours, name in _OTHER_NAMES.items() if name in options}
    return Options(
        _report_options() | {name: _option_words(option) for name, option in options.items()}
    )


def _option_words(option: click.Option, before: str = "") -> tuple[str, str | None]:
    """Return how an option is written, and its opposite."""
    opposite = option.secondary_opts[-1:]
    return before + option.opts[-1], before + opposite[0] if opposite else None


def _report_options() -> dict[str, tuple[str, str | None]]:
    """Return the options of `gramian report`, for what another command finds but does not do."""
    from gramian.cli.report import command

    options = [param for param in command.params if isinstance(param, click.Option)]
    return {
        option.name: _option_words(option, "gramian report ") for option in options if option.name
    }


def phrase(key: str, **values: object) -> str:
    """Return a sentence of the command."""
    return voice().say(Sentence(f"cli.{key}", values))


def word_message(message: str | BaseException | Sentence) -> str:
    """Return a note or a failure in the words of the command that runs, other errors as they are.

    Where an error names an argument that is an option of the command, the option is added.
    """
    sentence = message if isinstance(message, Sentence) else getattr(message, "sentence", None)
    speaker = voice()
    if sentence is not None:
        return speaker.say(sentence)
    argument = getattr(message, "argument", None)
    option = (
        "" if argument is None else speaker.spelling(argument, (getattr(message, "found", None),))
    )
    known = option.startswith("--")
    return phrase("option", text=str(message), option=option.split()[0]) if known else str(message)


def tell(kind: str, message: str | BaseException | Sentence) -> None:
    """Write one line on stderr: a note, a warning or an error."""
    prefix = click.style(voice().raw(f"cli.{kind}"), fg=_COLORS.get(kind))
    text = escape_controls(re.sub(r"[ \t\r\n]+", " ", word_message(message)).strip())
    color = False if os.environ.get("NO_COLOR") else None  # otherwise as the terminal has it
    click.echo(f"{prefix} {text}", err=True, color=color)


@contextlib.contextmanager
def catch_errors(ctx: click.Context) -> Iterator[None]:
    """Turn what goes wrong inside into one line and an exit code."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = lambda message, *_, **__: tell("warning", message)
        try:
            yield
        except (click.ClickException, click.exceptions.Exit, BrokenPipeError):
            raise
        except (KeyboardInterrupt, click.Abort):
            tell("error", Sentence("cli.interrupted"))
            ctx.exit(130)
        except Exception as error:
            if ctx.find_root().meta.get(_DEBUG_KEY):
                traceback.print_exc(file=sys.stderr)
            code = _code(error)
            bug = {"name": type(error).__name__, "text": str(error)}
            tell("error", Sentence("cli.bug", bug) if code == 1 else error)
            ctx.exit(code)


def _code(error: Exception) -> int:
    if isinstance(error, Failure):
        return error.code
    if isinstance(error, MemoryError):  # ours too: MemoryBudgetError
        return 6
    from gramian.errors import IndefiniteError, InputError, InputTypeError, OutputError

    if isinstance(error, OSError | OutputError):
        return 4
    return 3 if isinstance(error, InputError | InputTypeError | IndefiniteError) else 1
