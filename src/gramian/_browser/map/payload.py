"""What a browser needs to draw a fit, describe a selection and place new rows.

A payload is a header, plain JSON, and buffers: arrays stand in the header as
`{"buffer": k, "type": "u1" | "u2" | "f4" | "f8", "shape": […]}`, little endian. Its keys:

- `n`, `title`, `language`, `method`, `texts` (the words of the interface), `palette` and `scale`
  ({"light": […], "dark": […]}: colours of groups, and of numbers from small to large);
- `labels`: the name of each row, null where rows have no names but their position;
- `axes`: [{"name", "share"}], and `coordinates`: {"low": […], "high": […], "data": u2 (q, n)}: an
  axis runs from low (0) to high (65,535), the rows are in their own order;
- `columns`: [{"key", "name", "kind", "role", "data", "levels"}]: kind "group" has codes, the last
  one (255 of u1, 65,535 of u2) for a missing value; kind "number" has f4, NaN where missing. Roles:
  "active", "supplementary", "group", "class", and "measure" for cos² and contributions;
- `start`: {"1,2": key of a column or null}: the column that goes with these axes best;
- `model`: how new rows are placed, null where they cannot be.
"""

import base64
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import to_dense, to_numpy
from gramian._core.check import short
from gramian._core.embedding import FeatureModel
from gramian._core.types import TableLike
from gramian._estimators.fit import Fit
from gramian._reading.columns import Factor, Numeric, Supplement, supplement_of
from gramian._study.language import Share, Voice, texts
from gramian._study.record import Study
from gramian.errors import InputError, InputTypeError
from gramian.plots.style import (
    MORE_COLORS,
    MORE_DARK,
    PALETTE,
    PALETTE_DARK,
    SCALE,
    SCALE_DARK,
    clean,
)

MAX_AXES = 6  # axes whose coordinates are sent
MAX_CELLS = 500_000  # values of columns that are sent; further columns are left out
MAX_MEASURED = 20_000  # rows whose cos² and contributions are sent
_STEPS = 65_535  # of a coordinate
_MAX_LEVELS = 12  # of a category that made the axes and colours a map at first
_WEAK_LINK = 0.1  # of the variance on the axes: under it a column does not colour a map at first
MAX_NUMBERS = 400_000  # of a model that is sent
_MAX_LIMIT_CELLS = 400_000  # of a table that is cross-validated for limits of new rows
_MAX_EXACT_ROWS = 400  # rows of kernel PCA that are all sent
_LANDMARKS = 300  # of more rows
_MAX_FITTED_ROWS = 3_000  # that the map through landmarks is fitted to
_TOLERANCE = 1e-8  # of the size of the map: how closely the model must place the rows of the fit
_CHECKED_ROWS = 50
_TEXTS = (
    *("at", "plainly", "lasso", "box", "pan", "in", "out", "reset", "clear", "tools", "colour"),
    *("none", "search", "axes", "names", "by.contribution", "by.cos2", "groups", "columns"),
    *("measures", "hidden", "hidden.one", "selected", "missing", "row", "counted"),
    *("help", "keyboard", "cut", "particular", "nothing", "mean", "share", "further"),
    *("contributes", "rows", "compact", "tests", "chosen", "drop", "placed", "outside"),
    *("outside.none", "because", "beyond", "approximate", "absent", "bad", "unknown", "large"),
    *("save", "remove"),
)

Write = Callable[[np.ndarray, str], dict[str, Any]]


@dataclass(frozen=True, eq=False)
class Payload:
    """A header of plain JSON, and the buffers that it refers to."""

    header: dict[str, Any]
    buffers: list[bytes]

    def as_json(self) -> dict[str, Any]:
        """Return the header with its buffers as base64, for a page of one file."""
        return self.header | {"buffers": [base64.b64encode(b).decode() for b in self.buffers]}

    def as_bytes(self) -> bytes:
        """Return one block: the length of the header (4 bytes), the header, the buffers.

        The header lists the sizes of the buffers as `sizes`; each starts at a multiple of 8.
        """
        header = self.header | {"sizes": [len(b) for b in self.buffers]}
        text = json.dumps(header, ensure_ascii=False, allow_nan=False).encode()
        parts = [len(text).to_bytes(4, "little"), text]
        at = 4 + len(text)
        for buffer in self.buffers:
            parts += [bytes(-at % 8), buffer]
            at += -at % 8 + len(buffer)
        return b"".join(parts)


