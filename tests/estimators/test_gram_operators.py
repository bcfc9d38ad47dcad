"""KernelPCA of a Gram operator that somebody else wrote."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian._core.operators import Gram
from gramian.errors import IndefiniteError, InputError, InputTypeError

RNG = np.random.default_rng(2)
X = RNG.standard_normal((40, 3))
NEW = RNG.standard_normal((7, 3))
KERNEL = gm.kernels.Gaussian(1.3)
WEIGHT = np.where(np.arange(40) % 7 == 0, 0.0, 1.0 + np.arange(40))
HALF = pd.DataFrame({"half": ["a", "b"] * 20})


class Rows(Gram):
    """Five methods, no more."""

    def __init__(self, K=None):
        self.K = KERNEL(X) if K is None else K
        self.n = len(self.K)

    def matmul(self, V):
        return self.K @ V

    def diag(self):
        return self.K.diagonal().copy()

    def block(self, rows, cols):
        return self.K[rows, cols]

    @property
    def like(self):
        return np.empty(0)


class WithNew(Rows):
    def cross(self, new):
        return KERNEL(new, X)


class WithDiag(WithNew):
    def cross_diag(self, new):
        return np.ones(len(new))


@pytest.mark.slow
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["equal", "weights"])
@pytest.mark.parametrize("q", [3, None, 0.8, "kaiser"])
def test_every_reading_is_that_of_the_rows(q, weight):
    a = gm.KernelPCA(q).fit(WithDiag(), sample_weight=weight)
    b = gm.KernelPCA(q, kernel=KERNEL).fit(X, sample_weight=weight)
    close = {"rtol": 1e-7, "atol": 1e-9}
    np.testing.assert_allclose(a.eigenvalues_, b.eigenvalues_, **close)
    first = slice(0, 5)  # later axes of a full decomposition are small, and their signs free
    np.testing.assert_allclose(a.coordinates_[:, first], b.coordinates_[:, first], **close)
    np.testing.assert_allclose(a.transform(NEW)[:, first], b.transform(NEW)[:, first], **close)
    assert a.inertia_ == pytest.approx(b.inertia_)
    for table, truth in (
        (a.individuals(), b.individuals()),
        (a.individuals(NEW), b.individuals(NEW)),
        (a.categories(HALF), b.categories(HALF)),
        (a.variables({"x": X[:, 0]}), b.variables({"x": X[:, 0]})),
    ):
        axes = [c for c in table.columns if not isinstance(c[1], int) or c[1] <= 5]
        np.testing.assert_allclose(table[axes], truth[axes], **close)
    assert "40 individuals" in str(a.summary())


@pytest.mark.parametrize("solver", ["dense", "krylov"])
def test_solvers(solver):
    fit = gm.KernelPCA(2, solver=solver).fit(Rows())
    truth = gm.KernelPCA(2, kernel=KERNEL, solver="dense").fit(X)
    np.testing.assert_allclose(fit.coordinates_, truth.coordinates_, atol=1e-6)
    assert fit.solver_.startswith(solver)


def test_what_an_operator_does_not_say_is_refused_in_words(tmp_path):
    fit = gm.KernelPCA(2).fit(Rows())
    with pytest.raises(InputError, match=r"define cross\(X_new\) in Rows"):
        fit.transform(NEW)
    with pytest.raises(InputError, match="diag is missing"):
        gm.KernelPCA(2).fit(WithNew()).individuals(NEW)
    with pytest.raises(InputError, match="no rows to go back to"):
        fit.inverse_transform(fit.coordinates_)
    with pytest.raises(InputError, match="permutes the columns"):
        gm.KernelPCA("parallel").fit(Rows())
    with pytest.raises(InputError, match="no functions"):
        fit.axes()
    with pytest.raises(InputError, match="Rows, which model files do not know"):
        gm.save(fit, tmp_path / "m.gramian")
    with pytest.raises(InputError, match="no variables"):
        gm.importance.gradient(fit)
    for other in (gm.PCA(2), gm.ClassicalMDS(2), gm.MDS(2), gm.MultiKernelPCA(2)):
        with pytest.raises(InputTypeError, match=r"KernelPCA\(…\).fit\(gram\)"):
            other.fit(Rows())


def test_new_rows_with_their_diagonal():
    a = gm.KernelPCA(2).fit(WithNew()).individuals(NEW, diag=np.ones(7))
    b = gm.KernelPCA(2, kernel=KERNEL).fit(X).individuals(NEW)
    np.testing.assert_allclose(a, b, rtol=1e-7, atol=1e-9)


def test_indefinite_operators():
    K = np.tanh(X @ X.T - 1.0)
    with pytest.raises(IndefiniteError):
        gm.KernelPCA(2).fit(Rows(K))
    fit = gm.KernelPCA(2, indefinite="clip").fit(Rows(K))
    values = np.linalg.eigvalsh(K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean())
    assert fit.negative_inertia_ == pytest.approx(-values[values < 0].sum() / 40)


@pytest.mark.slow
def test_figures_and_rules():
    fit = gm.KernelPCA(2).fit(Rows())
    record = gm.plots.gram(fit, backend="none")
    order = record.numbers["order"]
    np.testing.assert_allclose(record.numbers["matrix"], KERNEL(X)[np.ix_(order, order)])
    for plot in (gm.plots.individuals, gm.plots.scree, gm.plots.shepard):
        assert plot(fit, backend="none").numbers
    choices = gm.dimension.choose(fit)
    truth = gm.dimension.choose(gm.KernelPCA(kernel=KERNEL), X, rules=list(choices.index))
    assert choices["q"].tolist() == truth["q"].tolist()
    assert fit.training_.kind == "gram" and fit.training_.rows.n == 40


class Wrong(Rows):
    """Parts that contradict each other, or that are no numbers."""

    def __init__(self, what):
        super().__init__()
        self.what = what
        self.n = {"count": 1, "no count": None}.get(what, 40)

    def matmul(self, V):
        K = self.K + np.triu(np.ones_like(self.K)) if self.what == "asymmetric" else self.K
        return {"shape": K @ V[:, :1], "nan": np.nan * (K @ V)}.get(self.what, K @ V)

    def diag(self):
        return self.K.diagonal() * (-3.0 if self.what == "diag" else 1.0)

    def block(self, rows, cols):
        return self.K[rows, cols] * (2.0 if self.what == "block" else 1.0)

    @property
    def like(self):
        return np.empty(0, dtype=int if self.what == "integers" else float)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("count", "n=1"),
        ("no count", "n=None"),
        ("integers", "holds int64"),
        ("shape", "matmul.* has shape"),
        ("nan", "matmul.* holds NaN"),
        ("asymmetric", "not symmetric"),
        ("diag", "Wrong.diag and Wrong.matmul are of different matrices"),
        ("block", "Wrong.block and Wrong.matmul are of different matrices"),
    ],
)
def test_operators_that_contradict_themselves(what, words):
    with pytest.raises(InputError, match=words):
        gm.KernelPCA(2).fit(Wrong(what))


@pytest.mark.parametrize(
    "options",
    [{"approximation": gm.Nystrom(5)}, {"device": "cpu"}, {"kernel": gm.kernels.Linear()}],
    ids=["approximation", "device", "kernel"],
)
def test_options_that_an_operator_has_no_use_for(options):
    with pytest.raises(InputError, match=f"{next(iter(options))}= does not go with a Gram"):
        gm.KernelPCA(2, **options).fit(Rows())
