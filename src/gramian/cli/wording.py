"""The settings of the library as options of a command: missing='mean' is --missing mean."""

from __future__ import annotations

import click

from gramian._study.language import Options

_OTHER_NAMES = {"n_components": "components", "random_state": "seed", "rank": "nystrom"}


def spelling(command: click.Command) -> Options:
    """Return how a command spells settings."""
    options = {p.name: p for p in command.params if isinstance(p, click.Option) and p.name}
    options |= {ours: options[name] for ours, name in _OTHER_NAMES.items() if name in options}
    return Options(_of_report() | {name: _words(option) for name, option in options.items()})


def _words(option: click.Option, before: str = "") -> tuple[str, str | None]:
    """Return how an option is written, and its opposite."""
    opposite = option.secondary_opts[-1:]
    return before + option.opts[-1], before + opposite[0] if opposite else None


def _of_report() -> dict[str, tuple[str, str | None]]:
    """Return the options of `gramian report`, for what another command finds but does not do."""
    from gramian.cli.report import command

    options = [param for param in command.params if isinstance(param, click.Option)]
    return {option.name: _words(option, "gramian report ") for option in options if option.name}
