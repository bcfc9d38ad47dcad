"""FactoMineR's HCPC, catdes and condes, from the stored coordinates and from our own fits."""

import types

import numpy as np
import pandas as pd
import pytest
from tests.outside._reference import array, load, table

import gramian as gm
from gramian.clusters.tree import Tree, _chain, ward

FOLDER = "factor_methods/"
CASES = [
    "hcpc_decathlon_auto",
    "hcpc_usarrests_4_noconsol",
    "hcpc_usarrests_4_consol",
    "hcpc_usarrests_roww",
    "hcpc_poison_mca_auto",
    "hcpc_poison_mca_3_noconsol",
    "hcpc_children_ca",
]


def raw_weights(case):
    n = len(load(f"{FOLDER}{case}.json")["result"]["coord_used"]["rows"])
    if case == "hcpc_usarrests_roww":
        return np.arange(n) % 5 + 1.0
    if case == "hcpc_children_ca":
        return table(f"{FOLDER}data/children.csv").iloc[:n, :5].sum(axis=1).to_numpy(float)
    return np.ones(n)


def stored(case):
    """Return a fit whose coordinates are those that FactoMineR used, and its result."""
    result = load(f"{FOLDER}{case}.json")["result"]
    entry = result["coord_used"]
    F, w = array(entry), raw_weights(case)
    centred = F - np.average(F, axis=0, weights=w)
    frame = pd.DataFrame(centred, index=entry["rows"])
    fit = gm.PCA().fit(frame, sample_weight=w)
    # The same rows in the same place: the axes are already principal.
    np.testing.assert_allclose(np.abs(fit.coordinates_), np.abs(centred), atol=1e-6)
    return fit, result


def partition(labels):
    return {frozenset(rows) for rows in pd.Series(labels).groupby(labels).groups.values()}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("make", [ward, lambda F, w: Tree(_chain(F, w), np.arange(len(F)))])
def test_tree(case, make):
    result = load(f"{FOLDER}{case}.json")["result"]
    w = raw_weights(case)
    tree = make(array(result["coord_used"]), w / w.sum())
    np.testing.assert_allclose(tree.gains, array(result["inert_gain"]), atol=1e-9)
    np.testing.assert_allclose(tree.within, array(result["within"]), atol=1e-9)
    assert tree.suggested == result["nb_clust_suggested"]


@pytest.mark.parametrize("case", CASES)
def test_classes(case):
    call = load(f"{FOLDER}{case}.json")["call"]
    fit, result = stored(case)
    asked = call["nb.clust"] if call["nb.clust"] > 0 else "hcpc"
    found = gm.clusters.find(fit, asked, consolidate=call["consol"])
    clust = result["clust"]
    expected = pd.Series(clust["values"], index=clust["names"]).loc[found.labels.index]
    assert partition(found.labels) == partition(expected)
    if call["consol"]:
        assert found.inertia["between"] == pytest.approx(result["bw_after_consol"], abs=1e-9)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("name", "method"), [("para", "paragons"), ("dist", "extremes")])
def test_paragons(case, name, method):
    call = load(f"{FOLDER}{case}.json")["call"]
    fit, result = stored(case)
    k = len(result["sizes"]["values"])
    found = gm.clusters.find(fit, k, consolidate=call["consol"])
    n = call.get("nb.par", 5)
    rows = getattr(found, method)(n, weighted=False)
    for entry in result["desc_ind"][name].values():
        own = rows[rows["class"] == found.labels[entry["names"][0]]]
        np.testing.assert_allclose(own["distance"], entry["values"], atol=1e-7)
        if np.diff(entry["values"]).size == 0 or np.abs(np.diff(entry["values"])).min() > 1e-6:
            assert own["row"].tolist() == entry["names"]


