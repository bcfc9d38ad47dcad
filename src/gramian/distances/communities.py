"""Tables of amounts (species at sites, parts of wholes): transforms and dissimilarities.

A transform is a function of rows and of reference rows; where sums or ranges of columns enter they
are those of the reference rows, so that new rows do not depend on their batch.

A dissimilarity between communities, as vegan's vegdist has them, takes a row x and rows Y and gives
one number for each row of Y. Species that both lack never count.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from scipy.special import rel_entr

from gramian._core.array import column_units
from gramian._core.check import warn
from gramian.errors import InputError, ZerosReplacedWarning

_ZERO_FRACTION = 0.65  # of the least amount of a row: what takes the place of its zeros


def refuse_negative(X: np.ndarray, what: str, name: str = "X") -> None:
    """Refuse amounts below 0."""
    if X.size and X.min() < 0:
        i, j = np.unravel_index(int(X.argmin()), X.shape)
        raise InputError(
            f"{name} has {X[i, j]:.6g} at row {i}, column {j}: {what} is for amounts, which are "
            "not negative: shift the data or choose another metric"
        )


def refuse_empty(sums: np.ndarray, what: str) -> np.ndarray:
    """Return sums of rows as a column; refuse a row without any amount."""
    if (sums <= 0).any():
        i = int(np.flatnonzero(sums <= 0)[0])
        raise InputError(f"X has nothing in row {i}: {what} needs a positive amount: drop the row")
    return sums[:, None]


def _over(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a/b, 0 where b is not positive."""
    return np.asarray(
        np.divide(a, b, out=np.zeros(np.broadcast_shapes(a.shape, b.shape)), where=b > 0)
    )


def profiles(X: np.ndarray, R: np.ndarray) -> np.ndarray:
    """x/Σx, the shares of a row."""
    return np.asarray(X / refuse_empty(X.sum(axis=1), "a profile"))


def chord(X: np.ndarray, R: np.ndarray) -> np.ndarray:
    """x/|x|, a row of length 1."""
    X = X / column_units(X.T)[:, None]
    return np.asarray(X / refuse_empty(np.sqrt((X**2).sum(axis=1)), "the chord distance"))


def _positive(X: np.ndarray) -> np.ndarray:
    """Return rows without zeros: 0.65 of the least amount of the row replaces each, with a warning.

    The ratios of what is not zero stay; a rule of the row alone, in any unit.
    """
    zero = X == 0
    if not zero.any():
        return X
    least = np.where(zero, np.inf, X).min(axis=1)
    refuse_empty(np.where(np.isfinite(least), least, 0.0), "a logarithm of ratios")
    warn(
        f"X has {int(zero.sum())} zeros ({zero.mean():.0%}), which have no logarithm: each is "
        "taken as 0.65 of the least amount of its row: add a pseudocount, or use "
        '"robust-aitchison", which leaves zeros out',
        ZerosReplacedWarning,
    )
    return np.where(zero, _ZERO_FRACTION * least[:, None], X)


def clr(X: np.ndarray, R: np.ndarray) -> np.ndarray:
    """Logarithms less their mean over the row (Aitchison 1986)."""
    logs = np.log(_positive(X))
    return np.asarray(logs - logs.mean(axis=1, keepdims=True))


def rclr(X: np.ndarray, R: np.ndarray) -> np.ndarray:
    """Logarithms less their mean over what is not zero in the row; zeros stay 0."""
    seen = X > 0
    refuse_empty(seen.sum(axis=1).astype(float), "a logarithm of ratios")
    logs = np.log(np.where(seen, X, 1.0))
    return np.where(seen, logs - (logs.sum(axis=1) / seen.sum(axis=1))[:, None], 0.0)


def alr(X: np.ndarray, R: np.ndarray) -> np.ndarray:
    """Logarithms less that of the first column, which is left out."""
    logs = np.log(_positive(X))
    return np.asarray(logs[:, 1:] - logs[:, :1])


def maximum(X: np.ndarray, R: np.ndarray) -> np.ndarray:
    """x over the largest of its column."""
    return _over(X, R.max(axis=0))


def standardize(X: np.ndarray, R: np.ndarray) -> np.ndarray:
    """x less the mean of its column, over its standard deviation (divisor n − 1)."""
    unit = column_units(R)
    X, R = X / unit, R / unit
    size = R.std(axis=0, ddof=1) if len(R) > 1 else np.zeros(R.shape[1])
    return _over(X - R.mean(axis=0), np.where(size > 1e-12 * np.abs(R).max(axis=0), size, 0.0))


