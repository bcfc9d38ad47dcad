"""Against missMDA: completed tables, the choice of axes, several tables."""

import numpy as np
import pandas as pd
import pytest
from tests.imputation.naive import plain
from tests.outside._factors import case, frame

import gramian as gm

TABLES = {"imputePCA_orange": "orange", "imputePCA_usarrests": "USArrests_na"}
CASES = [(name, key) for name in TABLES for key in case(name)["result"] if "default" not in key]
# Where steps are small the reference stopped before its values did: it is compared with the plain
# loop that stops where it did, and ours with the same loop that goes on.
EARLY = {
    ("imputePCA_orange", "EM_cov_ncp1"),
    ("imputePCA_orange", "EM_cov_ncp2"),
    ("imputePCA_orange", "EM_cov_ncp3"),
    ("imputePCA_orange", "roww_EM_cov_ncp1"),
    ("imputePCA_usarrests", "Regularized_cov_ncp2"),
    ("imputePCA_usarrests", "EM_cov_ncp1"),
    ("imputePCA_usarrests", "EM_cov_ncp2"),
}


def values(entry):
    return np.array(entry["data"], dtype=float)


def options(key, n):
    """Return the number of axes and our options for a stored case."""
    own = {"scale": "std" in key, "method": "em" if "EM" in key else "regularized"}
    own["sample_weight"] = np.arange(n) % 5 + 1.0 if "roww" in key else None
    return int(key[-1]), own | {"ridge": 2.0 if "ridge2" in key else 1.0}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        pytest.param(*case, marks=pytest.mark.slow if case[0] == "imputePCA_usarrests" else ())
        for case in CASES
    ],
)
def test_completed_tables(name, key):
    X, stored = frame(TABLES[name]), case(name)["result"][key]
    assert stored["converged"]
    q, own = options(key, len(X))
    done = gm.missing.impute(X, q, **own, max_iter=3000)
    table, fitted = values(stored["completeObs"]), values(stored["fittedX"])
    if (name, key) in EARLY:
        how = {"scale": own["scale"], "em": own["method"] == "em", "w": own["sample_weight"]}
        early = plain(X.to_numpy(), q, **how)
        np.testing.assert_allclose((early[0] - table) / X.std(ddof=0).to_numpy(), 0.0, atol=1e-5)
        table, fitted = plain(X.to_numpy(), q, **how, stop=1e-17, steps=60000)
    assert done.converged and done.n_components == q
    sd = X.std(ddof=0).to_numpy()
    np.testing.assert_allclose((done.table.to_numpy() - table) / sd, 0.0, atol=1e-5)
    if q:  # with no axis the reference gives back the table itself
        np.testing.assert_allclose((done.fitted.to_numpy() - fitted) / sd, 0.0, atol=1e-5)
    known = X.notna().to_numpy()
    assert (done.table.to_numpy()[known] == X.to_numpy()[known]).all()


def test_the_package_s_own_rule_stops_near():
    X = frame("orange")
    stored = values(case("imputePCA_orange")["result"]["default_Regularized_std_ncp2"])
    ours = gm.missing.impute(X, 2).table.to_numpy()
    np.testing.assert_allclose((ours - stored) / X.std(ddof=0).to_numpy(), 0.0, atol=1e-4)


@pytest.mark.parametrize("key", ["gcv", "gcv_EM", "gcv_cov"])
def test_generalised_cross_validation(key):
    stored = case("estim_ncpPCA_orange")["result"][key]
    choice = gm.missing.choose(
        frame("orange"),
        criterion="gcv",
        scale="cov" not in key,
        method="em" if "EM" in key else "regularized",
        standardized=False,
    )
    theirs = np.array(stored["criterion"]["values"])[: len(choice.criterion)]
    np.testing.assert_allclose(choice.criterion, theirs, rtol=5e-5)  # theirs stop early
    assert choice.n_components == stored["ncp"]


@pytest.mark.parametrize("key", ["gcv", "gcv_EM", "gcv_cov"])
def test_generalised_cross_validation_where_theirs_stops(key):
    """The formula itself, at the tables where missMDA stops."""
    stored = case("estim_ncpPCA_orange")["result"][key]
    X = frame("orange").to_numpy()
    (n, p), known = X.shape, ~np.isnan(X)
    for q in range(1, len(stored["criterion"]["values"])):
        _, fitted = plain(X, q, scale="cov" not in key, em="EM" in key, stop=1e-6, steps=1000)
        free = known.sum() - p - q * (n + p - q - 1)
        error = np.mean((known.sum() / free * (X - fitted)[known]) ** 2)
        np.testing.assert_allclose(error, stored["criterion"]["values"][q], rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["loo", "loo_cov"])
