"""What holds for every data set and every method: found by Hypothesis, on small tables."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gramian.errors import InputError

from .twins import METHODS, NAMES
from .twins import given as rows_for

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::gramian.errors.TiedAxesWarning"),
    pytest.mark.filterwarnings("ignore::gramian.errors.RankWarning"),
]
QUICK = settings(max_examples=25, deadline=None, derandomize=True)


@st.composite
def tables(draw: Any) -> tuple[np.ndarray, np.ndarray]:
    """A small table, rows and columns often equal or constant, and weights of its rows."""
    n = draw(st.integers(3, 9))
    p = draw(st.integers(1, 4))
    whole = draw(st.booleans())
    cell = st.integers(-3, 3).map(float) if whole else st.floats(-100, 100, width=32)
    X = draw(arrays(float, (n, p), elements=cell))
    w = draw(arrays(float, n, elements=st.sampled_from([0.0, 0.5, 1.0, 1.0, 3.0])))
    return X, w


def fit(method: str, X: np.ndarray, w: np.ndarray, q: int | None = None) -> Any:
    """The fit, where there is something to fit: more than one place with a weight."""
    assume((w > 0).sum() >= 2)
    places = X[w > 0]
    assume(np.ptp(places, axis=0).max() > 1e-3 * max(1.0, np.abs(places).max()))
    try:
        return METHODS[method](X, q).fit(rows_for(method, X), sample_weight=w)
    except InputError:  # the rows differ by less than rounding, or the kernel cannot tell them
        assume(False)


def clear(table: Any) -> np.ndarray:
    """The rows far enough from the barycentre for their directions to be known."""
    d2 = table["distance2"].to_numpy()
    return d2 > 1e-6 * d2.max()


@pytest.mark.parametrize("method", NAMES)
@QUICK
@given(drawn=tables(), seed=st.integers(0, 99))
def test_readings(method: str, drawn: tuple[np.ndarray, np.ndarray], seed: int) -> None:
    X, w = drawn
    est = fit(method, X, w)
    check_shares(est, w)
    check_training_rows_are_read_alike(est, method, X)
    check_categories_and_variables_are_bounded(est, seed)


def check_shares(est: Any, w: np.ndarray) -> None:
    table = est.individuals()
    assert np.isfinite(table.to_numpy()).all()
    np.testing.assert_allclose(table["contribution"].sum(), 1.0, rtol=1e-9)
    assert (table["contribution"].to_numpy() >= 0).all()
    assert (table.loc[w == 0, "contribution"] == 0).all(axis=None)
    # Over all axes cos² sum to 1 for the points that made them (others may lie outside).
    inside = clear(table) & (w > 0)
    np.testing.assert_allclose(table.loc[inside, "cos2"].sum(axis=1), 1.0, rtol=1e-6)
    quality = table["quality"].to_numpy()
    assert (np.diff(quality, axis=1) >= 0).all()
    assert quality.max() <= 1.0 + 1e-12
    error = est.reconstruction_error()
    assert (np.diff(error.points.to_numpy(), axis=1) <= 0).all()
    assert error.points.to_numpy().min() >= 0
    np.testing.assert_allclose(error.total.iloc[0], est.inertia_, rtol=1e-12)
    np.testing.assert_allclose(error.total.iloc[-1], 0.0, atol=1e-9 * est.inertia_)


def check_training_rows_are_read_alike(est: Any, method: str, X: np.ndarray) -> None:
    table = est.individuals()
    extra = {"diag": np.ones(len(X))} if method == "precomputed kernel" else {}
    again = est.individuals(rows_for(method, X), **extra)
    some = clear(table)
    size = np.sqrt(table["distance2"].max())
    for measure in ("cos2", "quality"):
        np.testing.assert_allclose(again.loc[some, measure], table.loc[some, measure], atol=1e-5)
    np.testing.assert_allclose(again["coordinate"], table["coordinate"], atol=1e-6 * size)
    np.testing.assert_allclose(again["distance2"], table["distance2"], atol=1e-9 * size**2)


@pytest.mark.parametrize("method", NAMES)
@QUICK
@given(drawn=tables(), factor=st.sampled_from([1e-8, 0.1, 7.0, 1e8]), seed=st.integers(0, 99))
def test_only_proportions_of_weights_matter(
    method: str, drawn: tuple[np.ndarray, np.ndarray], factor: float, seed: int
) -> None:
    X, w = drawn
    first, second = (fit(method, X, c * w) for c in (1.0, factor))
    groups = {"g": np.random.default_rng(seed).choice(list("abc"), len(X))}
    a, b = (est.categories(groups)["v_test"].to_numpy() for est in (first, second))
    assert np.isfinite(a).all()
    # Axes whose eigenvalues tie may turn; the size of the v-tests over all of them may not.
    np.testing.assert_allclose(np.sum(a**2, axis=1), np.sum(b**2, axis=1), rtol=1e-6, atol=1e-6)


def check_categories_and_variables_are_bounded(est: Any, seed: int) -> None:
    n, rng = len(est.individuals()), np.random.default_rng(seed)
    table = {
        "g": rng.choice(list("ab"), n),
        "y": rng.integers(0, 3, n).astype(float),
    }
    groups, numbers = est.categories(table), est.variables(table)
    assert np.isfinite(groups.to_numpy()).all()
    assert np.isfinite(numbers.to_numpy()).all()
    assert groups[["cos2", "eta2"]].to_numpy().min() >= 0
    assert groups[["cos2", "eta2"]].to_numpy().max() <= 1 + 1e-12
    assert np.abs(numbers["correlation"].to_numpy()).max() <= 1
    # A variable lies within the space of the axes at most: Bessel's inequality.
    assert numbers["cos2"].sum(axis=1).max() <= 1 + 1e-6
    description = est.describe(table, alpha=1.0)
    assert description["p_value"].between(0, 1).all()
