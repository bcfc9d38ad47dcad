"""The command `gramian`: report, fit, transform, datasets, completion."""

from gramian.cli.commands import main

__all__ = ["main"]