def test_one_cell_at_a_time(key):
    stored = case("estim_ncpPCA_orange")["result"][key]
    theirs = np.array(stored["criterion"]["values"])
    choice = gm.missing.choose(
        frame("orange"),
        criterion="loo",
        scale="cov" not in key,
        max_components=len(theirs) - 1,
        standardized=False,
    )
    np.testing.assert_allclose(choice.criterion, theirs, rtol=5e-3)  # theirs stop very early
    assert choice.n_components == stored["ncp"] == 2


@pytest.mark.slow
def test_cells_hidden_at_random():
    """Theirs is the mean of 50 tables; its error is known from 300 drawn and filled in plainly."""
    stored = case("estim_ncpPCA_orange")["result"]["kfold_seed11_nbsim50_pNA0.05"]
    X = frame("orange")
    choice = gm.missing.choose(
        X, criterion="kfold", max_components=3, n_repeats=300, standardized=False
    )
    # They give the sum over the hidden cells, 5 % of all, of those that were known.
    hidden = round(0.05 * X.size) * X.notna().to_numpy().mean()
    gap = hidden * choice.criterion.to_numpy() - stored["criterion"]["values"]
    assert (np.abs(gap) < 2.0 * np.array([0.85, 0.58, 0.42, 0.46])).all()
    assert choice.n_components == stored["ncp"] == 2


@pytest.mark.parametrize("key", ["std_ncp2", "cov_ncp1"])
def test_noise_and_signal_of_multiple_imputation(key):
    stored = case("MIPCA_orange")["result"][key]
    X = frame("orange")
    many = gm.missing.multiple(X, int(key[-1]), scale="std" in key, n_tables=3)
    np.testing.assert_allclose(many.sigma, stored["sigma"], rtol=1e-5)
    sd = X.std(ddof=0).to_numpy()
    for ours, theirs in (
        (many.reconstruction, "reconstruction"),
        (many.imputation.table, "imputed"),
    ):
        gap = (ours.to_numpy() - values(stored[theirs])) / sd
        np.testing.assert_allclose(gap, 0.0, atol=1e-5)


@pytest.mark.slow
def test_what_many_tables_have_in_the_holes():
    stored = case("MIPCA_orange")["result"]["boot_std_ncp2"]
    X = frame("orange")
    many = gm.missing.multiple(X, 2, n_tables=500, random_state=1)
    holes = X.isna().to_numpy()
    drawn = np.array([table.to_numpy().T[holes.T] for table in many.tables])
    mean = np.array(stored["mean_columnmajor"]["values"])
    sd = np.array(stored["sd_columnmajor"]["values"])
    assert np.abs((drawn.mean(axis=0) - mean) / (sd / np.sqrt(stored["nboot"]))).max() < 4.0
    np.testing.assert_allclose(drawn.std(axis=0, ddof=1), sd, rtol=0.25)


@pytest.mark.slow
@pytest.mark.parametrize("key", list(case("imputeMCA_vnf")["result"]))
def test_answers(key):
    stored = case("imputeMCA_vnf")["result"][key]
    X = frame("vnf_150").astype("Int64").astype("string")
    how = "em" if "EM" in key else "regularized"
    done = gm.missing.impute(X, int(key[-1]), method=how)
    theirs = values(stored["tab.disj"])
    loose = 3e-5 if key == "EM_ncp2" else 1e-5  # where the reference stops before its values do
    np.testing.assert_allclose(done.indicators.to_numpy(), theirs, atol=loose)
    sums = done.indicators.T.groupby(lambda name: name.split("=")[0]).sum()
    np.testing.assert_allclose(sums, 1.0, atol=1e-9)
    if "completeObs" in stored:
        levels = pd.DataFrame({c: stored["completeObs"][c] for c in X.columns}, index=X.index)
        assert (done.table == levels).all().all()


@pytest.mark.parametrize("key", [k for k in case("imputeFAMD_snorena")["result"] if k != "ncp0"])
def test_numbers_and_answers(key):
    stored = case("imputeFAMD_snorena")["result"][key]
    X = frame("snorena")
    done = gm.missing.impute(X, int(key[-1]), method="em" if "EM" in key else "regularized")
    sd = done.indicators.std(ddof=0).to_numpy()
    gap = (done.indicators.to_numpy() - values(stored["tab.disj"])) / sd
    np.testing.assert_allclose(gap, 0.0, atol=1e-4)
    if "completeObs" in stored:
        for name in ("sex", "snore", "tobacco"):
            theirs = [level.split("_")[-1] for level in stored["completeObs"][name]]
            assert list(done.table[name]) == theirs