def payload(
    source: Study | Fit, *, language: str = "en", table: TableLike | None = None, title: str = ""
) -> Payload:
    """Return what a browser needs of a study or a fit.

    Parameters
    ----------
    source : Study or fitted estimator
    language : "en" or "fr"
    table : data frame, optional
        Further columns of the rows of a fit, to colour by and to describe selections with.
    title : str

    Examples
    --------
    >>> import gramian as gm
    >>> sent = payload(gm.PCA(2).fit(gm.datasets.iris().data))
    >>> sent.header["n"], len(sent.buffers[0])  # two axes, 2 bytes a coordinate
    (150, 600)
    """
    voice = Voice(language)
    s = source if isinstance(source, Study) else None
    fit: Any = source.fit if isinstance(source, Study) else source
    if not isinstance(fit, Fit):
        raise InputTypeError(f"{short(fit)} is not a fitted estimator: give a fit or a study")
    Z = np.asarray(to_numpy(fit.coordinates_), dtype=float)[:, :MAX_AXES]
    n, q = Z.shape
    shares = fit.axis_shares if s is None else s.shares
    own, other, classes = _columns(fit, s, table, voice("map.clusters"))
    writer = _Writer()
    header: dict[str, Any] = {
        "version": 1,
        "n": n,
        "title": clean(title or (s.subject.title if s is not None else fit.method_name)),
        "language": language,
        "method": fit.method_name,
        "texts": {key: texts(language)[f"map.{key}"] for key in _TEXTS},
        "palette": {"light": [*PALETTE, *MORE_COLORS], "dark": [*PALETTE_DARK, *MORE_DARK]},
        "scale": {"light": list(SCALE), "dark": list(SCALE_DARK)},
        "labels": _labels(fit.row_labels if s is None else s.subject.index, n),
        "axes": [_axis(k, shares, fit.is_map, voice) for k in range(q)],
        "coordinates": writer.coordinates(Z),
    }
    columns: list[dict[str, Any]] = []
    sent = 0
    for role, column in _in_order(own, other, classes):
        sent += n
        if sent <= MAX_CELLS or role != "active":
            columns.append(writer.column(f"c{len(columns)}", role, column))
    left_out = len(own.numeric) + len(own.factors) - sum(c["role"] == "active" for c in columns)
    measures = _measures(fit, q, voice) if n <= MAX_MEASURED else {}
    columns += [writer.column(key, "measure", column) for key, column in measures.items()]
    header |= {"columns": columns, "left_out": left_out}
    keys = {(c["role"], c["name"]): c["key"] for c in columns}
    header["start"] = _start(Z, own, other, classes, keys)
    header["model"] = _model(fit, s, writer.array)
    return Payload(header, writer.buffers)


class _Writer:
    """Collects arrays as buffers."""

    def __init__(self) -> None:
        self.buffers: list[bytes] = []

    def array(self, values: np.ndarray, kind: str) -> dict[str, Any]:
        """Store an array and return its place in the header."""
        self.buffers.append(np.ascontiguousarray(values, dtype=f"<{kind}").tobytes())
        return {"buffer": len(self.buffers) - 1, "type": kind, "shape": list(values.shape)}

    def coordinates(self, Z: np.ndarray) -> dict[str, Any]:
        low, high = Z.min(axis=0), Z.max(axis=0)
        wide = np.where(high > low, high - low, 1.0)
        data = np.round((Z - low) / wide * _STEPS)
        ends = {"low": low.tolist(), "high": (low + wide).tolist()}
        return ends | {"data": self.array(data.T, "u2")}

    def column(self, key: str, role: str, column: Numeric | Factor) -> dict[str, Any]:
        head = {"key": key, "name": clean(column.name), "role": role}
        if isinstance(column, Numeric):
            with np.errstate(over="ignore"):
                values = np.asarray(column.values, dtype=float).astype(np.float32)
            return head | {"kind": "number", "data": self.array(values, "f4")}
        levels = [clean(label) for label in column.labels]
        kind, missing = ("u1", 255) if len(levels) < 255 else ("u2", 65_535)
        codes = np.where(column.codes < 0, missing, column.codes)
        return head | {"kind": "group", "levels": levels, "data": self.array(codes, kind)}


