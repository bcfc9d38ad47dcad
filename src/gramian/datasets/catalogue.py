"""Data sets by name."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gramian._core.check import short
from gramian.datasets._dataset import Dataset
from gramian.datasets.entries import ENTRIES
from gramian.errors import InputError


def names() -> list[str]:
    """List the data sets that `load` knows.

    Returns
    -------
    list of str
        Worked examples first, then real tables, then the simulated experiments.

    Examples
    --------
    >>> from gramian.datasets import names
    >>> len(names())
    14
    """
    return list(ENTRIES)


def load(name: str, **options: Any) -> Dataset:
    """Make or load a data set by its name.

    Parameters
    ----------
    name : str
        One of `names`.
    **options
        Passed on to the function of that name.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> from gramian.datasets import load
    >>> load("rings", n=50).data.shape
    (50, 2)
    """
    if not isinstance(name, str) or name not in ENTRIES:
        raise InputError(f"unknown data set {short(name)}; known: {', '.join(ENTRIES)}")
    made: Dataset = getattr(import_module("gramian.datasets"), name)(**options)
    return made
