"""A request for axes and the spectrum that answers it: eigenvalues with their eigenvectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Annotated, Protocol

import numpy as np

from gramian._core.array import Array, as_kind, is_numpy, namespace, take, to_numpy
from gramian._core.check import Random, expect, warn
from gramian._core.parallel import require_memory
from gramian._core.views import facts_html
from gramian.errors import TiedAxesWarning

FIRST_GUESS = 32  # axes computed before a rule is asked for the first time
TIE_TOLERANCE = 1e-8  # relative gap under which two axes are not determined separately
_FEW_ENTRIES = 1 << 16  # entries that leave a device quicker than it looks at them
_SIGN_TOLERANCE = 1e-6  # entries this close to the largest modulus are candidates for the sign


class Axes(Protocol):
    """How many axes: a number q, or a rule of (values, total, dimension), or neither for all."""

    @property
    def q(self) -> int | None: ...

    @property
    def rule(self) -> Callable[[np.ndarray, float, int], int | None] | None: ...


def dense_bytes(n: int) -> int:
    """Return what a full decomposition of an n × n matrix takes: the matrix, vectors, workspace."""
    return 4 * 8 * n * n


@dataclass(frozen=True)
class Choice:
    """A solver's name and the reason for it."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


@dataclass(frozen=True)
class Request:
    """What is asked of a spectrum: made once a fit, and passed down as it is.

    What only the operator can tell (`dimension`, `scale`, `psd`) is filled in where it is known.
    """

    axes: Axes
    solver: str = "auto"
    tol: float = 1e-8
    policy: str = "raise"  # for negative eigenvalues; "drop" leaves them out, the trace as it is
    budget: int = 1 << 40
    random: Random = field(default_factory=Random)
    dimension: int | None = None  # how many axes there could be
    scale: float = 0.0  # the size of the numbers the operator was made from
    psd: bool = False  # negative eigenvalues can only be rounding
    start: Array | None = None  # a guess of the leading subspace, (n, b)
    care: float | None = 1.01  # times the last eigenvalue that one left out may have; None: any
    missed: float = 1e-6  # the probability that one has more

    @property
    def rng(self) -> np.random.Generator:
        """The generator of the fit's random numbers."""
        return self.random.rng

    @property
    def guess(self) -> int | None:
        """How many axes to look for at first, None for all."""
        return FIRST_GUESS if self.axes.rule is not None else self.axes.q

    def require_dense(self, n: int) -> None:
        """Refuse a full decomposition of an operator of size n that does not fit the budget."""
        what = f"a full decomposition of {n} × {n}"
        remedy = "ask for fewer axes (n_components=10), use approximation=Nystrom(), or raise"
        require_memory(dense_bytes(n), self.budget, what, f"{remedy} memory=")


@dataclass(frozen=True)
class Completeness:
    """What is known of the eigenvalues outside the axes."""

    level: float  # none exceeds it
    missed: Annotated[float, ">= 0"] = 0.0  # but for this probability
    method: str = "every eigenvalue was computed"
    reached: bool = True  # whether it is as low as requested


