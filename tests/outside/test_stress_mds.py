"""gm.MDS against MASS (isoMDS, sammon), vegan::monoMDS and scikit-learn's smacof on eurodist."""

import warnings
from typing import Any

import numpy as np
import pytest

import gramian as gm

from ._reference import array, load, table

D = table("data/eurodist.csv")
R = load("stress_mds/eurodist.json")
SKLEARN = load("stress_mds/sklearn_smacof.json")["results"]["eurodist"]
MONO = R["monoMDS"]
SUM = np.triu(D.to_numpy(), 1).sum()


def fit(q: int, n_init: int = 1, **options: Any) -> gm.MDS:
    return gm.MDS(q, metric="precomputed", n_init=n_init, **options).fit(D)


def at(points: Any, **options: Any) -> gm.MDS:
    """The map as it is, no step being taken."""
    points = array(points)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gm.errors.ConvergenceWarning)
        return fit(points.shape[1], start=points, max_iter=1, **options)


@pytest.mark.slow
@pytest.mark.parametrize("k", ["k2", "k3"])
def test_formulas_at_stored_points(k: str) -> None:
    metric, nonmetric = SKLEARN[f"{k}_metric"], SKLEARN[f"{k}_nonmetric"]
    ours = at(metric["points"])
    assert ours.stress_ == pytest.approx(metric["stress1_at_points"], rel=1e-9)
    assert ours.raw_stress_ == pytest.approx(metric["raw_stress_at_points"], rel=1e-9)
    ours = at(nonmetric["points"], scaling="ordinal", ties="secondary")
    assert ours.stress_ == pytest.approx(nonmetric["stress1_at_points"], rel=1e-9)
    sammon = R[k]["sammon_converged"]
    ours = at(sammon["points"], pair_weight="sammon")
    assert ours.raw_stress_ / SUM == pytest.approx(sammon["stress_recomputed"], rel=1e-9)
    for scaling, model in (("ordinal", "global"), ("interval", "linear")):
        mono = MONO[f"{k}_stress1_{model}"]["from_cmdscale"]
        ours = at(mono["points"], scaling=scaling)
        assert ours.stress_ == pytest.approx(mono["stress"], rel=1e-7)


@pytest.mark.slow
def test_disparities_of_monomds() -> None:
    """The isotonic fit with primary ties, pair by pair, at vegan's own points."""
    mono = MONO["k2_stress1_global"]["from_cmdscale"]
    names = D.columns
    pairs = at(mono["points"], scaling="ordinal").shepard()
    ends = [array(mono[side]).astype(int) - 1 for side in ("iidx", "jidx")]
    labels = [tuple(names[sorted(pair)]) for pair in zip(*ends, strict=True)]
    found = pairs.loc[labels]
    np.testing.assert_allclose(found["dissimilarity"], array(mono["diss"]), rtol=1e-12)
    # vegan's points are scaled after its last step, and rounded.
    ratio = found["disparity"].to_numpy() / array(mono["dhat"])
    np.testing.assert_allclose(ratio, np.median(ratio), rtol=1e-4)


# Which options, in how many dimensions, what the best reference reached.
BEST = {
    "ratio 2": (2, {}, SKLEARN["k2_metric"]["normalized_stress_best_of_20_random"]),
    "ratio 3": (3, {}, SKLEARN["k3_metric"]["normalized_stress_best_of_20_random"]),
    "interval 2": (2, {"scaling": "interval"}, MONO["k2_stress1_linear"]["best_of_60"]),
    "interval 3": (3, {"scaling": "interval"}, MONO["k3_stress1_linear"]["best_of_60"]),
    "interval 1": (1, {"scaling": "interval"}, MONO["k1_stress1_linear"]["best_of_60"]),
    "ordinal 1": (1, {"scaling": "ordinal"}, MONO["k1_stress1_global"]["best_of_60"]),
    "ordinal 2": (2, {"scaling": "ordinal"}, MONO["k2_stress1_global"]["best_of_60"]),
    "ordinal 3": (3, {"scaling": "ordinal"}, MONO["k3_stress1_global"]["best_of_60"]),
    "secondary 2": (
        2,
        {"scaling": "ordinal", "ties": "secondary"},
        MONO["k2_stress1_global_strongties_best_of_60"],
    ),
    "secondary 3": (
        3,
        {"scaling": "ordinal", "ties": "secondary"},
        SKLEARN["k3_nonmetric"]["stress1_at_points"],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", list(BEST))
def test_best_of_eight_starts_is_as_good_as_the_best_reference(case: str) -> None:
    q, options, best = BEST[case]
    assert fit(q, n_init=8, **options).stress_ <= best * (1 + 1e-6)


@pytest.mark.parametrize("k", ["k2", "k3"])
@pytest.mark.parametrize("ties", ["primary", "secondary"])
def test_isomds_from_the_same_start(k: str, ties: str) -> None:
    """isoMDS keeps ties in the order they come in: its optimum lies between the two approaches."""
    start = array(R[k]["init_cmdscale"])
    ours = fit(int(k[1]), start=start, scaling="ordinal", ties=ties).stress_
    theirs = R[k]["isoMDS_converged"]["stress_percent"] / 100
    if ties == "primary":
        assert ours <= theirs
    else:
        assert theirs <= ours <= theirs * 1.01


@pytest.mark.slow
@pytest.mark.parametrize("k", ["k2", "k3"])
def test_from_the_same_start(k: str) -> None:
    """From classical scaling, not worse than the others from there by more than 1e-3."""
    q, start = int(k[1]), array(R[k]["init_cmdscale"])
    sammon = fit(q, start=start, pair_weight="sammon").raw_stress_ / SUM
    assert sammon <= R[k]["sammon_converged"]["stress"] * (1 + 1e-3)
    ratio = fit(q, start=start).stress_
    assert ratio <= SKLEARN[f"{k}_metric"]["normalized_stress_from_cmds"] * (1 + 1e-3)
    for scaling, model in (("ordinal", "global"), ("interval", "linear")):
        theirs = MONO[f"{k}_stress1_{model}"]["from_cmdscale"]["stress"]
        assert fit(q, start=start, scaling=scaling).stress_ <= theirs * (1 + 1e-3)


def test_the_start_is_classical_scaling() -> None:
    start = array(R["k2"]["init_cmdscale"])
    assert fit(2).stress_ == pytest.approx(fit(2, start=start).stress_, rel=1e-9)
