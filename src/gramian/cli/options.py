"""Options that several commands share."""

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias

import click

from gramian.cli.errors import Failure, debug_option, language_option

Command: TypeAlias = Callable[..., Any]
_Decorator: TypeAlias = Callable[[Command], Command]

_READING: list[_Decorator] = [
    click.option(
        "--kind",
        type=click.Choice(["table", "distances", "graphs", "sequences"]),
        help="Content of the file, if the guess is wrong.",
    ),
    click.option("--format", metavar="NAME", help="text, excel, gct, …; a wrong one lists all."),
    click.option("--sep", metavar="MARK", help="Separator of columns; a tab is written \\t."),
    click.option("--decimal", type=click.Choice([".", ","]), help="The decimal mark."),
    click.option("--thousands", metavar="MARK", help="The mark between thousands."),
    click.option("--encoding", metavar="NAME", help="Encoding of a text file, such as latin-1."),
    click.option("--header/--no-header", default=None, help="Whether line 1 names the columns."),
    click.option("--skip", type=click.IntRange(min=0), help="Number of lines above the header."),
    click.option("--row-names", metavar="COLUMN", help='Column with the names of rows, or "no".'),
    click.option(
        "--na", "na_values", metavar="TEXT", multiple=True, help="Missing, or COLUMN=TEXT."
    ),
    click.option("--as-category", metavar="COLUMN", multiple=True, help="Codes of categories."),
    click.option("--as-number", metavar="COLUMN", multiple=True, help="Read as quantities."),
    click.option("--active", metavar="COLUMN", multiple=True, help="Columns of the axes."),
    click.option("--supplementary", metavar="COLUMN", multiple=True, help="Projected numbers."),
    click.option("--group", metavar="COLUMN", multiple=True, help="Projected categories."),
    click.option("--ignore", metavar="COLUMN", multiple=True, help="Columns to leave out."),
    click.option("--sheet", metavar="NAME", help="Sheet of a workbook, by name or number."),
    click.option("--layer", metavar="NAME", help="Layer of an h5ad file, instead of X."),
    click.option("--largest", metavar="SIZE", help="Maximum uncompressed size, such as 2GB."),
    click.option(
        "--content", metavar="KIND", help="measurements, codes, scores, abundances, expression, …."
    ),
    click.option("--transpose", is_flag=True, default=None, help="Individuals are columns."),
    click.option(
        "--missing",
        type=click.Choice(["drop-rows", "drop-columns", "iterative", "mean", "median"]),
        help="What to do with missing values.",
    ),
]
_METHOD: list[_Decorator] = [
    click.option(
        "--method",
        type=click.Choice(
            ["auto", "pca", "ca", "mca", "famd", "mfa", "classical-mds", "mds", "kernel-pca"]
        ),
        help="Chosen from the data by default.",
    ),
    click.option("--scale/--no-scale", default=None, help="Columns to unit variance (default)."),
    click.option(
        "--groups-from-names", is_flag=True, default=None, help="mfa: groups by odor.x, odor.y, …"
    ),
    click.option("--metric", metavar="NAME", help="MDS of a table: euclidean, cityblock, gower, …"),
]


def _stack(options: list[_Decorator]) -> _Decorator:
    """Return a decorator that adds options, in the order of the help."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


# All that `gramian.io.read` takes; several columns are separated by commas, or repeated.
_READING_NAMES = [
    str(option.name) for option in click.command("read")(_stack(_READING)(lambda: None)).params
]


def take_reading_options(options: dict[str, Any]) -> dict[str, Any]:
    """Take the reading options out of all options, and return those that were set."""
    settings = {name: options.pop(name) for name in _READING_NAMES if name in options}
    settings = {name: value for name, value in settings.items() if value not in (None, ())}
    settings = {name: list(v) if isinstance(v, tuple) else v for name, v in settings.items()}
    if "sep" in settings:
        settings["sep"] = settings["sep"].replace("\\t", "\t")
    if settings.get("row_names") == "no":
        settings["row_names"] = False
    return settings


def _hold_threads(ctx: click.Context, param: click.Parameter, value: int | None) -> None:
    """Limit this process to the requested cores, before any library counts them."""
    if value is None:
        return
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:value])
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(value)


def _import_plugins(ctx: click.Context, param: click.Parameter, names: tuple[str, ...]) -> None:
    """Import the modules that register kernels; those of the folder one works in are found too."""
    for name in names if not ctx.resilient_parsing else ():
        if os.getcwd() not in sys.path:
            sys.path.append(os.getcwd())  # last, so that no file here hides an installed module
        try:
            import_module(name)
        except Exception as error:  # a module of the user's may fail in any way
            reason = f"{type(error).__name__}: {error}"
            raise Failure("plugin", 3, name=repr(name), reason=reason) from error


plugin_option = click.option(
    "--plugin",
    metavar="MODULE",
    multiple=True,
    expose_value=False,
    callback=_import_plugins,
    help="Import a custom module that registers kernels.",
)

threads_option = click.option(
    "--n-jobs",
    type=click.IntRange(min=1),
    expose_value=False,
    is_eager=True,
    callback=_hold_threads,
    help="The number of cores to use; all by default.",
)


reading_options = _stack([*_READING, plugin_option])
method_options = _stack(_METHOD)
common_options = _stack(
    [
        language_option,
        click.option("--json", "as_json", is_flag=True, help="Write JSON on standard output."),
        click.option("-q", "--quiet", is_flag=True, help="Write no notes to standard error."),
        click.option("-f", "--force", is_flag=True, help="Overwrite existing files."),
        threads_option,
        debug_option,
    ]
)
