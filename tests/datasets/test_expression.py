import time

import numpy as np
import pytest

from gramian.datasets import gene_expression


@pytest.fixture(scope="module")
def plants():
    return gene_expression()


def signs(record, factor):
    return 2.0 * record.groups[factor].cat.codes.to_numpy() - 1


def residuals(record):
    by = [record.groups["temperature"], record.groups["co2"]]
    return record.data - record.data.groupby(by, observed=True).transform("mean")


def test_shape_and_labels(plants):
    assert plants.data.shape == (24, 3000)
    assert plants.data.index[[0, 23]].tolist() == ["T20_C400_r1", "T30_C800_r6"]
    assert plants.data.columns[[0, -1]].tolist() == ["G0001", "G3000"]
    assert plants.data.index.is_unique and plants.data.columns.is_unique
    assert plants.groups.columns.tolist() == ["temperature", "co2", "replicate"]
    assert plants.groups.value_counts().tolist() == [1] * 24
    assert ["_".join(row) for row in plants.groups.to_numpy()] == plants.data.index.tolist()


def test_deterministic_and_quick():
    start = time.perf_counter()
    first = gene_expression(random_state=4)
    assert time.perf_counter() - start < 1.0  # about 0.03 s on a free machine
    assert first.data.equals(gene_expression(random_state=4).data)
    assert not first.data.equals(gene_expression(random_state=5).data)


@pytest.mark.slow
@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("options", [{}, {"n_genes": 1000}, {"n_replicates": 3}])
@pytest.mark.parametrize("seed", range(4))
def test_first_axis_is_temperature_and_second_is_co2(seed, options, scale):
    record = gene_expression(random_state=seed, **options)
    X = record.data.to_numpy() - record.data.to_numpy().mean(axis=0)
    U = np.linalg.svd(X / X.std(axis=0) if scale else X, full_matrices=False)[0]
    for axis, factor in enumerate(["temperature", "co2"]):
        t = signs(record, factor)
        high, low = U[t > 0, axis], U[t < 0, axis]
        assert (U[:, axis] @ t) ** 2 / t.size > 0.9  # share of the axis explained, eta²
        assert min(high) > max(low) or min(low) > max(high)


def test_responding_sets_are_disjoint_and_carry_the_effects(plants):
    responding, effects = plants.truth["responding"], plants.truth["effects"]
    assert {factor: len(genes) for factor, genes in responding.items()} == {
        "temperature": 600,
        "co2": 360,
        "interaction": 90,
    }
    for factor, genes in responding.items():
        assert effects.index[effects[factor] != 0].tolist() == genes
    assert ((effects != 0).sum(axis=1) <= 1).all()
    np.testing.assert_allclose(
        [effects.loc[genes, factor].abs().mean() for factor, genes in responding.items()],
        [1.5, 1.0, 1.2],
        rtol=0.1,
    )


def test_effects_are_the_contrasts_of_the_means(plants):
    quiet = gene_expression(noise=0.0)
    X, t, c = quiet.data.to_numpy(), signs(quiet, "temperature"), signs(quiet, "co2")
    contrasts = np.column_stack([t / 12, c / 12, t * c / 6])
    found = X.T @ contrasts
    # only the shift of each sample is left, and it is common to all genes
    shift = np.median(found, axis=0)
    np.testing.assert_allclose(found - shift, quiet.truth["effects"], atol=1e-10)
    assert np.abs(shift).max() < 0.06
    assert quiet.truth["effects"].equals(plants.truth["effects"])


def test_noise_has_the_deviation_told_and_falls_with_expression(plants):
    pooled = np.sqrt((residuals(plants) ** 2).sum() / 20)
    assert np.median(pooled / plants.truth["sd"]) == pytest.approx(1.0, abs=0.05)
    low = plants.truth["baseline"] < 4
    assert pooled[low].mean() > 1.5 * pooled[~low].mean()
    assert plants.data.to_numpy().min() > -2 and plants.data.to_numpy().max() < 18


def test_modules_hubs_and_edges_agree(plants):
    modules, hubs, edges = (plants.truth[key] for key in ("modules", "hubs", "edges"))
    assert modules.value_counts().tolist() == [20] * 15
    assert not set(modules.index) & set().union(*plants.truth["responding"].values())
    assert [modules[hub] for hub in hubs.values()] == list(hubs)
    assert len(edges) == 15 * 20 * 19 // 2
    assert (modules[edges["source"]].to_numpy() == modules[edges["target"]].to_numpy()).all()
    assert (edges["source"].isin(hubs.values()) == edges["direct"]).all()
    assert len({frozenset(pair) for pair in edges[["source", "target"]].to_numpy()}) == len(edges)


@pytest.mark.slow
def test_edges_have_the_correlations_they_tell():
    record = gene_expression(500, 300, n_modules=3, random_state=1)
    edges = record.truth["edges"]
    R = residuals(record).corr()
    found = np.array([R.loc[a, b] for a, b in edges[["source", "target"]].to_numpy()])
    # six standard errors (1 − ρ²)/√n of a single pair, and a closer look at the average
    np.testing.assert_allclose(found, edges["correlation"], atol=0.06)
    assert (found - edges["correlation"]).groupby(edges["direct"]).mean().abs().max() < 0.01
    alone = R.drop(index=record.truth["modules"].index, columns=record.truth["modules"].index)
    assert np.median(np.abs(np.triu(alone, 1)[np.triu_indices(len(alone), 1)])) < 0.03


def test_direct_edges_are_those_that_remain_given_the_others():
    record = gene_expression(200, 300, n_modules=1, module_size=6, random_state=2)
    members = record.truth["modules"].index
    P = np.linalg.inv(residuals(record)[members].corr())
    partial = -P / np.sqrt(np.outer(np.diag(P), np.diag(P)))
    hub = members.get_loc(record.truth["hubs"]["M01"])
    to_hub = np.delete(partial[hub], hub)
    others = np.delete(np.delete(partial, hub, 0), hub, 1)
    assert to_hub.min() > 0.3
    assert np.abs(others[~np.eye(5, dtype=bool)]).max() < 0.1


def test_no_module_at_all():
    record = gene_expression(50, 2, n_modules=0)
    assert record.data.shape == (8, 50)
    assert len(record.truth["modules"]) == len(record.truth["edges"]) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_genes": 100, "n_modules": 10}, "do not fit"),
        ({"shares": (0.8, 0.2, 0.1)}, "do not fit"),
        ({"n_replicates": 0}, "n_replicates"),
        ({"module_size": 1}, "module_size"),
        ({"module_correlation": 1.2}, "module_correlation"),
    ],
)
def test_impossible_experiments_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        gene_expression(**options)