def _columns(
    fit: Any, s: Study | None, table: TableLike | None, name: str
) -> tuple[Supplement, Supplement, Factor | None]:
    """Return the columns that made the axes, the others, and the classes."""
    n, other, classes = len(fit.individuals()), Supplement([], []), None
    if s is not None:
        X = s.subject.X
        if s.subject.method == "ca":
            own = _profiles(fit)
        elif isinstance(X, pd.DataFrame) and (s.subject.kind == "table" or s.has_columns):
            own = supplement_of(X.set_axis(range(n), axis=0), n)
        else:
            own = Supplement([], [])
        for frame in (s.subject.groups, s.subject.supplementary):
            if frame is not None:
                more = supplement_of(frame.set_axis(range(n), axis=0), n)
                other = Supplement(other.numeric + more.numeric, other.factors + more.factors)
        if s.classes is not None:
            codes = pd.Categorical(s.classes.found.labels)
            classes = Factor(name, np.asarray(codes.codes), codes.categories)
        return own, other, classes
    # What only fits without a study need, and a report does not load.
    from gramian.clusters.description import join_columns, own_columns

    own = own_columns(fit) or _profiles(fit)
    if table is not None:
        joined = join_columns(own, supplement_of(table, n, fit.row_labels))
        other = Supplement(joined.numeric[len(own.numeric) :], joined.factors[len(own.factors) :])
    return own, other, classes


def _profiles(fit: Any) -> Supplement:
    """Return the profiles of the rows of counts as columns; none for other fits."""
    training = getattr(fit, "training_", None)
    if training is None or not fit.is_factor_method or training.kind != "table":
        return Supplement([], [])
    X = np.asarray(to_dense(training.rows), dtype=float)
    return Supplement(
        [Numeric(name, x) for name, x in zip(fit.variables().index, X.T, strict=True)], []
    )


def _in_order(
    own: Supplement, other: Supplement, classes: Factor | None
) -> Iterator[tuple[str, Numeric | Factor]]:
    """Yield the role and the values of each column, those to colour by first."""
    yield from (("group", column) for column in other.factors)
    if classes is not None:
        yield "class", classes
    yield from (("supplementary", column) for column in other.numeric)
    yield from (("active", column) for column in own.factors)
    yield from (("active", column) for column in own.numeric)


def _labels(index: pd.Index | None, n: int) -> list[str] | None:
    """Return the names of the rows, None where they are positions only."""
    if index is None:
        return None
    names = [clean(label) for label in index]
    positions = [list(map(str, range(first, first + n))) for first in (0, 1)]
    return None if names in positions else names


def _axis(k: int, shares: Any, is_map: bool, voice: Voice) -> dict[str, Any]:
    if shares is None:
        return {"name": voice("axis", k=k + 1), "share": None}
    share = float(np.asarray(shares)[k])
    return {
        "name": voice("map.axis.own" if is_map else "map.axis", k=k + 1, share=Share(share)),
        "share": share,
    }


def _measures(fit: Any, q: int, voice: Voice) -> dict[str, Numeric]:
    """Return cos² and contribution of the rows on each axis, where the fit has them."""
    out: dict[str, Numeric] = {}
    readings = fit.individuals()
    known = set(readings.columns.get_level_values(0))
    for measure in ("cos2", "contribution"):
        for k in range(1, q + 1):
            if measure in known and (measure, k) in readings.columns:
                name = voice(f"map.{measure}", k=k)
                out[f"{measure}-{k}"] = Numeric(name, readings[measure, k].to_numpy())
    return out


