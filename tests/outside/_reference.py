"""Loaders for the numbers under tests/data, and comparisons up to the sign of each axis."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

DATA = Path(__file__).resolve().parent.parent / "data"

PCA_CASES = [
    "decathlon_std",
    "decathlon_cov",
    "decathlon_std_indsup",
    "decathlon_std_roww",
    "decathlon_std_colw",
    "usarrests_std",
    "usarrests_cov",
]


@cache
def load(name: str) -> Any:
    """A JSON file of tests/data; callers do not modify it."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def table(name: str) -> pd.DataFrame:
    """A CSV file of tests/data, its first column being the row labels."""
    return pd.read_csv(DATA / name, index_col=0)


def array(entry: Any) -> np.ndarray:
    """The numbers of a stored matrix, vector or nested list; null becomes NaN."""
    if isinstance(entry, dict):
        entry = entry["data"] if "data" in entry else entry["values"]
    return np.asarray(entry, dtype=float)


def signs(a: Any, b: Any) -> np.ndarray:
    """+1 or -1 per column: what turns the axes of `a` the way those of `b` point."""
    return np.where(np.sum(np.asarray(a) * np.asarray(b), axis=0) < 0, -1.0, 1.0)


def assert_close(actual: Any, expected: Any, rtol: float, atol: float = 0.0) -> None:
    """Entrywise |actual - expected| <= atol + rtol |expected|, same shape."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol)


def assert_axes_close(actual: Any, expected: Any, tol: float, sign: Any = None) -> None:
    """Column by column, up to sign, the largest error is below `tol` times the largest entry.

    `sign` is given where the direction of the axes is already known from other rows.
    """
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape
    if sign is None:
        sign = signs(actual, expected)
    error = np.abs(actual * sign - expected).max(axis=0) / np.abs(expected).max(axis=0)
    assert np.all(error <= tol), f"relative errors per axis: {error}"


def projector(U: Any) -> np.ndarray:
    """U (U'U)^-1 U': the plane that the columns of U span, whatever basis they are."""
    Q, _ = np.linalg.qr(np.asarray(U))
    return Q @ Q.T
