"""Dissimilarities between communities, as vegan's vegdist has them: functions of pairs of rows.

Each takes a row x and rows Y of amounts and gives one number for each row of Y. Species that both
lack never count.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def _over(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.divide(a, b, out=np.zeros(np.broadcast_shapes(a.shape, b.shape)), where=b > 0)


def kulczynski(x: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """1 − ½(Σmin/Σx + Σmin/Σy)."""
    common = np.minimum(x, Y).sum(axis=1)
    return 1.0 - 0.5 * (common / x.sum() + common / Y.sum(axis=1))


def ruzicka(x: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """1 − Σmin/Σmax, Jaccard's for amounts."""
    return 1.0 - np.minimum(x, Y).sum(axis=1) / np.maximum(x, Y).sum(axis=1)


def clark(x: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """The root of the mean of ((x − y)/(x + y))² over species that one of both has."""
    share = _over(x - Y, x + Y)
    return np.sqrt((share**2).sum(axis=1) / (x + Y > 0).sum(axis=1))


def alternative_gower(x: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """The mean of |x − y| over species that one of both has."""
    return np.abs(x - Y).sum(axis=1) / (x + Y > 0).sum(axis=1)


def _overlap(x: np.ndarray, Y: np.ndarray, one: np.ndarray, many: np.ndarray) -> np.ndarray:
    return 1.0 - _over(2.0 * Y @ x, (one + many) * x.sum() * Y.sum(axis=1))


def horn(x: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """1 − 2Σxy/((Σx²/(Σx)² + Σy²/(Σy)²)·Σx·Σy)."""
    one, many = (x**2).sum() / x.sum() ** 2, (Y**2).sum(axis=1) / Y.sum(axis=1) ** 2
    return _overlap(x, Y, one, many)


def morisita(x: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """The same for counts, with Σx(x − 1)/(Σx(Σx − 1)) for pairs drawn without replacement."""

    def pairs(Z: np.ndarray) -> np.ndarray:
        total = Z.sum(axis=-1)
        return _over((Z * (Z - 1.0)).sum(axis=-1), total * (total - 1.0))

    return np.maximum(_overlap(x, Y, pairs(x), pairs(Y)), 0.0)


def binomial(x: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """The deviance of equal shares: Σ(x log(x/n) + y log(y/n) + n log 2)/n, n = x + y."""
    n = x + Y
    parts = _logs(np.broadcast_to(x, Y.shape), n) + _logs(Y, n)
    return (_over(parts, n) + np.where(n > 0, np.log(2.0), 0.0)).sum(axis=1)


def _logs(a: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Return a·log(a/n), 0 where a is 0."""
    return a * np.log(np.where(a > 0, a, 1.0) / np.where(a > 0, n, 1.0))


def cao(x: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """The mean of log(n/2) − (x log y + y log x)/n, n = x + y; 0.1 stands for what one lacks."""
    seen = x + Y > 0
    a, b = (np.where(seen, np.maximum(Z, 0.1), 1.0) for Z in (np.broadcast_to(x, Y.shape), Y))
    n = a + b
    parts = np.log(0.5 * n) - (a * np.log(b) + b * np.log(a)) / n
    return np.where(seen, parts, 0.0).sum(axis=1) / seen.sum(axis=1)


COMMUNITIES: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "alternative-gower": alternative_gower,
    "binomial": binomial,
    "cao": cao,
    "clark": clark,
    "horn": horn,
    "kulczynski": kulczynski,
    "morisita": morisita,
    "ruzicka": ruzicka,
}
