"""Tables with a design: the share of each factor, its test and its map; batches removed."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import lgamma, log
from typing import Annotated, Any, Self

import numpy as np
import pandas as pd
from sklearn.base import TransformerMixin, clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import column_units, power_of_two, to_numpy
from gramian._core.check import generator, is_list, short, whole
from gramian._core.frames import collect, column_names, is_frame, labels_of
from gramian._core.table import table as validated
from gramian._core.table import weights
from gramian._core.types import DataLike, SeedLike, WeightsLike
from gramian._estimators.base import Published, SpectralEstimator, column_record
from gramian._estimators.pca import PCA
from gramian._nulls.draws import row_orders
from gramian._nulls.p_values import number_of_permutations, p_values
from gramian._reading.columns import Factor, Numeric, columns, frame_of
from gramian.ecology.design import Terms, beside, columns_of_term, term_names
from gramian.ecology.permanova import bases
from gramian.errors import InputError, TiedAxesWarning

_MIN_ORDERS = 1e4  # of rows within small groups; with fewer, larger groups are permuted within
_TINY = 1e-12
_CHUNK = 1 << 23  # numbers at a time
Known = dict[str, Numeric | Factor]


class Design(TransformerMixin, Published):
    """What the factors of an experiment explain of a table: shares, tests, maps, batches removed.

    Least squares on the terms of the formula, in the columns themselves or in the space of an
    estimator (its full coordinates, so that kernels and distances are exact). `transform` returns
    the rows without what `remove` explains, new rows too; `test` the share of the inertia of each
    term with its permutation test; `map` the principal axes of one term (ASCA); `discriminant` the
    axes that separate groups, with cross-validated separation.

    Parameters
    ----------
    formula : str or list of str, optional
        Terms such as "treatment * time" or "a + b:c": names of columns, numeric or categorical.
    within : str, optional
        Column of subjects that were measured several times. Terms that vary within subjects are
        tested by permuting the rows of each subject, terms that are constant within subjects by
        permuting subjects. No two subjects may have the same label.
    remove : str or list of str, optional
        Columns (batch, run, site, …) whose effect, estimated jointly with the terms, is removed.
    estimator : estimator, optional
        The space in which rows are compared: `gm.PCA(scale=True)`, `gm.KernelPCA(kernel=…)`,
        `gm.ClassicalMDS(metric=…)`, … The columns as they are by default.

    Attributes
    ----------
    values_ : array (n, r)
        The rows of the fit: columns, or coordinates in the space of the estimator.
    coefficients_ : array (c, r)
        The effects of the coded columns of `remove`.
    space_ : estimator or None
        The fitted estimator, with all its axes.
    columns_, row_labels_, weights_, levels_, offsets_
        The design of the rows of the fit, their labels and weights, and how `remove` is coded.

    See Also
    --------
    gramian.ecology.permanova : tests of terms for a distance.
    gramian.ecology.rda : ordination of all terms together.

    References
    ----------
    - Smilde et al. (2005), ANOVA-simultaneous component analysis (ASCA).
    - Thiel, Féraud and Govaerts (2017), ASCA+ and APCA+ for unbalanced designs.
    - Dolédec and Chessel (1987), between- and within-class analysis.

    Notes
    -----
    Between-class analysis is `Design("group").fit(X, table).map("group")`; within-class analysis is
    the PCA of `Design(remove="group").fit_transform(X, table)`. Of distances that no Euclidean
    space holds, the part on real axes is analysed; `gm.ecology.permanova` takes all of it.

    Examples
    --------
    >>> import gramian as gm
    >>> iris = gm.datasets.iris()
    >>> design = gm.Design("species").fit(iris.data, iris.groups)
    >>> round(float(design.test(n_permutations=99).loc["species", "share"]), 4)
    0.8689
    """

    space_: Any
    values_: Annotated[np.ndarray, "(n, r)"]
    columns_: dict[str, np.ndarray]
    weights_: Annotated[np.ndarray, "(n,)", ">= 0"] | None
    row_labels_: np.ndarray | None
    coefficients_: Annotated[np.ndarray, "(c, r)"]
    levels_: list[Any]
    offsets_: Annotated[np.ndarray, "(c,)"]

    def __init__(
        self,
        formula: Terms | None = None,
        within: str | None = None,
        remove: Terms | None = None,
        *,
        estimator: SpectralEstimator | None = None,
    ) -> None:
        self.formula = formula
        self.within = within
        self.remove = remove
        self.estimator = estimator

    def fit(self, X: DataLike, y: object = None, sample_weight: WeightsLike = None) -> Self:
        """Estimate the effects of the terms.

        Parameters
        ----------
        X : array or data frame (n, p)
            The rows; a data frame may also hold the columns of the design, which are then taken
            out of it. What the estimator takes, where there is one.
        y : data frame, optional
            The columns of the design, where X does not hold them; ignored without a design.
        sample_weight : array (n,), optional
        """
        _check_parameters(self.formula, self.within, self.remove)
        rows, native = self._split(X, y)
        names: dict[str, Any] = {}
        space = None
        if self.estimator is None:
            own = validated(rows, "X", allow_sparse=False)
            names, index = column_record(own), own.index
            p = weights(sample_weight, len(own.values), index=index)
            values = to_numpy(own.values).astype(float)
        else:
            if not isinstance(self.estimator, SpectralEstimator):
                raise InputError(
                    f"estimator={short(self.estimator)} has no axes: give one such as "
                    "gm.KernelPCA()"
                )
            space = clone(self.estimator).set_params(n_components=None)
            with warnings.catch_warnings():  # all axes are taken together
                warnings.simplefilter("ignore", TiedAxesWarning)
                space.fit(rows, sample_weight=sample_weight)
            values, index = to_numpy(space.coordinates_).astype(float), space.row_labels
            p = space.weights_
        known = _known(native, len(values), index)
        w = np.full(len(values), 1.0 / len(values)) if p is None else p
        removed = [known[name] for name in self._removed()]
        levels = [_levels(column) for column in removed]
        coded = _encode(removed, levels, len(values))
        offsets = w @ coded
        if self.formula is not None:
            self._terms(known)  # names are checked now
        B = _effects(values, coded - offsets, self._terms(known), w)
        state = {
            "space_": space,
            "values_": values,
            "columns_": {name: _as_array(column) for name, column in known.items()},
            "weights_": p,
            "row_labels_": None if index is None else np.asarray(index, dtype=object),
            "coefficients_": B,
            "levels_": levels,
            "offsets_": offsets,
        }
        self._publish(state | names)
        return self

    def fit_transform(
        self, X: DataLike, y: object = None, sample_weight: WeightsLike = None
    ) -> np.ndarray:
        """Fit, and return the rows without what `remove` explains, (n, r)."""
        return self.fit(X, y, sample_weight).transform(X, y)

    def transform(self, X: DataLike, table: object = None) -> np.ndarray:
        """Return rows without what `remove` explains.

        Parameters
        ----------
        X : array or data frame (m, p)
        table : data frame, optional
            The columns of `remove`, where X does not hold them, with categories of the fit.

        Returns
        -------
        array (m, r)
            The columns of X, or coordinates in the space of the estimator.

        Examples
        --------
        >>> import pandas as pd, gramian as gm
        >>> X = pd.DataFrame({"x": [1.0, 2.0, 11.0, 12.0], "batch": list("aabb")})
        >>> gm.Design(remove="batch").fit_transform(X).ravel().tolist()
        [6.0, 7.0, 6.0, 7.0]
        """
        check_is_fitted(self)
        rows, native = self._split(X, table, self._removed())
        if self.space_ is None:
            own = self._like_fit(rows, validated(rows, "X", min_rows=1, allow_sparse=False))
            Z, index = to_numpy(own.values).astype(float), own.index
        else:
            Z, index = to_numpy(self.space_.transform(rows)).astype(float), labels_of(rows)
        removed = list(_known(native, len(Z), index).values())
        coded = _encode(removed, self.levels_, len(Z))
        return np.asarray(Z - (coded - self.offsets_) @ self.coefficients_)

    def get_feature_names_out(self, input_features: Iterable[str] | None = None) -> np.ndarray:
        """Return the names of the columns that `transform` returns."""
        check_is_fitted(self)
        if self.space_ is not None:
            return np.asarray(self.space_.get_feature_names_out(), dtype=object)
        own = vars(self).get("feature_names_in_")
        p = self.values_.shape[1]
        names = [f"x{j}" for j in range(p)] if own is None else list(own)
        if input_features is not None:
            given = list(input_features)
            if len(given) != p or (own is not None and given != names):
                raise InputError("input_features is not equal to feature_names_in_: leave it out")
            names = given
        return np.asarray(names, dtype=object)

    def test(self, *, n_permutations: int = 999, random_state: SeedLike = None) -> pd.DataFrame:
        """Test what each term explains, given the others.

        A term is tested given all others but the interactions that hold it (type II), by
        permuting the residuals of these (Freedman and Lane): within the groups of `remove`; within
        subjects for terms that vary there; between subjects, whose means are then the rows, for
        terms that do not. Rows of a subject are supposed to be exchangeable once its mean is
        taken out.

        Parameters
        ----------
        n_permutations, random_state : int

        Returns
        -------
        DataFrame
            One row for `remove` and `within`, one for each term; then "shared" (what terms explain
            together and none of them alone, where the design is not balanced), "residual" and
            "total". Columns "df", "inertia", "share" (of the total), "F", "p_value" (NaN where
            nothing is left to test) and "permuted" ("rows", "rows of a subject" or "subjects").

        Examples
        --------
        >>> import gramian as gm
        >>> iris = gm.datasets.iris()
        >>> design = gm.Design("species", estimator=gm.KernelPCA()).fit(iris.data, iris.groups)
        >>> float(design.test(n_permutations=99, random_state=0).loc["species", "p_value"])
        0.01
        """
        check_is_fitted(self)
        if self.weights_ is not None and np.ptp(self.weights_) > _TINY:
            raise InputError(
                "sample_weight: rows of different weights cannot change places: test a fit "
                "without weights"
            )
        count, rng = number_of_permutations(n_permutations), generator(random_state)
        layout = self._layout()
        lines = layout.lines()
        for level in layout.levels:
            moved = row_orders(len(level.Z), count, rng, level.groups)
            for name in level.design:
                lines[name] |= level.test(name, moved)
        frame = pd.DataFrame.from_dict(lines, orient="index")
        frame.index.name = "term"
        frame["share"] = frame["inertia"] / lines["total"]["inertia"]
        frame["inertia"] *= layout.unit**2
        return frame.reindex(columns=["df", "inertia", "share", "F", "p_value", "permuted"])

    def map(self, term: str | None = None) -> PCA:
        """Return the principal axes of what one term explains (ASCA).

        Parameters
        ----------
        term : str, optional
            A term of the formula; the first by default.

        Returns
        -------
        PCA
            Of the effects of the term's cells, which weigh what their rows weigh. The rows of the
            fit, without the effects of the other terms, are supplementary: they are labelled as
            in X, cells as "treatment=a". `transform` takes rows as `Design.transform` gives them
            (with `set_output(transform="pandas")`, for their names).

        Examples
        --------
        >>> import gramian as gm
        >>> iris = gm.datasets.iris()
        >>> between = gm.Design("species").fit(iris.data, iris.groups).map("species")
        >>> between.inertia_ratio_.round(4).tolist()
        [0.9914, 0.0086]
        """
        layout = self._layout()
        name = self._term(term, layout)
        labels, cells, own = self._cells(name, layout)
        w = np.bincount(own, layout.root**2, len(cells))
        other = [k for k in layout.terms if k != name]
        rows = layout.values - sum((layout.effect(k)[0] for k in other), np.zeros(()))
        table = pd.DataFrame(
            np.vstack([cells + layout.mean, rows]),
            index=pd.Index([*labels, *self._row_labels()], dtype=object),
            columns=self.get_feature_names_out(),
        )
        return PCA().fit(table, sample_weight=np.append(w, np.zeros(len(rows))))

    def discriminant(
        self, term: str | None = None, *, n_folds: int = 10, random_state: SeedLike = None
    ) -> Discriminant:
        """Return the axes that separate the cells of a term best, with cross-validated separation.

        The axes are those of linear discriminant analysis with the covariance of Ledoit and Wolf,
        so that rows may be fewer than columns. Folds are rows, or subjects where `within` is
        given; effects of `remove` are estimated anew in each fold.

        Parameters
        ----------
        term : str, optional
            A term of the formula whose columns are categories; the first by default.
        n_folds, random_state : int

        Returns
        -------
        Discriminant

        Examples
        --------
        >>> import gramian as gm
        >>> iris = gm.datasets.iris()
        >>> found = gm.Design("species").fit(iris.data, iris.groups).discriminant(random_state=0)
        >>> round(found.accuracy, 2)
        0.98
        """
        layout = self._layout()
        name = self._term(term, layout)
        labels, _, own = self._cells(name, layout)
        if len(labels) > len(own) // 2:
            raise InputError(
                f"term: {name!r} has {len(labels)} cells of {len(own)} rows: give one of categories"
            )
        units = own_units = np.arange(len(own))
        if self.within is not None:
            own_units = pd.factorize(self.columns_[self.within])[0]
            units = np.unique(own_units)
        count = min(whole(n_folds, "n_folds", 2), len(units))
        fold = np.empty(len(units), dtype=int)
        fold[generator(random_state).permutation(len(units))] = np.arange(len(units)) % count
        predicted, places = self._held_out(own, fold[own_units], layout)
        model = _discriminant(layout.values, own)
        Z = model.transform(layout.values)
        w = np.bincount(own, minlength=len(labels)) / len(own)
        means = np.stack([Z[own == k].mean(axis=0) for k in range(len(labels))])
        table = pd.DataFrame(
            np.vstack([means, Z]),
            index=pd.Index([*labels, *self._row_labels()], dtype=object),
            columns=[f"d{j + 1}" for j in range(Z.shape[1])],
        )
        fit = PCA().fit(table, sample_weight=np.append(w, np.zeros(len(Z))))
        known = predicted >= 0
        confusion = pd.crosstab(
            pd.Categorical.from_codes(own[known], pd.Index(labels)),
            pd.Categorical.from_codes(predicted[known], pd.Index(labels)),
            dropna=False,
        ).rename_axis(index="true", columns="predicted")
        accuracy = float((predicted == own)[known].mean())
        between = _between_share(places[known], own[known])
        return Discriminant(fit, accuracy, float(w.max()), between, confusion, model)

    def _held_out(
        self, own: np.ndarray, fold: np.ndarray, layout: _Layout
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the predicted cell of rows that were left out, and their places on the axes."""
        predicted = np.full(len(own), -1)
        q = min(len(np.unique(own)) - 1, self.values_.shape[1])
        places = np.zeros((len(own), q))
        root = layout.root
        for k in np.unique(fold):
            train, test = fold != k, fold == k
            if len(np.unique(own[train])) < 2:
                continue
            w = root[train] ** 2 / (root[train] ** 2).sum()
            offset = w @ layout.coded[train]
            terms = {name: block[train] for name, block in layout.terms.items()}
            B = _effects(self.values_[train], layout.coded[train] - offset, terms, w)
            rows = self.values_ - (layout.coded - offset) @ B
            model = _discriminant(rows[train], own[train])
            predicted[test] = model.predict(rows[test])
            # Axes of different folds are compared by distances to their own centre only.
            Z = model.transform(rows)
            places[test, : Z.shape[1]] = Z[test] - Z[train].mean(axis=0)
        return predicted, places

    @property
    def column_names(self) -> list[str]:
        """The columns that the design uses."""
        _check_parameters(self.formula, self.within, self.remove)
        return _design_names(self.formula, self.within, self.remove)

    @property
    def terms(self) -> list[str]:
        """The terms of the formula, main effects first."""
        return [] if self.formula is None else list(dict.fromkeys(term_names(self.formula, ())))

    def cells(self, term: str | None = None) -> list[str]:
        """Return the cell of each row of the fit, such as "treatment=a"."""
        layout = self._layout()
        labels, _, own = self._cells(self._term(term, layout), layout)
        return [labels[k] for k in own]

    def _removed(self) -> list[str]:
        return [] if self.remove is None else _names(self.remove)

    def _terms(self, known: Known) -> dict[str, np.ndarray]:
        """Return the columns of each term of the formula."""
        if self.formula is None:
            return {}
        names = list(dict.fromkeys(term_names(self.formula, known)))
        return {name: columns_of_term(name, known) for name in names}

    def _split(
        self, X: DataLike, table: object, names: list[str] | None = None
    ) -> tuple[DataLike, dict[str, Any]]:
        """Return the rows without the columns of the design, and these columns by name."""
        every = _design_names(self.formula, self.within, self.remove)
        needed = every if names is None else names
        if not every:
            return X, {}
        outside = frame_of(collect(table)) if _has_columns(table) else None
        beside = [] if outside is None else [str(k) for k in column_names(outside) or ()]
        own = [str(k) for k in column_names(X) or ()] if is_frame(X) else []
        frame = pd.DataFrame(collect(X)) if own and not isinstance(X, pd.DataFrame) else X
        found = {}
        for name in needed:
            if name in beside:
                found[name] = _column(outside, beside.index(name))
            elif name in own:
                found[name] = _column(frame, own.index(name))
            else:
                known = ", ".join([*beside, *own][:10]) or "none"
                raise InputError(
                    f"{name!r} is no column of the design: give a table that has it, or X with it "
                    f"(columns found: {known})"
                )
        inside = [k for k, name in enumerate(own) if name in every and name not in beside]
        if inside:
            assert isinstance(frame, pd.DataFrame)
            return frame.iloc[:, [k for k in range(len(own)) if k not in inside]], found
        return X, found

    def _layout(self) -> _Layout:
        """Return the bases of the fitted design."""
        check_is_fitted(self)
        known = {name: _of_array(name, values) for name, values in self.columns_.items()}
        terms = self._terms(known)
        n = len(self.values_)
        w = np.full(n, 1.0 / n) if self.weights_ is None else self.weights_
        removed = [known[name] for name in self._removed()]
        coded = _encode(removed, self.levels_, n)
        values = self.values_ - (coded - self.offsets_) @ self.coefficients_
        groups = [column.codes for column in removed if isinstance(column, Factor)]
        subjects = None if self.within is None else pd.factorize(self.columns_[self.within])[0]
        names = " + ".join(self._removed()), self.within or ""
        return _Layout(values, self.values_, np.sqrt(w), terms, coded, groups, subjects, names)

    def _term(self, term: str | None, layout: _Layout) -> str:
        if not layout.terms:
            raise InputError("formula is None: name the terms that make maps")
        name = next(iter(layout.terms)) if term is None else term
        if name not in layout.terms:
            raise InputError(
                f"term={short(term)} is no term of the formula: choose from "
                f"{', '.join(layout.terms)}"
            )
        return name

    def _cells(self, name: str, layout: _Layout) -> tuple[list[str], np.ndarray, np.ndarray]:
        """Return the cells of a term: their labels, effects (m, r), and that of each row."""
        parts = [name] if name in self.columns_ else [k.strip() for k in name.split(":")]
        columns = [np.asarray(self.columns_[part], dtype=object) for part in parts]
        keys = pd.MultiIndex.from_arrays(columns)
        own, cells = pd.factorize(keys, sort=True)
        effects, live = layout.effect(name)
        if not live:
            raise InputError(f"term: {name!r} explains nothing that the other terms do not")
        first = np.unique(own, return_index=True)[1]
        labels = [
            ", ".join(
                f"{k}={v:g}" if isinstance(v, float) else f"{k}={v}"
                for k, v in zip(parts, c, strict=True)
            )
            for c in cells
        ]
        return labels, effects[first], own

    def _row_labels(self) -> list[Any]:
        if self.row_labels_ is not None:
            return list(self.row_labels_)
        return [str(k) for k in range(len(self.values_))]