def _start(
    Z: np.ndarray,
    own: Supplement,
    other: Supplement,
    classes: Factor | None,
    keys: dict[tuple[str, str], str],
) -> dict[str, str | None]:
    """Return for each plane the column whose values its axes separate best."""
    roles: list[tuple[str, Sequence[Factor]]] = [("group", other.factors)]
    roles += [("class", [classes] if classes is not None else [])]
    found: dict[str, np.ndarray] = {}  # η² or r² on each axis, the groups that were given first
    for role, factors in roles:
        found |= {keys[role, clean(f.name)]: _eta2(Z, f.codes) for f in factors}
    if not found:
        columns = [c for c in other.numeric if ("supplementary", clean(c.name)) in keys]
        found = {keys["supplementary", clean(c.name)]: _r2(Z, c.values) for c in columns}
    if not found:
        few = {("active", clean(f.name)): f for f in own.factors if len(f.labels) <= _MAX_LEVELS}
        found = {keys[name]: _eta2(Z, f.codes) for name, f in few.items() if name in keys}
    variance, q = Z.var(axis=0), Z.shape[1]
    out: dict[str, str | None] = {}
    for j in range(q):
        for k in range(j + 1, q):
            whole = variance[j] + variance[k]
            if not found or not whole:
                out[f"{j + 1},{k + 1}"] = None
                continue
            linked = {
                key: max(share[j], share[k], (variance[[j, k]] @ share[[j, k]]) / whole)
                for key, share in found.items()
            }
            best = max(linked, key=lambda key: linked[key])
            out[f"{j + 1},{k + 1}"] = best if linked[best] >= _WEAK_LINK else next(iter(found))
    return out


