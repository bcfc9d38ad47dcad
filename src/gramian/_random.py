"""Randomness: every generator is made here, and every default is a fixed seed."""

from __future__ import annotations

import numpy as np

from gramian.errors import InputError

__all__ = ["generator"]


def generator(
    random_state: int | np.random.Generator | np.random.RandomState | None,
) -> np.random.Generator:
    """Return a NumPy Generator; None means seed 0, so that results repeat by default.

    >>> int(generator(None).integers(1000)) == int(generator(0).integers(1000))
    True
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31 - 1))
    try:
        return np.random.default_rng(0 if random_state is None else random_state)
    except (TypeError, ValueError) as error:
        raise InputError(f"random_state={random_state!r} is not a seed: {error}") from error
