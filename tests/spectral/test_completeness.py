"""No path misses an axis or a tie; benchmarks/completeness.py runs all designs."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp
from benchmarks.completeness import compared, orders, outcome
from benchmarks.completeness_designs import FAMILIES, Design, Problem, centred, cuts, ties_of
from benchmarks.completeness_paths import PATHS, Path

import gramian as gm

ties_are_expected = pytest.mark.filterwarnings("ignore::gramian.errors.TiedAxesWarning")
LARGEST = 900  # rows of the designs that are fitted on every path
STRIDE = 7  # from path to path another design, with no step in common with their lists


def kernel_eigenvalues(K):
    """All of them, descending, by LAPACK."""
    return np.linalg.eigvalsh(centred(K))[::-1] / len(K)


def squares(X):
    """Squared distances, without the cancellation of products."""
    return sum((x[:, None] - x[None]) ** 2 for x in X.T)


# What was missed once


@pytest.mark.slow
@ties_are_expected
@pytest.mark.parametrize("solver", ["auto", "krylov", "dense"])
@pytest.mark.parametrize("q", [1, 2, 3])
def test_a_cloud_with_fourfold_symmetry(solver, q):
    B = np.random.default_rng(0).standard_normal((200, 2)) + [2, 0.3]  # noqa: RUF005
    X = np.vstack([B, np.c_[-B[:, 1], B[:, 0]], -B, np.c_[B[:, 1], -B[:, 0]]])
    fit = gm.KernelPCA(q, kernel=gm.kernels.Gaussian(0.3), solver=solver).fit(X)
    truth = kernel_eigenvalues(np.exp(-squares(X) / (2 * 0.3**2)))
    np.testing.assert_allclose(fit.eigenvalues_, truth[:q], rtol=1e-9)
    np.testing.assert_allclose(truth[:3] * 800, [16.3324, 16.3324, 15.8172], atol=1e-4)
    assert fit.tied_axes_ == [(1, 2)]


@pytest.mark.slow
@ties_are_expected
@pytest.mark.parametrize("q", [2, 3, 4])
@pytest.mark.parametrize("seed", range(1, 7))
def test_sparse_tables_with_every_axis_twice(seed, q):
    r = np.random.default_rng(seed)
    S = sp.random(1500, 520, density=0.03, random_state=seed, data_rvs=r.standard_normal).tocsr()
    u = (r.random(1500) < 0.05) * r.standard_normal(1500)
    v = (r.random(520) < 0.1) * 1.0
    Y = (S + sp.csr_matrix(np.outer(u, v))).tocsr()
    fit = gm.PCA(q).fit(sp.kron(sp.identity(2), sp.vstack([Y, -Y])).tocsr())
    once = np.linalg.eigvalsh((Y.T @ Y).toarray())[::-1] * 2 / 6000
    np.testing.assert_allclose(fit.eigenvalues_, np.repeat(once, 2)[:q], rtol=1e-9)
    assert fit.tied_axes_ == [(1, 2), (3, 4)][: (q + 1) // 2]


@ties_are_expected
def test_the_first_axis_of_a_circle_is_tied():
    t = 2 * np.pi * np.arange(500) / 500
    X = np.c_[np.cos(t), np.sin(t)]
    fit = gm.KernelPCA(1, kernel=gm.kernels.Gaussian(0.3)).fit(X)
    assert fit.tied_axes_ == [(1, 2)]


@pytest.mark.slow
@ties_are_expected
@pytest.mark.parametrize("step", [1.0, 0.04])
@pytest.mark.parametrize("side", [25, 40])
def test_a_tie_at_the_border_of_a_grid(side, step):
    x = step * np.arange(side)
    X = np.stack(np.meshgrid(x, x), -1).reshape(-1, 2)
    fit = gm.KernelPCA(6, kernel=gm.kernels.Laplacian(1.0)).fit(X)
    k = np.exp(-np.abs(x[:, None] - x))
    np.testing.assert_allclose(fit.eigenvalues_, kernel_eigenvalues(np.kron(k, k))[:6], rtol=1e-9)
    assert fit.tied_axes_ == [(1, 2), (6, 7)]


SEEN = [
    *(
        ("torus", {"a": a, "b": b, "kernel": (name, scale)}, "default", q)
        for a, b in [(40, 20), (30, 30)]
        for name, scale in [("Gaussian", 0.3), ("Gaussian", 1.0), ("Exponential", 1.0)]
        for q in (1, 2, 3)
    ),
    *(
        ("simplex", {"k": 5, "m": 100, "spread": 0.3, "kernel": ("Gaussian", 1.0)}, "default", q)
        for q in (1, 3, 4, 5)
    ),
    *(
        ("lattice", {"shape": (3,) * 6, "kernel": (name, 1.0)}, "default", q)
        for name in ("Gaussian", "Laplacian")
        for q in (1, 3, 6, 7)
    ),
    *(
        ("cliques", {"cliques": 40, "size": 20, "link": 0.2}, "precomputed, krylov", q)
        for q in (1, 2, 3)
    ),
    *(
        (
            "spectrum",
            {"n": 600, "head": "all double", "gap": 0.0, "tail": tail, "seed": seed},
            "precomputed, krylov",
            2,
        )
        for tail in ("steep", "pairs")
        for seed in range(3)
    ),
    *(  # the level was below the next eigenvalue
        ("groups", {"n": 500, "groups": 2, "size": 5, "name": "Gaussian"}, path, 1)
        for path in ("tiled", "scan", "dask")
    ),
    ("groups", {"n": 8200, "groups": 8, "size": 5, "name": "Gaussian"}, "default", 8),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "parameters", "path", "q"),
    SEEN,
    ids=[f"{family} {number}" for number, (family, *_) in enumerate(SEEN)],
)
def test_where_axes_were_missed(family, parameters, path, q):
    design = Design(family, 0, False, parameters)
    problem = design.problem()
    way = next(way for way in PATHS[problem.kind] if way.name == path)
    result = outcome(design, problem, way, q)
    assert result.is_right, result


# Every family on every path


def is_small(problem):
    return problem.n <= (LARGEST if problem.kind in ("points", "gram") else 2 * LARGEST)


def design_for(family, path):
    """A design that is quickly fitted by a path, from path to path another."""
    record = FAMILIES[family]
    start = STRIDE * PATHS[record.kind].index(path)
    for step in range(len(record.listed)):
        number = (start + step) % len(record.listed)
        design = Design(family, number, False, record.listed[number])
        problem = design.problem()
        if path.applies(problem) and is_small(problem):
            return design, problem
    raise LookupError(f"no small design of {family} for {path.name}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "path"),
    [(name, path) for name, record in FAMILIES.items() for path in PATHS[record.kind]],
    ids=lambda part: part.name if isinstance(part, Path) else part,
)
def test_every_family_on_every_path(family, path):
    design, problem = design_for(family, path)
    for q in orders(problem, path, 3):
        result = outcome(design, problem, path, q)
        assert result.is_right, result


# The comparison itself


PROBLEM = Problem("gram", np.zeros((9, 9)), lambda: np.array([4.0, 4.0, 3.0, 2.0, 1.0]))
PATH = Path("any", lambda problem, q: None, lambda problem: True)


def fitted(values, ties=(), level=2.0, complete=True):
    certificate = SimpleNamespace(level=level, complete=complete)
    return SimpleNamespace(
        eigenvalues_=np.array(values), tied_axes_=list(ties), certificate_=certificate
    )


@pytest.mark.parametrize(
    ("fit", "warned", "faults"),
    [
        (fitted([4.0, 4.0, 3.0], [(1, 2)]), False, set()),
        (fitted([4.0, 4.0, 3.0], [(1, 2)], level=1.9), False, {"false_level"}),
        (fitted([4.0, 4.0, 3.0], [(1, 2)], level=np.nan), False, {"false_level"}),
        (fitted([4.0, 4.0, 3.0]), False, {"wrong_ties"}),
        (fitted([4.0, 4.0, 3.0], [(1, 2, 3)]), False, {"wrong_ties"}),
        (fitted([4.0, 4.0, 3.0], [(1, 2)], complete=False), True, {"incomplete"}),
        (fitted([4.0, 3.0, 2.0], level=4.0), False, {"missed", "wrong_ties"}),
        (fitted([4.0, 3.0, 2.0]), False, {"missed", "wrong_ties", "false_level"}),
        (fitted([4.0, 3.0, 2.0], level=4.0), True, {"missed", "wrong_ties"}),
        (fitted([4.0, 3.0, 2.0], level=4.0, complete=False), False, {"missed", "wrong_ties"}),
        (fitted([4.0, 3.0, 2.0], level=4.0, complete=False), True, {"declared"}),
    ],
)
def test_faults_are_counted(fit, warned, faults):
    counts, _ = compared(PROBLEM, PATH, 3, fit, warned)
    assert {fault for fault, is_there in counts.items() if is_there} == faults


def test_ties():
    values = np.array([3.0, 3.0, 2.0, 2.0 * (1 - 1e-9), 1.0, 1.0 - 1e-7, 0.5, 0.5 * (1 - 1e-8)])
    assert ties_of(values, 1) == [(1, 2)]
    assert ties_of(values, 2) == [(1, 2)]
    assert ties_of(values, 3) == [(1, 2), (3, 4)]
    assert ties_of(values, 6) == [(1, 2), (3, 4)]
    assert ties_of(values, 7) is None  # at the limit


def test_cuts_are_before_on_and_after_a_tie():
    values = np.array([5.0, 4.0, 4.0, 4.0, 3.0, 2.0, 1.0])
    problem = Problem("gram", np.zeros((9, 9)), lambda: values)
    assert cuts(problem, 5) == [1, 2, 3, 4, 5]


def brute_force(problem):
    """The eigenvalues of the whole matrix, whatever its structure."""
    X = problem.data.toarray() if sp.issparse(problem.data) else problem.data
    if problem.kind in ("points", "gram"):
        return kernel_eigenvalues(problem.gram)
    if problem.kind in ("table", "sparse"):
        return np.linalg.svd(X - X.mean(axis=0), compute_uv=False) ** 2 / len(X)
    if problem.kind == "levels":
        X = np.hstack([column[:, None] == np.unique(column) for column in X.T]).astype(float)
    P = X / X.sum()
    E = np.outer(P.sum(axis=1), P.sum(axis=0))
    return np.linalg.svd((P - E) / np.sqrt(E), compute_uv=False) ** 2


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_closed_forms(family):
    parameters = FAMILIES[family].draw(np.random.default_rng(3))
    problem = Design(family, 0, True, parameters).problem()
    truth = brute_force(problem)[:12]
    np.testing.assert_allclose(problem.values[:12], truth, atol=1e-12 * truth[0])
