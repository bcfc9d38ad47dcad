"""Starts that are majorised together, as on an accelerator, against those that go one by one."""

import os
import subprocess
import sys

import numpy as np
import pytest
import torch
from scipy.spatial.distance import pdist, squareform
from tests.libraries import LIBRARIES

import gramian as gm
from gramian._core.array import is_accelerated
from gramian._estimators.stress import best_of_starts, numpy_loops, together
from gramian._estimators.stress.majorise import Step, majorise
from gramian._estimators.stress.problem import Problem
from gramian._estimators.stress.together import majorise_together

from . import naive

RNG = np.random.default_rng(0)
CLOUD = RNG.standard_normal((40, 5))
PROBLEM = Problem(pdist(CLOUD))
STARTS = [RNG.standard_normal((40, 2)) for _ in range(4)]


@pytest.fixture(params=LIBRARIES, ids=lambda library: library.name)
def library(request):
    return request.param


@pytest.mark.slow
@pytest.mark.parametrize("entries", [1 << 24, 200])
@pytest.mark.parametrize("q", [2, 3])
def test_the_pass_over_pairs(library, entries, q, monkeypatch):
    monkeypatch.setattr(together, "_TILE_ENTRIES", entries)  # one tile, or a row or two in each
    X = RNG.standard_normal((17, q))
    X[3] = X[2]  # a distance of zero
    delta = RNG.random(17 * 16 // 2) + 0.1
    D = squareform(delta)
    loss, Z = together.step_by_tiles(library.array(D), 2.0, X)
    # Guttman's transform has mean zero.
    np.testing.assert_allclose(Z, naive.guttman(X, D, np.ones((17, 17))), atol=1e-12)
    truth = np.sum((delta - naive.distances(X)) ** 2)
    assert 2.0 * loss == pytest.approx(truth, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("max_iter", "tol"), [(500, 1e-4), (70, 1e-9), (2, 1e-9), (1, 1e-9)])
def test_the_runs_are_those_of_starts_that_go_alone(library, max_iter, tol):
    options = {"max_iter": max_iter, "tol": tol}
    alone = [majorise(Step(PROBLEM, numpy_loops), X, **options) for X in STARTS]
    steps = [run.n_iter for run in alone]
    if tol == 1e-4:  # they end one after the other, after steps that were refused
        assert len(set(steps)) > 2 and any(len(run.history) < run.n_iter for run in alone)
    together = majorise_together(PROBLEM, STARTS, library.array(CLOUD), **options)
    assert [run.n_iter for run in together] == steps
    for ours, theirs in zip(together, alone, strict=True):
        assert ours.converged == theirs.converged
        np.testing.assert_allclose(ours.history, theirs.history, rtol=1e-6)
        assert ours.loss == ours.history[-1] == pytest.approx(theirs.loss, rel=1e-7)
        np.testing.assert_allclose(ours.X, theirs.X, atol=1e-3)
        assert Step(PROBLEM, numpy_loops)(ours.X)[0] == pytest.approx(ours.loss, rel=1e-10)


def test_a_start_at_its_end_stays_there():
    plane = RNG.standard_normal((40, 2))
    options = {"max_iter": 300, "tol": 1e-6}
    exact = Problem(pdist(plane))
    first, second = majorise_together(exact, [plane, STARTS[0]], CLOUD, **options)
    assert first.n_iter == 1 and first.converged and np.array_equal(first.X, plane)
    assert second.n_iter > 1


@pytest.mark.slow
def test_how_far_the_starts_are_is_told():
    told = []
    options = {"max_iter": 100, "tol": 1e-12, "report": lambda *row: told.append(row)}
    runs = majorise_together(PROBLEM, STARTS[:2], CLOUD, **options)
    assert {row[0] for row in told} == {0, 1} and told[0][1] == 1
    last = [row for row in told if row[0] == 1][-1]
    assert last[1:] == (runs[1].n_iter, runs[1].loss)


def test_where_arrays_are():
    assert is_accelerated(torch.zeros(1, device="meta"))
    assert not any(map(is_accelerated, [CLOUD, torch.zeros(1), [1.0], None, *STARTS[:1]]))
    assert not any(is_accelerated(library.array(CLOUD)) for library in LIBRARIES)


@pytest.fixture
def on_device(monkeypatch):
    """Take torch on the CPU for an accelerator, and a few points for many."""
    calls = []

    def noted(*args, **options):
        calls.append(args)
        return majorise_together(*args, **options)

    monkeypatch.setattr(best_of_starts, "is_accelerated", lambda a: isinstance(a, torch.Tensor))
    monkeypatch.setattr(best_of_starts, "_MIN_DEVICE_POINTS", 30)
    monkeypatch.setattr(best_of_starts, "majorise_together", noted)
    return calls


@pytest.mark.slow
@pytest.mark.parametrize("n_init", [1, 3])
@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
def test_the_map_is_that_of_numpy(on_device, metric, n_init):
    X = CLOUD if metric == "euclidean" else squareform(pdist(CLOUD))
    ours, theirs = (
        gm.MDS(2, metric=metric, n_init=n_init, random_state=0).fit(rows)
        for rows in (torch.asarray(X), X)
    )
    assert len(on_device) == 1 and isinstance(ours.coordinates_, torch.Tensor)
    assert ours.stress_ == pytest.approx(theirs.stress_, rel=1e-9)
    np.testing.assert_allclose(ours.start_stresses_, theirs.start_stresses_, rtol=1e-6)
    np.testing.assert_allclose(ours.coordinates_.numpy(), theirs.coordinates_, atol=1e-4)
    assert ours.n_iter_ == theirs.n_iter_ and ours.converged_
    places = ours.transform(torch.asarray(X[:3]))
    np.testing.assert_allclose(places.numpy(), ours.coordinates_.numpy()[:3], atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"scaling": "interval"},
        {"scaling": "ordinal"},
        {"loss": "sstress"},
        {"pair_weight": "sammon"},
        {"n_components": 1},
    ],
    ids=str,
)
def test_other_losses_stay_on_the_processor(on_device, options):
    ours, theirs = (
        gm.MDS(random_state=0, n_init=2, **options).fit(rows)
        for rows in (torch.asarray(CLOUD), CLOUD)
    )
    assert not on_device and isinstance(ours.coordinates_, torch.Tensor)
    assert ours.stress_ == pytest.approx(theirs.stress_, rel=1e-6)