@dataclass(frozen=True, eq=False)
class Discriminant:
    """Axes that separate groups, and how well rows that were left out are separated.

    Attributes
    ----------
    fit : PCA
        The groups on the discriminant axes; rows are supplementary.
    accuracy, chance : float
        The share of rows that are nearest to their own group when they are left out, and that of
        the largest group.
    separation : float
        The share of the inertia of rows that were left out, on the axes, between groups.
    confusion : DataFrame
        Counts of rows by group ("true") and by nearest group ("predicted").

    Examples
    --------
    >>> import gramian as gm
    >>> iris = gm.datasets.iris()
    >>> found = gm.Design("species").fit(iris.data, iris.groups).discriminant(random_state=0)
    >>> round(found.chance, 2)
    0.33
    """

    fit: PCA
    accuracy: float
    chance: float
    separation: float
    confusion: pd.DataFrame
    _model: LinearDiscriminantAnalysis

    def __repr__(self) -> str:
        return (
            f"Discriminant({self.fit.n_components_} axes; {self.accuracy:.0%} of rows left out "
            f"are nearest to their group, {self.chance:.0%} by the largest group)"
        )

    def transform(self, Z: DataLike) -> np.ndarray:
        """Return rows, as `Design.transform` gives them, on the axes."""
        rows = to_numpy(validated(Z, "X", min_rows=1, allow_sparse=False).values)
        Y = pd.DataFrame(self._model.transform(rows.astype(float)), columns=self.fit.column_names)
        return np.asarray(self.fit.transform(Y))