@dataclass(frozen=True)
class Certificate:
    """The accuracy of the axes of a fit, and whether any larger eigenvalue can be missing.

    Attributes
    ----------
    complete : bool
        Whether no eigenvalue left out can exceed that of the last axis (by more than the factor
        `care`, 1.01 by default), except with `missed_probability`. False, too, where it was not
        checked.
    residuals : array (q,)
        |A·u − λ·u| of each axis, of unit length: an eigenvalue lies as near to λ.
    level : float
        No eigenvalue outside the axes exceeds it; NaN where that was not looked at.
    missed_probability : float
        The chance that one does, over the random numbers of the fit; 0 where none were needed.
    method : str
        How the level was obtained.
    eigenvalues : array (q,)
        Those of the axes, for comparison.

    Examples
    --------
    >>> fit = gm.PCA(2).fit([[0.0, 1.0], [2.0, 3.0], [4.0, 4.0]])
    >>> fit.certificate_.complete, fit.certificate_.missed_probability
    (True, 0.0)
    """

    residuals: np.ndarray
    level: float
    missed_probability: float
    method: str
    eigenvalues: np.ndarray
    complete: bool

    @property
    def text(self) -> str:
        """The conclusion, and the evidence for it."""
        first, last = abs(self.eigenvalues[0]), abs(self.eigenvalues[-1])
        worst = self.residuals.max(initial=0.0) / first if 0 < first < np.inf else 0.0
        right = f"residuals of the axes are at most {worst:.1g} of the first eigenvalue"
        if np.isnan(self.level):
            return f"whether an axis is missing was not checked; {right}"
        answer = "no axis is missing" if self.complete else "an axis may be missing"
        ratio = f" ({self.level / last:.3g} of the last axis)" if 0 < last < np.inf else ""
        most = f"no eigenvalue left out exceeds {self.level:.3g}{ratio}"
        chance = f", except with probability {self.missed_probability:.0e}"
        how = f"{most}{chance if self.missed_probability else ''} ({self.method})"
        return f"{answer}: {how}; {right}"

    def _repr_html_(self) -> str:
        return facts_html("Certificate", {"answer": self.text})


@dataclass(frozen=True)
class Spectrum:
    """Eigenpairs of a centred operator, in the order in which they are read.

    `values` are NumPy doubles; `vectors` (m, q) are arrays like the data. `total` is the trace of
    the operator, not the sum of the eigenvalues kept.
    """

    values: Annotated[np.ndarray, "(q,)"]
    vectors: Annotated[Array, "(m, q)"]
    total: float
    residuals: Annotated[np.ndarray, "(q,)", ">= 0"]  # |A u − λ u|
    solver: str  # its name and why it was chosen
    negative: Annotated[float, ">= 0"] = 0.0  # Σ|λ| over negative eigenvalues, where known
    beyond: float | None = None  # the first eigenvalue left out, where it is known
    tied: list[tuple[int, ...]] = field(default_factory=list)  # axes counted from 1
    # A·vectors where the vectors are exact only to a tolerance.
    image: Annotated[Array, "(m, q)"] | None = None
    # Σ|λ|u² over all live axes of an indefinite operator.
    modulus: Annotated[Array, "(m,)", ">= 0"] | None = None
    completeness: Completeness | None = None  # what is known of the eigenvalues outside

    def check(self) -> None:
        """Refuse eigenvalues that do not decrease, and ties of axes that are not there."""
        size = np.abs(self.values)
        expect(self.total != 0 and size.size > 0, "a total inertia and at least one axis")
        expect(bool((np.diff(size) <= 1e-6 * size[0]).all()), "eigenvalues that decrease")
        axes = range(1, len(size) + 2)
        expect(all(k in axes for group in self.tied for k in group), "ties of axes that are there")

    def certificate(self, unit: float = 1.0) -> Certificate:
        """Return why the axes can be believed, lengths in multiples of `unit`."""
        whole = self.completeness or Completeness(np.nan, np.nan, "", False)
        with np.errstate(over="ignore", under="ignore"):
            square = np.float64(unit) * unit
            residuals, values = self.residuals * square, self.values * square
            level = float(whole.level * square)
        return Certificate(residuals, level, whole.missed, whole.method, values, whole.reached)

    def keep(self, q: int) -> Spectrum:
        """Return the first q eigenpairs, signs fixed and ties named."""
        s = self.head(q)
        signs = column_signs(s.vectors)
        image = None if s.image is None else s.image * signs
        tied = groups_of_ties(s.values, s.beyond)
        return replace(s, vectors=s.vectors * signs, image=image, tied=tied)

    def head(self, q: int | None) -> Spectrum:
        """Return the first q eigenpairs and the value after them, or all for None."""
        if q is None or q >= len(self.values):
            return self
        whole, beyond = self.completeness, float(self.values[q])
        return replace(
            self,
            values=self.values[:q],
            vectors=self.vectors[:, :q],
            residuals=self.residuals[:q],
            image=None if self.image is None else self.image[:, :q],
            beyond=beyond,
            completeness=whole and replace(whole, level=max(whole.level, abs(beyond))),
        )

    def pad(self, q: int) -> Spectrum:
        """Return q axes, the missing ones null."""
        missing = q - len(self.values)
        if missing <= 0:
            return self
        xp = namespace(self.vectors)

        zeros = np.zeros(missing)
        blank = as_kind(np.zeros((self.vectors.shape[0], missing)), self.vectors)
        return replace(
            self,
            values=np.append(self.values, zeros),
            vectors=xp.concat([self.vectors, blank], axis=1),
            image=None if self.image is None else xp.concat([self.image, blank], axis=1),
            residuals=np.append(self.residuals, zeros),
        )

    def warn_of_ties(self) -> None:
        """Warn when axes are not determined one by one."""
        for group in self.tied:
            names = ", ".join(str(axis) for axis in group)
            warn(
                f"axes {names} have equal eigenvalues to within {TIE_TOLERANCE:g}: only the "
                "subspace they span is determined, not each axis",
                TiedAxesWarning,
            )


