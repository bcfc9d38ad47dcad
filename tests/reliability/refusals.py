"""What a refusal must look like, and the estimators that the tables of bad inputs go through."""

from __future__ import annotations

import numpy as np
import pytest

import gramian as gm

ESTIMATORS = {
    "PCA": lambda: gm.PCA(n_components=2),
    "PCA scaled": lambda: gm.PCA(n_components=2, scale=True),
    "KernelPCA gaussian": lambda: gm.KernelPCA(n_components=2),
    "KernelPCA linear": lambda: gm.KernelPCA(n_components=2, kernel="linear"),
    "ClassicalMDS": lambda: gm.ClassicalMDS(n_components=2),
}


def refuses(call, *words):
    """Assert that call() refuses in at most 400 characters, with every word in the message."""
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    message = str(caught.value)
    assert 0 < len(message) <= 400, f"{len(message)} characters: {message}"
    for word in words:
        assert word.lower() in message.lower(), f"{word!r} is not in: {message}"
    return message


def right_or_refuses(call, check):
    """Assert that call() gives what check accepts, or refuses clearly; return the refusal."""
    try:
        result = call()
    except (ValueError, TypeError) as error:
        assert 0 < len(str(error)) <= 400
        return str(error)
    check(result)
    return ""


def numbers(est):
    """Everything numeric a fit tells, as float64."""
    return {
        name: np.asarray(getattr(est, name), dtype=float)
        for name in ("eigenvalues_", "inertia_", "inertia_ratio_", "coordinates_")
    }


def assert_same_fit(est, reference, rtol=1e-12):
    """Assert that two fits tell the same, to rtol of the largest number of each kind."""
    for name, expected in numbers(reference).items():
        got = numbers(est)[name]
        assert np.all(np.isfinite(got)), name
        np.testing.assert_allclose(got, expected, rtol=0, atol=rtol * np.abs(expected).max())