@dataclass(frozen=True, eq=False)
class _Level:
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
        sums, left = _explained(self.Z, given, term, rest, moved)
        a, b = sums / term.shape[1], left / df
        F = np.divide(a, b, out=np.where(a > 0, 1e300, 0.0), where=b > _TINY * a.max())
        return {"F": F[0], "p_value": float(p_values(F[0], F[1:])), "permuted": self.permuted}


class _Layout:
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
        self.start = _beside(root[:, None], [coded], root)
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
        return _beside(self.start, [_indicators(self.subjects)], self.root)

    @property
    def levels(self) -> list[_Level]:
        """The levels at which terms are tested, those of subjects first."""
        found = []
        if self.subjects is None:
            groups = _finest([_joined(self.groups)] if self.groups else [])
            return [_Level(self.Z, self.root, self.start, self.terms, groups, "rows")]
        if self.constant:
            A = _indicators(self.subjects, first=True)
            A = A / A.sum(axis=0)
            Z, m = A.T @ (self.Z / self.root[:, None]), A.shape[1]
            root = np.full(m, m**-0.5)
            start = _beside(root[:, None], [A.T @ self.coded], root)
            design = {name: A.T @ block for name, block in self.constant.items()}
            first = np.unique(self.subjects, return_index=True)[1]
            whole_ = [g[first] for g in self.groups if not _varies(g[:, None], self.subjects)]
            groups = _finest([_joined(whole_)] if whole_ else [])
            Z = root[:, None] * (Z - Z.mean(axis=0))
            found.append(_Level(Z, root, start, design, groups, "subjects"))
        if self.varying:
            both = [_joined([self.subjects, *self.groups])] if self.groups else []
            groups = _finest([*both, self.subjects], last=True)
            found.append(
                _Level(self.Z, self.root, self.given, self.varying, groups, "rows of a subject")
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
        used = _beside(self.start, list(first.values()), self.root)
        if self.subjects is not None:
            before = used.shape[1]
            used = _beside(used, [_indicators(self.subjects)], self.root)
            line(self.names[1], used[:, before:])
            for name in self.varying:
                line(name, type_two(self.varying, name, self.given, self.root)[1])
            used = _beside(used, list(self.varying.values()), self.root)
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


def _explained(
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


def _effects(
    values: np.ndarray, coded: np.ndarray, terms: dict[str, np.ndarray], w: np.ndarray
) -> np.ndarray:
    """Return the effects of coded columns, (c, r), estimated jointly with the terms."""
    if not coded.shape[1]:
        return np.zeros((0, values.shape[1]))
    root = np.sqrt(w)
    live = w > 0
    values, coded, root = values[live], coded[live], root[live]
    terms = {name: block[live] for name, block in terms.items()}
    unit = power_of_two(float(np.abs(values).max())) or 1.0
    one = root[:, None]
    T = _beside(one, list(terms.values()), root)
    C = one * coded
    R = C - T @ (T.T @ C)
    if np.linalg.matrix_rank(R, tol=1e-7) < np.linalg.matrix_rank(C, tol=1e-7):
        raise InputError(
            "remove: its columns cannot be separated from the terms of the formula, which are "
            "the same for all rows of some groups: leave out the term or the removal"
        )
    return np.asarray(np.linalg.lstsq(R, one * (values / unit), rcond=1e-9)[0] * unit)


def _discriminant(Z: np.ndarray, own: np.ndarray) -> LinearDiscriminantAnalysis:
    model = LinearDiscriminantAnalysis(solver="eigen", shrinkage="auto")
    return model.fit(Z, own)


def _between_share(Z: np.ndarray, own: np.ndarray) -> float:
    centred = Z - Z.mean(axis=0)
    means = np.stack([centred[own == k].mean(axis=0) for k in np.unique(own)])
    counts = np.bincount(own)[np.unique(own)]
    total = float((centred**2).sum())
    return float(counts @ (means**2).sum(axis=1)) / total if total > 0 else 0.0


def _beside(Q: np.ndarray, blocks: Sequence[np.ndarray], root: np.ndarray) -> np.ndarray:
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


def _joined(codes: list[np.ndarray]) -> np.ndarray:
    """Return one code for each combination of groups."""
    return np.asarray(pd.factorize(pd.MultiIndex.from_arrays(codes))[0])


def _finest(groupings: list[np.ndarray], last: bool = False) -> np.ndarray | None:
    """Return the first grouping within which there are orders enough; the last one anyway."""
    for groups in groupings:
        orders = sum(lgamma(count + 1.0) for count in np.bincount(groups))
        if orders >= log(_MIN_ORDERS):
            return groups
    return groupings[-1] if last else None


def _check_parameters(formula: object, within: object, remove: object) -> None:
    for name, value in (("formula", formula), ("remove", remove)):
        if value is None or isinstance(value, str):
            continue
        if not is_list(value) or not all(isinstance(part, str) for part in value):  # type: ignore[attr-defined]
            raise InputError(
                f'{name}={short(value)} must be a text such as "a + b" or a list of names'
            )
    if within is not None and not isinstance(within, str):
        raise InputError(f"within={short(within)} must be the name of a column")
    if remove is not None and any(":" in name for name in _names(remove)):  # type: ignore[arg-type]
        raise InputError(f'remove={short(remove)} must name columns, such as "batch + run"')


def _names(terms: Terms) -> list[str]:
    """Return the names of a text "a + b" or a list."""
    parts = terms.split("+") if isinstance(terms, str) else terms
    names = [part.strip() for part in parts]
    if not all(names):
        raise InputError(f"terms={short(terms)} names nothing between two signs: give names")
    return list(dict.fromkeys(names))


def _design_names(formula: Terms | None, within: str | None, remove: Terms | None) -> list[str]:
    """Return the columns that a design uses."""
    terms = [] if formula is None else term_names(formula, ())
    names = [part.strip() for term in terms for part in term.split(":")]
    names += [] if within is None else [within]
    names += [] if remove is None else _names(remove)
    return list(dict.fromkeys(names))


def _has_columns(table: object) -> bool:
    return table is not None and (is_frame(table) or isinstance(table, dict | pd.Series))


def _column(frame: Any, position: int) -> Any:
    return frame.iloc[:, position] if hasattr(frame, "iloc") else frame[frame.columns[position]]


def _known(native: dict[str, Any], n: int, index: pd.Index | None) -> Known:
    """Return columns of numbers and categories by name, none of them with a gap."""
    out: Known = {}
    for name, column in native.items():
        own = columns({name: column} if is_list(column) else pd.Series(column).to_frame(), n, index)
        found: list[Numeric | Factor] = [*own.numeric, *own.factors]
        out[name] = found[0]
        gone = _missing(out[name])
        if gone.any():
            row = int(np.flatnonzero(gone)[0])
            raise InputError(f"table misses {name!r} in row {row}: fill it or drop the row")
    return out


def _missing(column: Numeric | Factor) -> np.ndarray:
    return column.codes < 0 if isinstance(column, Factor) else np.isnan(column.values)


def _as_array(column: Numeric | Factor) -> np.ndarray:
    if isinstance(column, Numeric):
        return column.values
    return np.asarray(column.labels, dtype=object)[column.codes]


def _of_array(name: str, values: np.ndarray) -> Numeric | Factor:
    if values.dtype != object:
        return Numeric(name, values)
    codes, labels = pd.factorize(values, sort=True)
    return Factor(name, codes, pd.Index(labels, dtype=object))


def _levels(column: Numeric | Factor) -> Any:
    """Return the categories of a column, or the unit of its numbers."""
    if isinstance(column, Factor):
        return [_plain(label) for label in column.labels]
    return float(column_units(column.values[:, None])[0])


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def _encode(removed: Sequence[Numeric | Factor], levels: list[Any], n: int) -> np.ndarray:
    """Return coded columns (n, c), by the categories and units of the fit."""
    blocks = [np.empty((n, 0))]
    for column, known in zip(removed, levels, strict=True):
        if isinstance(known, float) != isinstance(column, Numeric):
            raise InputError(
                f"table has another kind of values in {column.name!r} than the fit: give "
                f"{'numbers' if isinstance(known, float) else 'categories'}"
            )
        if isinstance(column, Numeric):
            blocks.append(column.values[:, None] / known)
            continue
        place = {label: k for k, label in enumerate(known)}
        new = [label for label in column.labels if label not in place]
        if new:
            raise InputError(
                f"table has {short(new[0])} in {column.name!r}, which the fit has not seen: its "
                "effect is not known: fit with rows of it"
            )
        own = np.array([place[label] for label in column.labels], dtype=int)[column.codes]
        blocks.append((own[:, None] == np.arange(1, len(known))).astype(float))
    return np.hstack(blocks)
