"""The settings of the library as options of a command: missing='mean' is --missing mean."""

from __future__ import annotations

import click

from gramian.language import Options

__all__ = ["spelling"]

_OTHER_NAMES = {"n_components": "components", "random_state": "seed", "rank": "nystrom"}


def spelling(command: click.Command) -> Options:
    """Return how a command spells settings."""
    options = {p.name: p for p in command.params if isinstance(p, click.Option) and p.name}
    options |= {ours: options[name] for ours, name in _OTHER_NAMES.items() if name in options}
    words = {
        name: (option.opts[-1], option.secondary_opts[-1] if option.secondary_opts else None)
        for name, option in options.items()
    }
    return Options(words)
