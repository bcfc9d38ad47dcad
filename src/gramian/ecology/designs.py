"""Tables with a design: shares, tests and maps of factors, and removal of batch effects."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Self

import numpy as np
import pandas as pd
from sklearn.base import TransformerMixin, clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import power_of_two, to_numpy
from gramian._core.check import generator, short, whole
from gramian._core.frames import collect, column_names, is_frame, labels_of
from gramian._core.table import table as validated
from gramian._core.table import weights
from gramian._core.types import DataLike, SeedLike, WeightsLike
from gramian._estimators.base import Published, SpectralEstimator, column_record
from gramian._estimators.pca import PCA
from gramian._nulls.draws import row_orders
from gramian._nulls.p_values import number_of_permutations
from gramian._reading.columns import Factor, frame_of
from gramian.ecology.design import Terms, columns_of_term, term_names
from gramian.ecology.design_columns import (
    Known,
    as_values,
    check_parameters,
    column_at,
    design_names,
    encode,
    from_values,
    has_columns,
    known_columns,
    levels_of,
    split_names,
)
from gramian.ecology.layout import TINY, Layout, extend
from gramian.errors import InputError, TiedAxesWarning


class Design(TransformerMixin, Published):
    """Analysis of a designed experiment: shares, tests and maps of factors, batch removal.

    Least squares on the terms of the formula, in the columns themselves or in the space of an
    estimator (its full coordinates, so that kernels and distances are exact). `transform` returns
    rows, also new ones, without the effects of `remove`; `test` the share of the inertia of each
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
        `gm.ClassicalMDS(metric=…)`, …; the unscaled columns by default.

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
    the PCA of `Design(remove="group").fit_transform(X, table)`. For non-Euclidean distances, the
    part on real axes is analysed; `gm.ecology.permanova` uses all of it.

    Examples
    --------
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
            The rows, or the input of the estimator; a data frame may also hold the columns of the
            design, which are then removed from it.
        y : data frame, optional
            The columns of the design, if X does not hold them; ignored without a design.
        sample_weight : array (n,), optional
            Weights of the rows.
        """
        check_parameters(self.formula, self.within, self.remove)
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
        known = known_columns(native, len(values), index)
        w = np.full(len(values), 1.0 / len(values)) if p is None else p
        removed = [known[name] for name in self._names_to_remove()]
        levels = [levels_of(column) for column in removed]
        coded = encode(removed, levels, len(values))
        offsets = w @ coded
        B = _effects(values, coded - offsets, self._terms(known), w)
        state = {
            "space_": space,
            "values_": values,
            "columns_": {name: as_values(column) for name, column in known.items()},
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
        """Fit, and return the rows without the effects of `remove`, (n, r)."""
        return self.fit(X, y, sample_weight).transform(X, y)

    def transform(self, X: DataLike, table: object = None) -> np.ndarray:
        """Return rows without the effects of `remove`.

        Parameters
        ----------
        X : array or data frame (m, p)
            The rows to transform.
        table : data frame, optional
            The columns of `remove`, if X does not hold them, with categories of the fit.

        Returns
        -------
        array (m, r)
            The columns of X, or coordinates in the space of the estimator.

        Examples
        --------
        >>> import pandas as pd
        >>> X = pd.DataFrame({"x": [1.0, 2.0, 11.0, 12.0], "batch": list("aabb")})
        >>> gm.Design(remove="batch").fit_transform(X).ravel().tolist()
        [6.0, 7.0, 6.0, 7.0]
        """
        check_is_fitted(self)
        rows, native = self._split(X, table, self._names_to_remove())
        if self.space_ is None:
            own = self._like_fit(rows, validated(rows, "X", min_rows=1, allow_sparse=False))
            Z, index = to_numpy(own.values).astype(float), own.index
        else:
            Z, index = to_numpy(self.space_.transform(rows)).astype(float), labels_of(rows)
        removed = list(known_columns(native, len(Z), index).values())
        coded = encode(removed, self.levels_, len(Z))
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
        """Test the effect of each term, given the others.

        A term is tested given all others but the interactions that hold it (type II), by
        permuting the residuals of these (Freedman and Lane): within the groups of `remove`; within
        subjects for terms that vary there; between subjects, whose means are then the rows, for
        terms that do not. Rows of a subject are assumed to be exchangeable after removing its mean.

        Parameters
        ----------
        n_permutations, random_state : int
            Number of permutations, and the seed that they are drawn from.

        Returns
        -------
        DataFrame
            One row for `remove` and `within`, one for each term; then "shared" (explained by
            several terms but none alone, for unbalanced designs), "residual" and "total". Columns
            "df", "inertia", "share" (of the total), "F", "p_value" (NaN if nothing is left to test)
            and "permuted" ("rows", "rows of a subject" or "subjects").

        Examples
        --------
        >>> iris = gm.datasets.iris()
        >>> design = gm.Design("species", estimator=gm.KernelPCA()).fit(iris.data, iris.groups)
        >>> float(design.test(n_permutations=99, random_state=0).loc["species", "p_value"])
        0.01
        """
        check_is_fitted(self)
        if self.weights_ is not None and np.ptp(self.weights_) > TINY:
            raise InputError(
                "sample_weight: rows of different weights cannot be permuted: test a fit "
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
        """Return the principal axes of the effects of one term (ASCA).

        Parameters
        ----------
        term : str, optional
            A term of the formula; the first by default.

        Returns
        -------
        PCA
            The PCA of the effects of the term's cells, with the weights of their rows. The rows of
            the fit, without the effects of the other terms, are supplementary: they are labelled as
            in X, cells as "treatment=a". `transform` takes rows as `Design.transform` gives them
            (with `set_output(transform="pandas")`, for their names).

        Examples
        --------
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
        names = self.get_feature_names_out()
        return self._map_of(labels, cells + layout.mean, w, rows, names)

    def discriminant(
        self, term: str | None = None, *, n_folds: int = 10, random_state: SeedLike = None
    ) -> Discriminant:
        """Return the axes that separate the cells of a term best, with cross-validated separation.

        The axes are those of linear discriminant analysis with the covariance of Ledoit and Wolf,
        so that rows may be fewer than columns. Folds are of rows, or of subjects if `within` is
        given; effects of `remove` are re-estimated in each fold.

        Parameters
        ----------
        term : str, optional
            A term of the formula whose columns are categories; the first by default.
        n_folds, random_state : int
            Number of folds, and the seed that they are drawn from.

        Examples
        --------
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
        fit = self._map_of(labels, means, w, Z, [f"d{j + 1}" for j in range(Z.shape[1])])
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
        self, own: np.ndarray, fold: np.ndarray, layout: Layout
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
        check_parameters(self.formula, self.within, self.remove)
        return design_names(self.formula, self.within, self.remove)

    @property
    def terms(self) -> list[str]:
        """The terms of the formula, main effects first."""
        return [] if self.formula is None else list(dict.fromkeys(term_names(self.formula, ())))

    def cells(self, term: str | None = None) -> list[str]:
        """Return the cell of each row of the fit, such as "treatment=a"."""
        layout = self._layout()
        labels, _, own = self._cells(self._term(term, layout), layout)
        return [labels[k] for k in own]

    def _names_to_remove(self) -> list[str]:
        return [] if self.remove is None else split_names(self.remove)

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
        every = design_names(self.formula, self.within, self.remove)
        needed = every if names is None else names
        if not every:
            return X, {}
        outside = frame_of(collect(table)) if has_columns(table) else None
        beside = [] if outside is None else [str(k) for k in column_names(outside) or ()]
        own = [str(k) for k in column_names(X) or ()] if is_frame(X) else []
        frame = pd.DataFrame(collect(X)) if own and not isinstance(X, pd.DataFrame) else X
        found = {}
        for name in needed:
            if name in beside:
                found[name] = column_at(outside, beside.index(name))
            elif name in own:
                found[name] = column_at(frame, own.index(name))
            else:
                known = ", ".join([*beside, *own][:10]) or "none"
                raise InputError(
                    f"{name!r} is not in the design: give a table that has it, or X with it "
                    f"(columns found: {known})"
                )
        inside = [k for k, name in enumerate(own) if name in every and name not in beside]
        if inside:
            assert isinstance(frame, pd.DataFrame)
            return frame.iloc[:, [k for k in range(len(own)) if k not in inside]], found
        return X, found

    def _layout(self) -> Layout:
        """Return the bases of the fitted design."""
        check_is_fitted(self)
        known = {name: from_values(name, values) for name, values in self.columns_.items()}
        terms = self._terms(known)
        n = len(self.values_)
        w = np.full(n, 1.0 / n) if self.weights_ is None else self.weights_
        removed = [known[name] for name in self._names_to_remove()]
        coded = encode(removed, self.levels_, n)
        values = self.values_ - (coded - self.offsets_) @ self.coefficients_
        groups = [column.codes for column in removed if isinstance(column, Factor)]
        subjects = None if self.within is None else pd.factorize(self.columns_[self.within])[0]
        names = " + ".join(self._names_to_remove()), self.within or ""
        return Layout(values, self.values_, np.sqrt(w), terms, coded, groups, subjects, names)

    def _term(self, term: str | None, layout: Layout) -> str:
        if not layout.terms:
            raise InputError("formula is None: name the terms that make maps")
        name = next(iter(layout.terms)) if term is None else term
        if name not in layout.terms:
            raise InputError(
                f"term={short(term)} is not a term of the formula: choose from "
                f"{', '.join(layout.terms)}"
            )
        return name

    def _cells(self, name: str, layout: Layout) -> tuple[list[str], np.ndarray, np.ndarray]:
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

    def _map_of(
        self, labels: list[str], cells: np.ndarray, w: np.ndarray, rows: np.ndarray, names: Any
    ) -> PCA:
        """Return the PCA of cells with weights, the rows of the fit being supplementary."""
        own = map(str, range(len(rows))) if self.row_labels_ is None else self.row_labels_
        index = pd.Index([*labels, *own], dtype=object)
        table = pd.DataFrame(np.vstack([cells, rows]), index, names)
        return PCA().fit(table, sample_weight=np.append(w, np.zeros(len(rows))))


@dataclass(frozen=True, eq=False)
class Discriminant:
    """Axes that separate groups, and their cross-validated separation.

    Attributes
    ----------
    fit : PCA
        The groups on the discriminant axes; rows are supplementary.
    accuracy, chance : float
        The share of held-out rows that are nearest to their own group, and that of the largest
        group.
    separation : float
        The share of the inertia of held-out rows on the axes that lies between groups.
    confusion : DataFrame
        Counts of rows by group ("true") and by nearest group ("predicted").

    Examples
    --------
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


def _effects(
    values: np.ndarray, coded: np.ndarray, terms: dict[str, np.ndarray], w: np.ndarray
) -> np.ndarray:
    """Return the effects of coded columns, (c, r), estimated jointly with the terms."""
    if not coded.shape[1]:
        return np.zeros((0, values.shape[1]))
    live = w > 0
    values, coded, root = values[live], coded[live], np.sqrt(w[live])
    terms = {name: block[live] for name, block in terms.items()}
    unit = power_of_two(float(np.abs(values).max())) or 1.0
    one = root[:, None]
    T = extend(one, list(terms.values()), root)
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
    means = pd.DataFrame(centred).groupby(own).transform("mean").to_numpy()  # of each row
    total = float((centred**2).sum())
    return float((means**2).sum()) / total if total > 0 else 0.0