def rank(X: np.ndarray, R: np.ndarray) -> np.ndarray:
    """The rank of x among what is not zero in its row; zeros stay 0."""
    from scipy.stats import rankdata  # the import takes longer than most fits

    out = np.zeros(X.shape)
    for row, values in zip(out, X, strict=True):
        row[values > 0] = rankdata(values[values > 0])
    return out


_Method: TypeAlias = Callable[[np.ndarray, np.ndarray], np.ndarray]  # of rows, and of a reference

METHODS: dict[str, _Method] = {
    "hellinger": lambda X, R: np.sqrt(profiles(X, R)),
    "chord": chord,
    "log-chord": lambda X, R: chord(np.log1p(X), R),  # Legendre and Borcard (2018)
    # Profiles over √ of the columns' shares of the whole: their distances are those of CA.
    "chi2": lambda X, R: _over(profiles(X, R), np.sqrt(R.sum(axis=0) / R.sum())),
    "profiles": profiles,
    "clr": clr,
    "rclr": rclr,
    "alr": alr,
    "max": maximum,
    # Over the mean of the column where it is not zero.
    "frequency": lambda X, R: _over(X * (R != 0).sum(axis=0), R.sum(axis=0)),
    "range": lambda X, R: _over(X - R.min(axis=0), np.ptp(R, axis=0)),
    "standardize": standardize,
    "presence": lambda X, R: (X > 0).astype(float),
    # 1 + log₂ x, 0 where x is 0 (Anderson et al. 2006).
    "log": lambda X, R: np.where(X > 0, 1.0 + np.log2(np.where(X > 0, X, 1.0)), 0.0),
    "rank": rank,
    "wisconsin": lambda X, R: profiles(maximum(X, R), R),
}
# Distances by name: Euclidean after a method.
EUCLIDEAN_OF = {name: name for name in ("hellinger", "chord", "log-chord", "chi2", "profiles")}
EUCLIDEAN_OF |= {"aitchison": "clr", "robust-aitchison": "rclr"}


def kulczynski(x: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """1 − ½(Σmin/Σx + Σmin/Σy)."""
    common = np.minimum(x, Y).sum(axis=1)
    return np.asarray(1.0 - 0.5 * (common / x.sum() + common / Y.sum(axis=1)))


def clark(x: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """The root of the mean of ((x − y)/(x + y))² over species that one of both has."""
    share = _over(x - Y, x + Y)
    return np.asarray(np.sqrt((share**2).sum(axis=1) / (x + Y > 0).sum(axis=1)))


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

    return np.asarray(np.maximum(_overlap(x, Y, pairs(x), pairs(Y)), 0.0))


def binomial(x: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """The deviance of equal shares: Σ(x log(x/n) + y log(y/n) + n log 2)/n, n = x + y."""
    n = x + Y
    parts = rel_entr(x, n) + rel_entr(Y, n)  # a·log(a/n), 0 where a is 0
    return np.asarray((_over(parts, n) + np.where(n > 0, np.log(2.0), 0.0)).sum(axis=1))


def cao(x: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """The mean of log(n/2) − (x log y + y log x)/n, n = x + y; 0.1 stands for what one lacks."""
    seen = x + Y > 0
    a, b = (np.where(seen, np.maximum(Z, 0.1), 1.0) for Z in (np.broadcast_to(x, Y.shape), Y))
    n = a + b
    parts = np.log(0.5 * n) - (a * np.log(b) + b * np.log(a)) / n
    return np.asarray(np.where(seen, parts, 0.0).sum(axis=1) / seen.sum(axis=1))


COMMUNITIES: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    # The mean of |x − y| over species that one of both has.
    "alternative-gower": lambda x, Y: np.abs(x - Y).sum(axis=1) / (x + Y > 0).sum(axis=1),
    "binomial": binomial,
    "cao": cao,
    "clark": clark,
    "horn": horn,
    "kulczynski": kulczynski,
    "morisita": morisita,
    # 1 − Σmin/Σmax, Jaccard's for amounts.
    "ruzicka": lambda x, Y: 1.0 - np.minimum(x, Y).sum(axis=1) / np.maximum(x, Y).sum(axis=1),
}