@pytest.mark.slow
@pytest.mark.parametrize("case", ["hcpc_decathlon_auto", "hcpc_usarrests_4_consol"])
def test_description_of_classes(case):
    data = {"hcpc_decathlon_auto": "decathlon", "hcpc_usarrests_4_consol": "USArrests"}[case]
    frame = table(f"{FOLDER}data/{data}.csv")
    call = load(f"{FOLDER}{case}.json")["call"]
    fit, result = stored(case)
    active = frame.iloc[:, :10]
    own = gm.PCA(fit.n_components_, scale=True).fit(active)
    found = gm.clusters.find(own, len(result["sizes"]["values"]))
    alpha = call.get("proba", 0.05)
    clust = pd.Series(result["clust"]["values"], index=result["clust"]["names"])
    classes = {clust[row]: number for row, number in found.labels.items()}
    extra = frame.iloc[:, 10:] if frame.shape[1] > 10 else None
    for entry, ours in (
        (result["desc_var"], found.describe(extra, alpha=alpha)),
        (result["desc_axes"], found.axes(alpha=alpha)),
    ):
        check_numbers(entry, ours, classes, flipped="axes" if entry is result["desc_axes"] else "")


def check_numbers(entry, ours, classes, flipped=""):
    got = ours.classes[ours.classes["kind"] == "number"]
    for name, part in entry["quanti"].items():
        own = got[got["class"] == classes[name]].copy()
        own.index = own["variable"].str.replace(" ", ".").str.replace("axis.", "Dim.")
        assert set(own.index) == set(part["rows"])
        own = own.loc[part["rows"]]
        expected = array(part)
        sign = np.where(own["v_test"] * expected[:, 0] < 0, -1.0, 1.0) if flipped else 1.0
        np.testing.assert_allclose(own["v_test"] * sign, expected[:, 0], atol=1e-7)
        np.testing.assert_allclose(own["mean"] * sign, expected[:, 1], atol=1e-7)
        np.testing.assert_allclose(own["sd"], expected[:, 3], atol=1e-7)
        np.testing.assert_allclose(own["p_value"], expected[:, 5], rtol=1e-6)
    whole = ours.variables.set_index(ours.variables["variable"].str.replace("axis ", "Dim."))
    expected = entry["quanti.var"]
    got = whole.loc[expected["rows"], ["statistic", "p_value"]].to_numpy(float)
    np.testing.assert_allclose(got, array(expected), rtol=1e-6, atol=1e-7)


@pytest.mark.slow
def test_weights_count_rows_in_the_description():
    fit, result = stored("hcpc_usarrests_roww")
    frame = table(f"{FOLDER}data/USArrests.csv")
    w = raw_weights("hcpc_usarrests_roww")
    found = gm.clusters.find(fit, 3, consolidate=False)
    clust = pd.Series(result["clust"]["values"], index=result["clust"]["names"])
    classes = {clust[row]: number for row, number in found.labels.items()}
    ours = gm.clusters.describe(found.labels, frame, weights=w)
    check_numbers(result["desc_var"], ours, classes)
    again = found.describe(frame, weights=w).classes
    again = again[again["variable"].isin(frame.columns)].reset_index(drop=True)
    pd.testing.assert_frame_equal(again, ours.classes, check_dtype=False)


@pytest.mark.slow
def test_categories_of_classes():
    result = load(f"{FOLDER}hcpc_poison_mca_auto.json")["result"]
    frame = table(f"{FOLDER}data/poison.csv")
    clust = pd.Series(result["clust"]["values"], index=result["clust"]["names"])
    clust.index = clust.index.astype(frame.index.dtype)
    ours = gm.clusters.describe(clust.loc[frame.index], frame)
    check_categories(result["desc_var"], ours)
    check_numbers_only(result["desc_var"], ours)


def check_categories(entry, ours):
    got = ours.classes[ours.classes["kind"] == "category"]
    names = ["share_of_category", "share_of_class", "overall_share", "p_value", "v_test"]
    for name, part in entry["category"].items():
        own = got[got["class"].astype(str) == name]
        own = own.set_index(own["variable"] + "=" + own["category"])
        assert set(own.index) == set(part["rows"])
        values = own.loc[part["rows"], names].to_numpy(float) * [100, 100, 100, 1, 1]
        np.testing.assert_allclose(values, array(part), rtol=1e-6, atol=1e-7)
    got = ours.variables.set_index("variable").loc[entry["test.chi2"]["rows"], ["p_value", "df"]]
    np.testing.assert_allclose(got.to_numpy(float), array(entry["test.chi2"]), rtol=1e-6)


