import numpy as np
import pytest

from gramian.datasets import cities, example_matrix, triples


def singular_values(X):
    return np.linalg.svd(X - X.mean(axis=0), compute_uv=False)


def test_example_matrix_has_the_numbers_it_tells():
    example = example_matrix()
    s = singular_values(example.data.to_numpy())
    left = np.sqrt(np.append(np.cumsum(s[::-1] ** 2)[::-1], 0.0))
    np.testing.assert_allclose(example.data.mean(), example.truth["mean"])
    np.testing.assert_allclose(s**2, example.truth["squared_singular_values"], atol=5e-5)
    np.testing.assert_allclose(left, example.truth["reconstruction_error"], atol=5e-6)
    assert (s > 1e-10).sum() == example.truth["rank"]


def test_example_matrix_labels():
    data = example_matrix().data
    assert list(data.index) == ["a1", "a2", "a3", "a4", "a5"]
    assert list(data.columns) == ["x1", "x2", "x3", "x4", "x5"]


@pytest.mark.parametrize(
    ("correlated", "error"), [(False, 3.9193173482666634), (True, 0.9727752168642035)]
)
def test_triples_leave_the_published_error_after_two_axes(correlated, error):
    X = triples(correlated).data.to_numpy()
    assert X.shape == (30, 3)
    assert singular_values(X)[2] == pytest.approx(error, rel=1e-12)


def test_triples_differ_by_the_mixing_only():
    plain, mixed = triples(False), triples(True)
    np.testing.assert_allclose(plain.data @ mixed.truth["mixing"].T, mixed.data)
    np.testing.assert_array_equal(plain.truth["mixing"], np.eye(3))


@pytest.mark.slow
@pytest.mark.parametrize("correlated", [False, True])
def test_triples_have_the_covariance_they_tell(correlated):
    large = triples(correlated, n=200_000, random_state=1)
    np.testing.assert_allclose(large.data.cov(), large.truth["covariance"], atol=0.2)


def test_cities_are_labelled_symmetric_miles():
    record = cities()
    D = record.distances
    assert record.kind == "distances"
    assert D.shape == (9, 9)
    assert list(D.index) == list(D.columns) == list(record.truth["coordinates"].index)
    np.testing.assert_array_equal(D, D.T)
    # totals of the table as published
    assert D.sum().astype(int).tolist() == [
        14101, 12855, 12138, 16266, 10970, 17007, 16445, 15706, 11970,
    ]  # fmt: skip


def centred_gram(D):
    H = np.eye(len(D)) - 1 / len(D)
    return -H @ D**2 @ H / 2


def test_cities_are_not_euclidean_though_every_triangle_closes():
    record = cities()
    D = record.distances.to_numpy()
    values = np.linalg.eigvalsh(centred_gram(D))
    assert (values < -1e-6).sum() == record.truth["n_negative"]
    np.testing.assert_allclose(values[[-1, -2, 0]], [13949791.2473, 2124813.2692, -323706.7717])
    assert (D[:, None, :] <= D[:, :, None] + D[None, :, :] + 1e-9).all()
    assert record.truth["euclidean"] is False


def test_cities_scale_to_their_map():
    record = cities()
    values, vectors = np.linalg.eigh(centred_gram(record.distances.to_numpy()))
    found = vectors[:, -2:] * np.sqrt(values[-2:])
    place = record.truth["coordinates"].to_numpy().copy()
    place[:, 0] *= np.cos(np.deg2rad(place[:, 1].mean()))
    place -= place.mean(axis=0)
    kept = np.linalg.svd(found.T @ place, compute_uv=False).sum()
    assert kept**2 / ((found**2).sum() * (place**2).sum()) > 0.98
