"""Against an independent realisation with the same seeds, kept here as a few numbers."""

import numpy as np
import pytest

from gramian.datasets import circles, rings, spheres

MAKERS = [circles, rings, spheres]


def radius(record):
    return np.linalg.norm(record.data, axis=1)


def sizes(record):
    return record.groups.iloc[:, 0].value_counts(sort=False).tolist()


@pytest.mark.parametrize("make", MAKERS)
def test_labels_and_determinism(make):
    first, again, other = (make(60, noise=0.2, random_state=seed) for seed in (3, 3, 4))
    assert first.data.equals(again.data)
    assert not first.data.equals(other.data)
    assert first.data.index[0] == "p01"
    assert first.groups.columns.tolist() == [make.__name__[:-1]]
    assert first.truth["noise"] == 0.2


@pytest.mark.parametrize("make", MAKERS)
def test_without_noise_points_lie_on_their_shell(make):
    record = make(120, radii=(1.5, 4), noise=0.0)
    named = record.groups.iloc[:, 0].map({"radius 1.5": 1.5, "radius 4": 4.0}).astype(float)
    np.testing.assert_allclose(radius(record), named)


@pytest.mark.parametrize("make", MAKERS)
def test_senseless_shells_are_refused(make):
    with pytest.raises(ValueError, match="positive"):
        make(radii=(0, 1))
    with pytest.raises(ValueError, match="differ"):
        make(radii=(2, 2))
    with pytest.raises(ValueError, match="at least 0"):
        make(noise=-1)


def test_circles_are_equally_dense():
    assert sizes(circles()) == [15, 30, 45]
    assert sizes(circles(48, radii=(1.5, 2.5))) == [18, 30]
    assert sum(sizes(circles(100))) == 100
    with pytest.raises(ValueError, match="without points"):
        circles(2)


def test_circles_step_regularly_from_angle_zero():
    np.testing.assert_allclose(
        circles().data.iloc[:3],
        [
            [1, 0],
            [0.9135454576426009, 0.40673664307580015],
            [0.6691306063588582, 0.7431448254773941],
        ],
    )


def test_rings_follow_the_reference_sample():
    record = rings()
    np.testing.assert_allclose(
        record.data.iloc[:2],
        [[-0.9294455031486917, -0.9864604536286026], [0.13689057192026122, 2.984315453679216]],
    )
    inner = (record.groups["ring"] == "radius 1").to_numpy()
    assert sizes(record) == [140, 160]
    assert radius(record)[inner].mean() == pytest.approx(1.151897878917447)
    assert radius(record)[~inner].mean() == pytest.approx(2.0210147684538695)


def test_one_generator_gives_rings_to_train_and_to_test():
    rng = np.random.default_rng(0)
    train, test = rings(random_state=rng), rings(random_state=rng)
    assert train.data.equals(rings(random_state=0).data)
    np.testing.assert_allclose(test.data.iloc[0], [-0.9094127827459431, 2.024492404015758])
    assert sizes(test) == [137, 163]


@pytest.mark.slow
def test_rings_have_the_best_accuracy_they_tell():
    # adaptive quadrature on either side of the radius where the two densities cross
    assert rings().truth["bayes_accuracy"] == pytest.approx(0.8339762656680443, abs=2e-8)
    record = rings(200_000, random_state=5)
    middle = np.linspace(1, 2, 101)[:, None]
    outer = (record.groups["ring"] == "radius 2").to_numpy()
    scores = ((radius(record) > middle) == outer).mean(axis=1)
    assert scores.max() == pytest.approx(record.truth["bayes_accuracy"], abs=3e-3)


@pytest.mark.parametrize(
    ("radii", "noise", "accuracy"),
    [((1, 2), 0.0, 1.0), ((1, 2), 1e-5, 1.0), ((1, 2), 1e3, 0.5)],
)
def test_best_accuracy_of_rings_at_its_ends(radii, noise, accuracy):
    assert rings(5, radii=radii, noise=noise).truth["bayes_accuracy"] == pytest.approx(
        accuracy, abs=1e-5
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "make", [rings, spheres, lambda **kw: spheres(uniform=False, **kw)], ids=["r", "s", "angles"]
)
def test_variances_are_those_told(make):
    record = make(n=200_000, random_state=7)
    np.testing.assert_allclose(record.data.var(), record.truth["variance"], rtol=0.02)
    off_diagonal = record.data.corr().to_numpy() - np.eye(record.data.shape[1])
    assert np.abs(off_diagonal).max() < 0.01


@pytest.mark.slow
def test_directions_of_spheres_are_uniform():
    record = spheres(100_000, radii=(1,), noise=0.0, random_state=2)
    # Archimedes: each coordinate of a uniform direction is uniform on [-1, 1]
    for column in record.data:
        share, _ = np.histogram(record.data[column], bins=10, range=(-1, 1))
        np.testing.assert_allclose(share / 100_000, 0.1, atol=0.005)


def test_spheres_by_angles_follow_the_reference_sample():
    record = spheres(uniform=False, random_state=2024)
    np.testing.assert_allclose(
        record.data.iloc[:2],
        [[-0.5694879639, -1.1569803404, -0.6264865266], [0.561323789, 1.0438804289, -2.8870404193]],
        atol=1e-9,
    )
    assert sizes(record) == [141, 159]
