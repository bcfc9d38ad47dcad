"""The group of commands; each is imported when it is called, so that help is quick."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from gramian import __version__
from gramian.cli.errors import debug_option, guarded

_COMMANDS = {
    "report": "Analyse a file and write a page of HTML that reads the result.",
    "examine": "Say what may be wrong with a table, and what mends it.",
    "fit": "Fit a method to a file; print its reading and save the model.",
    "transform": "Place the rows of a file on the axes of a saved model.",
    "replicates": "Say how many replicates the networks of a table need, on a page.",
    "datasets": "List the data sets, or write one as CSV.",
    "completion": "Print the completion script of a shell.",
}


class _Commands(click.Group):
    """A group that imports a command when it is called, and turns errors into one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        return import_module(f"gramian.cli.{cmd_name}").command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        with guarded(ctx):
            return super().invoke(ctx)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gramian")
@debug_option
def main() -> None:
    """Look at data through kernels: PCA, kernel PCA and MDS of a file, read in full."""
