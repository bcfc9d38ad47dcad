"""What fits many times: a hostile table must give what its numbers give in a plain array.

The numbers are moved and scaled to the unit first, which changes none of these answers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import gramian as gm

from ..cell import Entry, Pair
from ..truth import Rows
from .common import three_rows, two_axes, vary
from .fits import squared_cosines
from .functions import AXIS, BOOLS, MISSING


def unit(v: Any) -> np.ndarray:
    """The numbers around zero and near one, in doubles."""
    t = Rows(v)
    size = np.abs(t.C).max()
    return (t.C / (2.0 ** np.round(np.log2(size)) if size else 1)).astype(float)


def twin(study: Any) -> Any:
    """The study of the input, beside that of its numbers at the unit."""
    return lambda x, v: (study(x), study(unit(v)))


def same(*read: Any, axes: bool = False) -> Any:
    """Pairs of readings, where no axis is rounding; of `axes`, where none is tied to another."""

    def pairs(both: Any, t: Rows) -> list[Pair]:
        m = min(t.n - 1, t.p)
        clear = m > 1 and t.variances[m - 1] > 1e-8 * t.variances[0]
        gaps = -np.diff(t.variances[:m])
        clear = clear and not (axes and (gaps < 1e-8 * t.variances[0]).any())
        return [(r(both[0]), r(both[1])) for r in read] if clear else []

    return pairs


def long(X: np.ndarray) -> bool:
    return two_axes(X) and len(X) > X.shape[1] + 3 and len(X) < 100


def nowhere(X: np.ndarray) -> bool:
    return False


def fitted(x: Any) -> Any:
    return gm.PCA(2).fit(x)


def angles(r: Any) -> np.ndarray:
    """Return the angles of axes in degrees; the tenth digit of one that is none is rounding."""
    return r.axes[["angle", "subspace"]].to_numpy(dtype=float).round(9)


SMALL = {"random_state": 0}
ENTRIES = [
    Entry(
        "dimension.parallel_analysis",
        twin(lambda x: gm.dimension.parallel_analysis(x, n_permutations=19, **SMALL)),
        same(lambda r: r.n_components, lambda r: r.p_values),
        "X source",
        long,
        skips=AXIS,
        share=0.5,
    ),
    Entry(
        "dimension.kernel_parallel_analysis",
        twin(lambda x: gm.dimension.kernel_parallel_analysis(x, n_permutations=19, **SMALL)),
        same(lambda r: r.n_components),
        fits=long,
        share=0.2,
    ),
    Entry(
        "dimension.cross_validation",
        twin(lambda x: gm.dimension.cross_validation(x)),
        same(lambda r: r.n_components),
        fits=long,
        share=0.5,
    ),
    Entry(
        "dimension.bi_cross_validation",
        twin(lambda x: gm.dimension.bi_cross_validation(x, n_repeats=2, **SMALL)),
        same(lambda r: r.n_components),
        arguments="X n_folds",
        fits=nowhere,
        share=0.3,
    ),
    Entry(
        "dimension.choose",
        twin(lambda x: gm.dimension.choose(x, quick=True, n_permutations=19, **SMALL)),
        same(lambda r: r["q"].to_numpy() if "q" in r else r.iloc[:, 0].to_numpy(dtype=float)),
        "X source",
        long,
        skips=AXIS,
        share=0.2,
    ),
    Entry(
        "stability.bootstrap",
        twin(lambda x: gm.stability.bootstrap(gm.PCA(2), x, n_resamples=5, **SMALL)),
        same(angles, axes=True),
        arguments="X n_components",
        fits=long,
        share=0.3,
        loose=1e3,
    ),
    Entry(
        "stability.jackknife",
        twin(lambda x: gm.stability.jackknife(gm.PCA(2), x)),
        same(angles, axes=True),
        arguments="X n_components",
        fits=long,
        share=0.3,
        loose=1e3,
    ),
    Entry(
        "importance.gradient(X)",
        lambda x, v: gm.importance.gradient(fitted(v), x),
        lambda T, t: [(np.isfinite(T.to_numpy(dtype=float)).all(), True)],
        arguments="X n_components",
        fits=two_axes,
        skips="None",
    ),
    Entry(
        "importance.permutation(X)",
        lambda x, v: gm.importance.permutation(fitted(v), x, n_permutations=2, **SMALL),
        lambda T, t: [(len(T), t.p)],
        arguments="X n_components",
        fits=long,
        share=0.3,
        skips="None",
    ),
    Entry(
        "kernels.select",
        twin(lambda x: gm.kernels.select(x, ["linear", "gaussian"], n_permutations=3, **SMALL)),
        same(lambda r: r.table["effective_rank"].to_numpy(dtype=float)),
        fits=long,
        share=0.3,
    ),
    Entry(
        "networks.replicate_study",
        lambda x, v: gm.networks.replicate_study(
            x, sizes=[6, 8], n_resamples=3, n_permutations=0, **SMALL
        ),
        lambda s, t: [(len(s.curve) > 0, True)],
        arguments="X sizes",
        fits=nowhere,
        share=0.1,
    ),
    Entry(
        "plots.individuals(supplementary)",
        lambda x, v: gm.plots.individuals(fitted(v), supplementary=x, backend="none"),
        lambda f, t: [(True, True)],
        "supplementary X",
        two_axes,
        share=0.5,
        skips="None",
    ),
    Entry(
        "plots.gram(X)",
        lambda x, v: gm.plots.gram(gm.KernelPCA(2).fit(v), x, backend="none"),
        lambda f, t: [(True, True)],
        fits=nowhere,
        share=0.5,
        skips="None",
    ),
    Entry(
        "plots.shepard(X)",
        lambda x, v: gm.plots.shepard(fitted(v), x, backend="none"),
        lambda f, t: [(True, True)],
        arguments="X n_components",  # PCA(2) is fitted on the way
        fits=nowhere,
        share=0.3,
        skips="None",
    ),
    Entry(
        "plots.reconstruction(X)",
        lambda x, v: gm.plots.reconstruction(fitted(v), x, backend="none"),
        lambda f, t: [(True, True)],
        arguments="X n_components",  # PCA(2) is fitted on the way
        fits=two_axes,
        share=0.3,
        skips="None",
    ),
    Entry(
        "plots.scree",
        lambda x, v: gm.plots.scree(gm.PCA().fit(x), backend="none"),
        lambda f, t: [(True, True)],
        fits=vary,
        share=0.3,
    ),
    Entry(
        "PCA.variables(table)",
        lambda x, v: gm.PCA().fit(v).variables(x),
        squared_cosines,
        "table X",
        fits=three_rows,
        takes=f"pandas,polars,pyarrow,{MISSING}",
        skips=f"None,{BOOLS}",
    ),
    Entry(
        "io.as_source",
        lambda x, v: gm.io.as_source(x),
        lambda s, t: [(len(s.names), t.n)],
        "X data source table",
        nowhere,
        takes="pandas,polars,pyarrow,number types,containers,not finite,torch NaN,torch inf f2,"
        "the strict standard: NaN",
    ),
    Entry(
        "report.study",
        lambda x, v: gm.report.study(x),
        lambda s, t: [(0 <= s.q <= t.p, True)],
        "X data source table",
        nowhere,
        takes="pandas,polars,pyarrow,number types,containers,not finite",
        share=0.03,
    ),
]