def _eta2(Z: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the share of the variance of each axis that is between groups."""
    rows = codes >= 0
    Z, codes = Z[rows], codes[rows]
    if not len(Z):
        return np.zeros(Z.shape[1])
    counts = np.bincount(codes)
    live = counts > 0
    sums = np.stack([np.bincount(codes, z) for z in Z.T], axis=1)
    means = sums[live] / counts[live, None] - Z.mean(axis=0)
    whole = Z.var(axis=0) * len(Z)
    share = (counts[live, None] * means**2).sum(axis=0) / np.where(whole > 0, whole, np.inf)
    # Many small groups separate any axis: what noise would give is taken off.
    free = (live.sum() - 1) / max(len(Z) - 1, 1)
    return np.maximum((share - free) / max(1.0 - free, 1e-9), 0.0)


def _r2(Z: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return the squared correlation of a number with each axis."""
    rows = np.isfinite(x)
    if rows.sum() < 3:
        return np.zeros(Z.shape[1])
    D, d = Z[rows] - Z[rows].mean(axis=0), x[rows] - x[rows].mean()
    whole = (D**2).sum(axis=0) * (d**2).sum()
    return np.where(whole > 0, (d @ D) ** 2 / np.where(whole > 0, whole, 1.0), 0.0)


def _model(fit: Any, s: Study | None, write: Write) -> dict[str, Any] | None:
    """Return the model of a fit, None where a browser cannot place new rows.

    Kind "linear": z = ((x − mean)·factor) V·unit of the columns, categories being indicators and
    counts profiles. Kind "kernel": z = k(x, rows) A + b of a Gaussian kernel, with all rows or some
    of them (landmarks).
    """
    # By name: a page of numbers does not load the classes of the other methods.
    name = type(fit).__name__
    if fit.row_weights is not None and name != "CA":
        return None
    if name in ("PCA", "CA", "MCA", "FAMD"):
        return _linear(fit, write)
    if name == "KernelPCA" and type(fit.kernel_).__name__ == "Gaussian":
        return _kernel(fit, s, write)
    return None


def _linear(fit: Any, write: Write) -> dict[str, Any] | None:
    model, training = fit.model_, fit.training_
    if not isinstance(model, FeatureModel) or training.kind != "table":
        return None
    standard, spectrum = model.principal.standard, model.spectrum
    V = np.asarray(to_numpy(spectrum.vectors), dtype=float)
    mean, factor = (np.asarray(to_numpy(x), dtype=float) for x in (standard.mean, standard.factor))
    if V.size > MAX_NUMBERS:
        return None
    rows = np.asarray(to_numpy(to_dense(training.rows[:_CHECKED_ROWS])), dtype=float)
    if not _agrees((rows - mean) * factor @ V * standard.unit, fit):
        return None
    coding = getattr(fit, "coding_", None) if fit.is_factor_method else None
    if coding is not None:
        # Each by its name, its levels and whether the last one stands for no value.
        levels = [None if v.levels is None else list(map(str, v.levels)) for v in coding.variables]
        variables = [
            {"name": str(v.name), "levels": own, "hole": v.has_holes}
            for v, own in zip(coding.variables, levels, strict=True)
        ]
    else:
        variables = [{"name": str(name), "levels": None} for name in fit.variables().index]
    return {
        "kind": "linear",
        "profile": type(fit).__name__ == "CA",
        "variables": variables,
        "mean": write(mean, "f8"),
        "factor": write(factor, "f8"),
        "vectors": write(V, "f8"),
        "values": np.asarray(spectrum.values, dtype=float).tolist(),
        "total": float(spectrum.total),
        "unit": float(standard.unit),
        "limits": _limits(fit, training.n * len(mean)),
    }


def _limits(fit: Any, cells: int) -> dict[str, float] | None:
    """Return the limits of T² and Q that 95 % of new rows keep, None where they are not known."""
    if cells > _MAX_LIMIT_CELLS:
        return None
    try:
        first = fit.limits().iloc[0]
    except InputError:  # too few rows
        return None
    return {"t2": float(first["t2_limit"]), "q": float(first["q_limit"])}


def _agrees(Z: np.ndarray, fit: Any) -> bool:
    """Whether rows of the fit are placed where the fit has them."""
    known = np.asarray(to_numpy(fit.coordinates_), dtype=float)
    own = known[: len(Z)]
    return bool(np.abs(Z - own).max() <= _TOLERANCE * np.abs(known).max())


def _kernel(fit: Any, s: Study | None, write: Write) -> dict[str, Any] | None:
    training, scale = fit.training_, fit.kernel_.scale
    if training.kind != "table" or np.ndim(scale) or fit.formulation != "centered":
        return None
    X = np.asarray(to_numpy(to_dense(training.rows)), dtype=float)
    Z, n = np.asarray(to_numpy(fit.coordinates_), dtype=float), len(X)
    exact = n <= _MAX_EXACT_ROWS and fit.approximation is None
    rng = np.random.default_rng(0)
    landmarks = X if exact else X[np.sort(rng.choice(n, min(n, _LANDMARKS), replace=False))]
    if landmarks.size > MAX_NUMBERS:
        return None
    error, grand = 0.0, 0.0
    if exact:
        K = np.asarray(fit.kernel_.pairwise(X, X))
        A = Z / (n * np.asarray(fit.eigenvalues_))
        offset, grand = -K.mean(axis=0) @ A, float(K.mean())
        if not _agrees((K @ A + offset)[:_CHECKED_ROWS], fit):
            return None
    else:
        some = np.sort(rng.choice(n, min(n, _MAX_FITTED_ROWS), replace=False))
        features = np.asarray(fit.kernel_.pairwise(X[some], landmarks))
        solved = np.linalg.lstsq(np.column_stack([features, np.ones(len(some))]), Z[some], 1e-10)[0]
        A, offset = solved[:-1], solved[-1]
        error = float(
            np.sqrt(((features @ A + offset - Z[some]) ** 2).sum() / (Z[some] ** 2).sum())
        )
    names = training.columns or [f"x{j}" for j in range(X.shape[1])]
    mean, deviation = np.zeros(X.shape[1]), np.ones(X.shape[1])
    if s is not None and s.subject.everything is not None:
        raw = s.subject.everything.loc[s.subject.index, list(names)].to_numpy(dtype=float)
        if raw.shape != X.shape or not np.allclose(raw, X):  # the study standardised the columns
            mean, deviation = raw.mean(axis=0), raw.std(axis=0)
    return {
        "kind": "kernel",
        "variables": [{"name": str(name), "levels": None} for name in names],
        "mean": write(mean, "f8"),
        "factor": write(1.0 / deviation, "f8"),
        "rows": write(landmarks, "f8"),
        "coefficients": write(A, "f8"),
        "offset": offset.tolist(),
        "values": np.asarray(fit.eigenvalues_, dtype=float).tolist(),
        "scale": float(scale),
        "grand": grand,
        "exact": exact,
        "landmarks": len(landmarks),
        "error": error,
        "total": float(fit.inertia_),
        "unit": 1.0,
        "limits": _limits(fit, n * n) if exact else None,
    }
