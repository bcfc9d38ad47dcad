"""The report of a map made by other software: what has a ground, and words for the rest."""

import re

import numpy as np
import pytest
from sklearn.decomposition import PCA, KernelPCA

import gramian as gm
from gramian.errors import InputTypeError

pytestmark = pytest.mark.slow


IRIS = gm.datasets.iris().data


def bent(rows):
    """Return a map that is no projection."""
    X = rows.to_numpy()
    return np.column_stack([np.tanh(X[:, 2] - 3.0), np.sin(X[:, 1])])


def text_of(path):
    page = re.sub(r"<(script|style).*?</\1>", "", path.read_text(encoding="utf-8"), flags=re.S)
    return " ".join(re.sub("<[^>]+>", " ", page).split())


def test_the_first_axes_of_another_pca_have_the_claims_of_ours():
    theirs = gm.study(gm.read_map(PCA(3).fit(IRIS), IRIS))
    ours = gm.study(gm.PCA(3).fit(IRIS))
    assert theirs.tested and theirs.subject.title == "PCA"
    assert [c.text for c in theirs.claims] == [c.text for c in ours.claims]


def test_other_axes_than_the_first_are_not_taken_for_them():
    Z = PCA(3).fit_transform(IRIS)[:, 1:]
    assert not gm.study(gm.read_map(Z, IRIS)).tested


def test_a_map_says_what_its_shares_are_and_how_well_it_keeps_neighbours():
    reading = gm.read_map(bent(IRIS), IRIS)
    study = gm.study(reading)
    said = {c.subject: c.text for c in study.claims}
    assert "the map was made by other software" in said["axes"]
    assert any("not a share of the inertia" in c.text for c in study.of("data", axis=1))
    expected = reading.neighbourhoods(n_neighbors=15).iloc[0]
    assert f"trustworthiness of {expected['trustworthiness']:.2f}" in said["note"]
    assert f"continuity of {expected['continuity']:.2f}" in said["note"]
    bare = gm.study(gm.read_map(bent(IRIS)))
    assert not any("trustworthiness" in c.text for c in bare.claims)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_of_a_map(tmp_path, language):
    page = gm.report.write(gm.read_map(bent(IRIS), IRIS), tmp_path / "map.html", language=language)
    words = {"en": "a map made by other software", "fr": "une carte faite par un autre logiciel"}
    assert words[language] in text_of(page)
    of = {"en": r"% of the map", "fr": r"% de la carte"}
    assert of[language] in page.read_text(encoding="utf-8")


def test_a_fit_that_keeps_its_rows_needs_no_reading():
    study = gm.study(KernelPCA(2, kernel="rbf").fit(IRIS))
    assert study.subject.title == "KernelPCA" and study.subject.n == 150
    with pytest.raises(InputTypeError, match=r"give gm\.read_map\(fitted, X\)"):
        gm.study(PCA(2).fit(IRIS))


def test_axes_of_a_map_share_its_variance_and_say_so():
    X = IRIS.iloc[::10]
    stress = gm.plots.individuals(gm.MDS(2, n_init=1).fit(X), backend="none").panels[0]
    assert stress.x.title.endswith(" % of the map)") and stress.y.title.endswith(" % of the map)")
    classical = gm.plots.individuals(gm.ClassicalMDS(2).fit(X), backend="none").panels[0]
    assert classical.x.title.endswith(" %)")
