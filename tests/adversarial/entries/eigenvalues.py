"""What takes eigenvalues."""

from __future__ import annotations

from typing import Any

import numpy as np

import gramian as gm

from ..cell import Entry
from ..truth import Real
from .functions import above_mean, far_from, reach, sticks


def spectrum_threshold(q: Any, v: Any) -> Any:
    v = np.sort(np.asarray(v, Real))[::-1]
    if far_from(v, 0.8):
        yield int(q), reach(v, 0.8)


def spectrum_kaiser(q: Any, v: Any) -> Any:
    v = np.asarray(v, Real)
    yield int(q), above_mean(v, len(v))


def spectrum_sticks(q: Any, v: Any) -> Any:
    v = np.sort(np.asarray(v, Real))[::-1]
    yield int(q), sticks(v, len(v))


def whole(q: Any, v: Any) -> Any:
    yield 0 <= int(q) <= len(v), True


def several(v: Any) -> bool:
    return len(v) > 3 and np.ptp(v) > 0


E = "source eigenvalues X values"
ENTRIES = [
    Entry(
        "dimension.threshold(values)",
        lambda x, v: gm.dimension.threshold(x, 0.8),
        spectrum_threshold,
        E,
        several,
    ),
    Entry(
        "dimension.kaiser(values)", lambda x, v: gm.dimension.kaiser(x), spectrum_kaiser, E, several
    ),
    Entry(
        "dimension.kaiser(karlis)",
        lambda x, v: gm.dimension.kaiser(x, variant="karlis", n_samples=50),
        whole,
        E,
        several,
    ),
    Entry(
        "dimension.broken_stick(values)",
        lambda x, v: gm.dimension.broken_stick(x),
        spectrum_sticks,
        E,
        several,
    ),
    Entry("dimension.elbow(values)", lambda x, v: gm.dimension.elbow(x), whole, E, several),
    Entry("dimension.cattell(values)", lambda x, v: gm.dimension.cattell(x), whole, E, several),
    Entry(
        "dimension.minka(values)",
        lambda x, v: gm.dimension.minka(x, n_samples=50),
        whole,
        E,
        several,
    ),
    Entry(
        "dimension.gavish_donoho(values)",
        lambda x, v: gm.dimension.gavish_donoho(x, n_samples=50),
        whole,
        E,
        several,
    ),
    Entry(
        "dimension.marchenko_pastur(values)",
        lambda x, v: gm.dimension.marchenko_pastur(x, n_samples=50),
        whole,
        E,
        several,
    ),
    Entry(
        "dimension.choose(values)",
        lambda x, v: gm.dimension.choose(x, n_samples=50),
        lambda c, v: [(len(c) > 0, True)],
        E,
        several,
    ),
]
