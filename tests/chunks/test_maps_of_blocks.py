"""Maps, outputs and weights of rows that a fit does not keep."""

import numpy as np
import pandas as pd
import pytest
from tests.chunks.cases import even, spread

import gramian as gm
from gramian.errors import InputError, InputTypeError

X = spread(300, 6)
NAMES = [f"v{k}" for k in range(6)]


def scanned(Y=X):
    return gm.io.scan([Y[:170], Y[170:]])


FITS = {
    "scan": lambda: gm.PCA(3).fit(scanned()),
    "dask": lambda: gm.PCA(3).fit(even(X)),
    "landmarks": lambda: gm.KernelPCA(3, approximation=gm.Nystrom(40)).fit(scanned()),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["individuals", "pairs", "map3d"])
@pytest.mark.parametrize("kind", FITS)
def test_a_map_of_some_rows(kind, name):
    fit, sample = FITS[kind](), X[20:60]
    record = getattr(gm.plots, name)(fit, X=sample, backend="none")
    drawn = record.numbers["individuals"].coordinates
    np.testing.assert_allclose(drawn, fit.transform(sample)[:, : drawn.shape[1]], atol=1e-12)


@pytest.mark.parametrize("name", ["individuals", "biplot", "pairs", "cos2", "shepard", "gram"])
def test_the_refusal_names_what_draws(name):
    fit, plot = FITS["scan"](), getattr(gm.plots, name)
    with pytest.raises(InputError, match=r"X is missing.*rows\.sample\(1000\)"):
        plot(fit, backend="none")
    plot(fit, X=scanned().sample(50), backend="none")
    plot(fit, X=scanned(), backend="none")


def test_the_scan_itself_is_drawn_by_some_of_its_rows():
    Y = np.random.default_rng(0).standard_normal((5_000, 3))
    rows = gm.io.scan([Y[:3_000], Y[3_000:]])
    record = gm.plots.individuals(gm.PCA(2).fit(rows), X=rows, backend="none")
    assert len(record.numbers["individuals"].index) == 2_000
    assert "2,000 of 5,000 rows, at random" in str(record.notes)


def test_bars_and_curves():
    fit = FITS["scan"]()
    with pytest.raises(InputError, match=r"of='variables', or cos2\(fit, X=sample\)"):
        gm.plots.contributions(fit, backend="none")
    gm.plots.contributions(fit, of="variables", backend="none")
    curve = gm.plots.reconstruction(fit, X, backend="none").numbers["new rows"]
    whole = gm.plots.reconstruction(gm.PCA(3).fit(X), backend="none").numbers["fit"]
    np.testing.assert_allclose(curve, whole, rtol=1e-9)
    with pytest.raises(InputTypeError, match=r"X\[::100\]\.compute\(\)"):
        gm.plots.individuals(fit, X=even(X), backend="none")


def test_a_biplot_of_all_rows_is_that_of_one_table():
    rows, whole = gm.plots.biplot(FITS["scan"](), X=X, backend="none"), gm.PCA(3).fit(X)
    np.testing.assert_allclose(
        rows.numbers["rows"], gm.plots.biplot(whole, backend="none").numbers["rows"], atol=1e-10
    )


@pytest.mark.parametrize("estimator", [gm.PCA(2), gm.Nystrom(20, random_state=0)], ids=str)
def test_frames_are_made_block_by_block(estimator):
    """scikit-learn's `set_output` would hold all rows of a scan, or of dask, as one table."""
    frame = pd.DataFrame(X, columns=NAMES, index=[f"r{k}" for k in range(300)])
    fit = estimator.set_output(transform="pandas").fit(frame)
    lazy = fit.transform(gm.io.scan([frame[:170], frame[170:]]))
    assert isinstance(lazy, gm.io.Scan)
    pd.testing.assert_frame_equal(lazy.collect(), fit.transform(frame), atol=1e-12)
    fit = estimator.set_output(transform="pandas").fit(X)
    assert type(fit.transform(even(X))).__module__.startswith("dask")
    assert isinstance(fit.transform(X), pd.DataFrame)


def test_coordinates_of_a_fit_stay_lazy():
    places = gm.PCA(2).set_output(transform="pandas").fit_transform(scanned())
    assert isinstance(places, gm.io.Scan) and list(places.collect().columns) == ["axis 1", "axis 2"]


@pytest.mark.parametrize("kind", ["frame", "scan", "dask"])
def test_weights_by_the_name_of_a_column(kind):
    import dask.dataframe as dd

    w = np.random.default_rng(1).integers(1, 4, 300).astype(float)
    frame = pd.DataFrame(X, columns=NAMES).assign(w=w)
    whole = gm.PCA(2).fit(frame[NAMES], sample_weight=w)
    parts = gm.io.scan([frame[:170], frame[170:]])
    tables = {
        "frame": (frame, frame[NAMES], frame["w"]),
        "scan": (parts, parts.take(NAMES), parts.take(["w"])),
    }
    D = dd.from_pandas(frame, npartitions=3)
    tables["dask"] = (D, D[NAMES], D["w"])
    rows, features, column = tables[kind]
    with pytest.raises(InputTypeError, match=r"sample_weight='w'.*X\['w'\].*X\.take\(\['w'\]\)"):
        gm.PCA(2).fit(rows, sample_weight="w")
    fit = gm.PCA(2).fit(features, sample_weight=column)
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-12)
    if kind == "scan":
        with pytest.raises(InputError, match="a scan of 7 columns: give one"):
            gm.PCA(2).fit(features, sample_weight=rows)
