"""The bases of a design, the share of each term, and what is permuted to test it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import lgamma, log
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import power_of_two
from gramian._nulls.p_values import p_values
from gramian.ecology.design import beside
from gramian.ecology.permanova import bases

_MIN_ORDERS = 1e4  # of rows within small groups; with fewer, larger groups are permuted within
TINY = 1e-12
_CHUNK = 1 << 23  # numbers at a time


@dataclass(frozen=True, eq=False)
class Level:
    """What is permuted: rows, rows of a subject, or subjects."""

    Z: np.ndarray  # (m, r), of mean 0
    root: np.ndarray  # (m,)
    start: np.ndarray  # basis of what is given
    design: dict[str, np.ndarray]
    groups: np.ndarray | None
    permuted: str

    def test(self, name: str, moved: np.ndarray) -> dict[str, Any]:
        """Return F of a term and its p-value."""
        given, term, rest = type_two(self.design, name, self.start, self.root)
        df = len(self.Z) - given.shape[1] - term.shape[1] - rest.shape[1]
        if df < 1 or not term.shape[1]:
            return {}
        sums, left = _explain(self.Z, given, term, rest, moved)
        a, b = sums / term.shape[1], left / df
        F = np.divide(a, b, out=np.where(a > 0, 1e300, 0.0), where=b > TINY * a.max())
        return {"F": F[0], "p_value": float(p_values(F[0], F[1:])), "permuted": self.permuted}


class Layout:
    """The orthonormal bases of a design, and the levels on which its terms are tested."""

    def __init__(
        self,
        values: np.ndarray,
        raw: np.ndarray,
        root: np.ndarray,
        terms: dict[str, np.ndarray],
        coded: np.ndarray,
        groups: list[np.ndarray],
        subjects: np.ndarray | None,
        names: tuple[str, str],
    ) -> None:
        self.values, self.root, self.terms, self.coded = values, root, terms, coded
        self.subjects, self.names = subjects, names
        self.mean = root**2 @ values
        centred = raw - root**2 @ raw
        self.unit = power_of_two(float(np.abs(centred).max())) or 1.0
        self.Z = root[:, None] * (centred / self.unit)
        self.start = extend(root[:, None], [coded], root)
        self.varying = terms
        self.constant: dict[str, np.ndarray] = {}
        if subjects is not None:
            own = {name: _varies(block, subjects) for name, block in terms.items()}
            self.varying = {name: block for name, block in terms.items() if own[name]}
            self.constant = {name: block for name, block in terms.items() if not own[name]}
        self.groups = groups

    @property
    def given(self) -> np.ndarray:
        """The basis of what terms that vary within subjects are given."""
        if self.subjects is None:
            return self.start
        return extend(self.start, [_indicators(self.subjects)], self.root)

    @property
    def levels(self) -> list[Level]:
        """The levels at which terms are tested, those of subjects first."""
        found = []
        if self.subjects is None:
            groups = _finest([_join(self.groups)] if self.groups else [])
            return [Level(self.Z, self.root, self.start, self.terms, groups, "rows")]
        if self.constant:
            A = _indicators(self.subjects, first=True)
            A = A / A.sum(axis=0)
            Z, m = A.T @ (self.Z / self.root[:, None]), A.shape[1]
            root = np.full(m, m**-0.5)
            start = extend(root[:, None], [A.T @ self.coded], root)
            design = {name: A.T @ block for name, block in self.constant.items()}
            first = np.unique(self.subjects, return_index=True)[1]
            whole_ = [g[first] for g in self.groups if not _varies(g[:, None], self.subjects)]
            groups = _finest([_join(whole_)] if whole_ else [])
            Z = root[:, None] * (Z - Z.mean(axis=0))
            found.append(Level(Z, root, start, design, groups, "subjects"))
        if self.varying:
            both = [_join([self.subjects, *self.groups])] if self.groups else []
            groups = _finest([*both, self.subjects], last=True)
            found.append(
                Level(self.Z, self.root, self.given, self.varying, groups, "rows of a subject")
            )
        return found

    def lines(self) -> dict[str, dict[str, Any]]:
        """Return degrees of freedom and inertia of each term, in their order."""
        Z, out = self.Z, dict[str, dict[str, Any]]()

        def line(name: str, Q: np.ndarray) -> None:
            out[name] = {"df": Q.shape[1], "inertia": float(((Q.T @ Z) ** 2).sum())}

        if self.names[0]:
            line(self.names[0], self.start[:, 1:])
        first = self.constant if self.subjects is not None else self.terms
        for name in first:
            line(name, type_two(first, name, self.start, self.root)[1])
        used = extend(self.start, list(first.values()), self.root)
        if self.subjects is not None:
            before = used.shape[1]
            used = extend(used, [_indicators(self.subjects)], self.root)
            line(self.names[1], used[:, before:])
            for name in self.varying:
                line(name, type_two(self.varying, name, self.given, self.root)[1])
            used = extend(used, list(self.varying.values()), self.root)
        rest = float(((Z - used @ (used.T @ Z)) ** 2).sum())
        total = float((Z**2).sum())
        shared = total - rest - sum(each["inertia"] for each in out.values())
        if abs(shared) > 1e-9 * total:
            out["shared"] = {"df": 0, "inertia": shared}
        out["residual"] = {"df": len(Z) - used.shape[1], "inertia": rest}
        out["total"] = {"df": len(Z) - 1, "inertia": total}
        return out

    def effect(self, name: str) -> tuple[np.ndarray, bool]:
        """Return what a term adds to each row, (n, r), by least squares, and whether it does."""
        varies = name in self.varying
        peers = self.varying if varies else self.constant
        given, term, _ = type_two(peers, name, self.given if varies else self.start, self.root)
        lower = [block for k, block in self.terms.items() if _is_inside(k, name)]
        D, one = self.terms[name], self.root[:, None]
        below = np.hstack([np.ones((len(D), 1)), *lower])
        shown = D - below @ np.linalg.lstsq(one * below, one * D, rcond=1e-9)[0]
        R = one * D - given @ (given.T @ (one * D))
        size = np.linalg.norm(one * D, axis=0)
        size[size == 0] = 1.0
        B = np.linalg.lstsq(R / size, self.Z, rcond=1e-9)[0] / size[:, None]
        return shown @ B * self.unit, bool(term.shape[1])


def type_two(
    design: dict[str, np.ndarray], name: str, start: np.ndarray, root: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return bases of what a term is given, of what it adds, and of the terms that hold it."""
    above = {k: block for k, block in design.items() if _is_inside(name, k)}
    before = {k: block for k, block in design.items() if k != name and k not in above}
    return bases(before | {name: design[name]} | above, [name], "terms", start, root)