def column_signs(V: Array) -> Array:
    """Return the signs, (1, q), that make the entry of largest modulus of each column positive.

    Where several entries share the largest modulus with different signs, the sign of Σ v³ decides,
    which does not depend on the order of the rows; if that is zero too, the first of them does.
    """
    if is_numpy(V):
        return _signs(V)[None, :].astype(V.dtype, copy=False)
    xp = namespace(V)
    if V.shape[0] * V.shape[1] > _FEW_ENTRIES:
        # Only columns whose largest entries disagree leave the device.
        size = xp.abs(V)
        top = size >= (1.0 - _SIGN_TOLERANCE) * xp.max(size, axis=0)
        up, down = (to_numpy(xp.any(top & s, axis=0)) for s in (V > 0, V < 0))
        signs = np.where(up, 1.0, -1.0)
        if (split := np.flatnonzero(up == down)).size:
            W = take(V, split, axis=1)
            signs[split] = _signs(to_numpy(W))
    else:
        signs = _signs(to_numpy(V))
    return xp.reshape(as_kind(signs, V), (1, -1))


def _signs(W: np.ndarray) -> np.ndarray:
    W = W.astype(np.float64, copy=False)
    if W.size == 0:
        return np.ones(W.shape[1])
    up, down = W.max(axis=0), -W.min(axis=0)
    top = np.maximum(up, down)
    if (np.minimum(up, down) < (1.0 - _SIGN_TOLERANCE) * top).all():
        return np.where(up > down, 1.0, -1.0)
    size = np.abs(W)
    candidate = size >= (1.0 - _SIGN_TOLERANCE) * top
    first = np.sign(W[candidate.argmax(axis=0), np.arange(W.shape[1])])
    split = (candidate & (W > 0)).any(axis=0) & (candidate & (W < 0)).any(axis=0)
    if split.any():
        scaled = W[:, split] / top[split]
        skew = (scaled**3).sum(axis=0)
        clear = np.abs(skew) > 1e-6 * (np.abs(scaled) ** 3).sum(axis=0)
        first[split] = np.where(clear, np.sign(skew), first[split])
    return np.where(first == 0, 1.0, first)


def groups_of_ties(values: np.ndarray, beyond: float | None = None) -> list[tuple[int, ...]]:
    """Return the groups of axes, counted from 1, whose eigenvalues agree to 1e-8 relative."""
    full = values.tolist() if beyond is None else [*values.tolist(), beyond]
    groups: list[tuple[int, ...]] = []
    start = 0
    for k in range(1, len(full) + 1):
        closed = k == len(full) or abs(full[k - 1] - full[k]) > TIE_TOLERANCE * abs(full[k - 1])
        if closed or full[k] == 0:
            if k - start > 1:
                groups.append(tuple(range(start + 1, k + 1)))
            start = k
    return groups