def check_numbers_only(entry, ours):
    got = ours.classes[ours.classes["kind"] == "number"]
    names = ["v_test", "mean", "overall_mean", "sd", "overall_sd", "p_value"]
    for name, part in entry["quanti"].items():
        own = got[got["class"].astype(str) == name]
        if part is None:
            assert own.empty
            continue
        own = own.set_index(own["variable"].str.replace(" ", ".")).loc[part["rows"], names]
        np.testing.assert_allclose(own.to_numpy(float), array(part), rtol=1e-6, atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("case", ["poison_sick", "poison_roww", "wine_soil", "wine_label_p05"])
def test_catdes(case):
    reference = load(f"{FOLDER}catdes_{case}.json")
    call, result = types.SimpleNamespace(**reference["call"]), reference["result"]
    frame = table(FOLDER + reference["data"])
    groups = frame.iloc[:, reference["call"]["num.var"] - 1]
    weights = reference["call"].get("row.w")
    ours = gm.clusters.describe(
        groups, frame.drop(columns=groups.name), weights=weights, alpha=call.proba
    )
    check_numbers_only(result, ours)
    if "category" in result:
        check_categories(result, ours)


@pytest.mark.slow
@pytest.mark.parametrize("case", ["decathlon_points", "wine_quality_p05"])
def test_condes_is_the_description_of_one_axis(case):
    reference = load(f"{FOLDER}condes_{case}.json")
    frame = table(FOLDER + reference["data"])
    number = frame.columns[reference["call"]["num.var"] - 1]
    alpha = min(reference["call"]["proba"], 1.0 - 1e-12)
    ours = gm.PCA(1).fit(frame[[number]]).describe(frame.drop(columns=number), alpha=alpha)
    ours = ours[ours["name"] != number]
    label = ours["name"].where(
        ours["category"].isna(), ours["name"] + "=" + ours["category"].astype(str)
    )
    ours = ours.set_index(label.str.replace(" ", "."))
    for kind, name in (
        ("quantitative", "quanti"),
        ("qualitative", "quali"),
        ("category", "category"),
    ):
        part = reference["result"][name]
        own = ours[ours["kind"] == kind]
        assert set(own.index) == set(part["rows"])
        values = own.loc[part["rows"], ["statistic", "p_value"]].to_numpy(float)
        np.testing.assert_allclose(values, array(part), rtol=1e-6, atol=1e-7)


@pytest.mark.slow
def test_classes_of_answers():
    frame = table(f"{FOLDER}data/poison.csv")
    result = load(f"{FOLDER}hcpc_poison_mca_auto.json")["result"]
    found = gm.clusters.find(gm.MCA(5).fit(frame.iloc[:, 4:]), "hcpc")
    clust = pd.Series(result["clust"]["values"], index=frame.index)
    assert partition(found.labels) == partition(clust)
    ours = found.describe(frame.iloc[:, :4])
    names = {number: clust[row] for row, number in found.labels.items()}
    ours.classes["class"] = ours.classes["class"].map(names)
    check_categories(result["desc_var"], ours)
    check_numbers_only(result["desc_var"], ours)


@pytest.mark.slow
def test_classes_of_counts():
    counts = table(f"{FOLDER}data/children.csv").iloc[:14, :5]
    result = load(f"{FOLDER}hcpc_children_ca.json")["result"]
    found = gm.clusters.find(gm.CA(4).fit(counts), 3, consolidate=False)
    clust = pd.Series(result["clust"]["values"], index=result["clust"]["names"])
    assert partition(found.labels) == partition(clust.loc[counts.index])
    np.testing.assert_allclose(found.tree.gains, array(result["inert_gain"]), atol=1e-9)
    ours = found.describe().classes
    for name, part in result["desc_freq"].items():
        own = ours[ours["class"] == found.labels[clust.index[clust == name][0]]]
        own = own.set_index("category").loc[part["rows"]]
        values = own[["share_of_class", "overall_share", "p_value", "v_test"]].to_numpy(float)
        expected = array(part)[:, [0, 1, 4, 5]] / [100, 100, 1, 1]
        np.testing.assert_allclose(values, expected, rtol=1e-6, atol=1e-7)
        assert len(own) == len(part["rows"])
