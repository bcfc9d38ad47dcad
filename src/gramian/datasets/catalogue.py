"""Data sets by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._check import short
from ..errors import InputError
from . import bundled, expression, shells, weather, worked
from ._dataset import Dataset

_MAKERS: dict[str, Callable[..., Dataset]] = {
    maker.__name__: maker
    for maker in (
        worked.example_matrix,
        worked.triples,
        shells.circles,
        shells.rings,
        shells.spheres,
        worked.cities,
        bundled.iris,
        bundled.wine,
        bundled.digits,
        bundled.breast_cancer,
        bundled.diabetes,
        weather.airquality,
        expression.gene_expression,
    )
}


def names() -> list[str]:
    """List the data sets that `load` knows.

    Returns
    -------
    list of str
        Worked examples first, then real tables, then the simulated experiment.

    Examples
    --------
    >>> from gramian.datasets import names
    >>> len(names())
    13
    """
    return list(_MAKERS)


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
    if not isinstance(name, str) or name not in _MAKERS:
        raise InputError(f"unknown data set {short(name)}; known: {', '.join(_MAKERS)}")
    return _MAKERS[name](**options)
