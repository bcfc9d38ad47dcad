"""`gramian completion`."""

from __future__ import annotations

import click


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script of SHELL.

    For bash, add this line to ~/.bashrc: eval "$(gramian completion bash)"
    """
    from click.shell_completion import get_completion_class

    from gramian.cli.commands import main

    completion = get_completion_class(shell)
    if completion is not None:
        click.echo(completion(main, {}, "gramian", "_GRAMIAN_COMPLETE").source())
