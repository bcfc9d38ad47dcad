"""Rows in a weak order that goes on for long: columns keep it, and move along the rows."""

import numpy as np
import pytest
from tests.evidence.designs import standard, surely_at_most

import gramian as gm
from gramian._nulls.draws import column_draw
from gramian.evidence.table import row_scheme

ev = gm.evidence


def drifts(rng, n, p):
    """Noise on slow drifts: a small autocorrelation that hardly ends (past 0.98, shocks −0.92)."""
    e, x = rng.standard_normal((n + 200, p)), np.zeros((n + 200, p))
    for t in range(1, len(e)):
        x[t] = 0.98 * x[t - 1] + e[t] - 0.92 * e[t - 1]
    return x[200:]


def test_a_shift_keeps_what_follows_what():
    X = np.arange(12.0).reshape(2, 6)
    Y = column_draw("shifts", X)(X, 1)
    for before, after in zip(X, Y, strict=True):
        step = int(np.flatnonzero(before == after[0])[0])
        np.testing.assert_array_equal(after, np.roll(before, -step))
    shifts = row_scheme("shifts", 7, None)
    orders = shifts.orders(7, 50, np.random.default_rng(0))
    assert set((np.diff(orders, axis=1) % 7).ravel()) == {1} and orders[:, 0].min() == 1
    assert shifts.floor(7, 50) == 1 / 7
    assert row_scheme("permutation", 7, None).floor(7, 50) == 1 / 51


@pytest.mark.slow
def test_a_weak_order_in_many_rows_is_kept():
    """Columns whose past does not tell them, and that share a factor besides."""
    rng = np.random.default_rng(0)
    schemes = [ev.assumptions(drifts(rng, 700, 6), rng=rng).scheme for _ in range(6)]
    assert set(schemes) <= {"shifts", "blocks"} and "shifts" in schemes
    short = [ev.assumptions(drifts(rng, 120, 6), rng=rng).scheme for _ in range(4)]
    assert "shifts" not in short


@pytest.mark.slow
@pytest.mark.parametrize("labels", ["random", "drifting"])
def test_drifts_have_no_axes_and_no_groups(labels):
    rng, axes, groups, numbers = np.random.default_rng(1), 0, 0, 0
    for _ in range(30):
        X = standard(drifts(rng, 300, 6))
        z = drifts(rng, 300, 1)[:, 0] if labels == "drifting" else rng.standard_normal(300)
        axes += ev.axes(X, scheme="shifts", n_draws=39, rng=rng).n_axes > 0
        groups += ev.groups(X, None, z > 0, scheme="shifts", n_draws=99, rng=rng).p_value <= 0.05
        table = ev.numbers(X[:, :2], z[:, None], scheme="shifts", rng=rng).table
        numbers += bool((table["p_value"] <= 0.05).any())
    assert all(surely_at_most(hits, 30, 0.06) for hits in (axes, groups, numbers))


@pytest.mark.slow
def test_what_is_there_is_found_and_named():
    rng = np.random.default_rng(2)
    X, member = drifts(rng, 300, 8), rng.random(300) < 0.4
    X[:, :4] += 1.5 * rng.standard_normal((300, 1))
    X[member, 6] += 1.5
    X = standard(X)
    assert ev.axes(X, scheme="shifts", n_draws=99, rng=rng).n_axes == 1
    assert set(ev.loadings(X, 1, scheme="shifts", rng=rng).named(1).index) == {0, 1, 2, 3}
    found = ev.groups(X, None, member, scheme="shifts", rng=rng)
    assert found.p_value < 0.01 and found.columns["p_value"].idxmin() == 6
    assert ev.curves(X, None, 1, scheme="shifts", rng=rng).p_value is None


@pytest.mark.slow
def test_rows_that_follow_each_other_count_for_fewer():
    """Bartlett: two series of past a give a correlation of variance (1 + a²)/(1 − a²)/n."""
    rng, n, past = np.random.default_rng(3), 400, 0.6
    e = rng.standard_normal((n, 2000))
    for t in range(1, n):
        e[t] += past * e[t - 1]
    from gramian.evidence.loadings import _independent_rows, _scores

    Z = _scores(e.T)
    rows = _independent_rows(Z[:1000], Z[None, 1000:])[0]
    r = (Z[:1000] * Z[1000:]).sum(axis=1)
    assert np.median(rows) == pytest.approx(n * (1 - past**2) / (1 + past**2), rel=0.1)
    assert 1 / r.var() == pytest.approx(np.median(rows), rel=0.15)