@pytest.mark.slow
def test_so_do_weights_and_few_points(on_device):
    w = RNG.uniform(0.5, 2.0, 40)
    ours = gm.MDS(random_state=0, n_init=2).fit(torch.asarray(CLOUD), sample_weight=w)
    theirs = gm.MDS(random_state=0, n_init=2).fit(CLOUD, sample_weight=w)
    assert ours.stress_ == pytest.approx(theirs.stress_, rel=1e-6)
    gm.MDS(n_init=2).fit(torch.asarray(CLOUD[:20]))
    assert not on_device


SCRIPT = """
import numpy as np, torch
from scipy.spatial.distance import pdist, squareform
from gramian._estimators.stress import numpy_loops
from gramian._estimators.stress.together import Batch
from gramian._estimators.stress.majorise import Step, majorise
from gramian._estimators.stress.problem import Problem
from gramian._estimators.stress.together import majorise_together

rng = np.random.default_rng(0)
for n, q, S in ((50, 2, 3), (131, 3, 1), (20, 5, 2)):  # tiles that are cut, axes that are padded
    X = rng.standard_normal((S, n, q))
    X[0, 3] = X[0, 2]
    D = squareform(rng.random(n * (n - 1) // 2))
    batch = Batch(torch.asarray(D), torch.asarray(X), 2.0, 9, 1e-9)
    for k in range(S):
        truth, stress = numpy_loops.ratio_pass(D, np.empty((0, 0)), X[k])
        assert np.abs(batch.Z[k].numpy() * n - truth).max() < 1e-12, (n, q)
        assert abs(float(batch.state[k, 0]) * 2.0 / stress - 1) < 1e-13, (n, q)
rng = np.random.default_rng(7)
problem = Problem(pdist(rng.standard_normal((12, 4))))
starts = [rng.standard_normal((12, 2)) for _ in range(3)]
options = {"max_iter": 20, "tol": 1e-2}
ours = majorise_together(problem, starts, torch.zeros(1), **options)
for run, X in zip(ours, starts):
    other = majorise(Step(problem, numpy_loops), X, **options)
    assert run.n_iter == other.n_iter and run.converged == other.converged
    assert np.allclose(run.history, other.history, rtol=1e-7)
    assert np.abs(run.X - other.X).max() < 1e-6
    assert len(run.history) < run.n_iter  # some steps were refused
assert [run.converged for run in ours] == [False, True, False]
print("all right")
"""


@pytest.mark.slow
def test_fused_steps_by_interpretation():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT],
        env=os.environ | {"TRITON_INTERPRET": "1", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "all right", done.stderr[-2000:]