def _is_inside(name: str, other: str) -> bool:
    """Whether a term is a part of an interaction."""
    return set(name.split(":")) < set(other.split(":"))


def _explain(
    Z: np.ndarray, given: np.ndarray, term: np.ndarray, rest: np.ndarray, moved: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return what a term explains and the residual, of the rows as they are and in each order."""
    E, Q = Z - given @ (given.T @ Z), np.hstack([given, term, rest])
    if E.shape[1] > len(E):  # the same products in fewer columns
        values, U = np.linalg.eigh(E @ E.T)
        E = U * np.sqrt(np.maximum(values, 0.0))
    part = slice(given.shape[1], given.shape[1] + term.shape[1])
    orders = np.vstack([np.arange(len(Z)), moved])
    own = np.empty((len(orders), Q.shape[1]))
    step = max(1, _CHUNK // Q.size)
    for start in range(0, len(orders), step):
        P = Q[orders[start : start + step]].transpose(0, 2, 1)  # (B, r, n)
        own[start : start + step] = ((P @ E) ** 2).sum(axis=2)
    total = float((E**2).sum())
    return own[:, part].sum(axis=1), np.maximum(total - own.sum(axis=1), 0.0)


def extend(Q: np.ndarray, blocks: Sequence[np.ndarray], root: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis of Q and of what blocks add to it."""
    live = [block for block in blocks if block.shape[1]]
    return np.hstack([Q, beside(Q, live, root)])


def _indicators(codes: np.ndarray, first: bool = False) -> np.ndarray:
    """Return indicators of groups, (n, g − 1), or of all of them."""
    start = 0 if first else 1
    return (codes[:, None] == np.arange(start, codes.max() + 1)).astype(float)


def _varies(block: np.ndarray, groups: np.ndarray) -> bool:
    """Whether a column differs between rows of the same group."""
    order = np.argsort(groups, kind="stable")
    starts = np.unique(groups[order], return_index=True)[1]
    low, high = (f.reduceat(block[order], starts) for f in (np.minimum, np.maximum))
    return bool((high - low > 1e-9 * np.ptp(block, axis=0)).any())


def _join(codes: list[np.ndarray]) -> np.ndarray:
    """Return one code for each combination of groups."""
    return np.asarray(pd.factorize(pd.MultiIndex.from_arrays(codes))[0])


def _finest(groupings: list[np.ndarray], last: bool = False) -> np.ndarray | None:
    """Return the first grouping within which there are orders enough; the last one anyway."""
    for groups in groupings:
        orders = sum(lgamma(count + 1.0) for count in np.bincount(groups))
        if orders >= log(_MIN_ORDERS):
            return groups
    return groupings[-1] if last else None
