"""The command `gramian`: app, report, fit, transform, replicates, datasets, completion."""

from gramian.cli.commands import main

__all__ = ["main"]
