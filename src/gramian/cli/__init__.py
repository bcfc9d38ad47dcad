"""The command `gramian`: report, fit, transform, datasets, bench, completion."""

from gramian.cli.commands import main

__all__ = ["main"]
