"""What every classifier shares: classes and probabilities from linear predictors."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from scipy.special import log_softmax, softmax
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from gramian._core.frames import labels_of as row_labels
from gramian._core.table import Table, weights
from gramian._estimators.predictors.targets import labels_of


class Classifier(ClassifierMixin):
    """Classes from one linear predictor a class: a subclass writes `_predictors`."""

    classes_: np.ndarray
    intercept_: Annotated[np.ndarray, "(c,)"]
    penalty_: Annotated[float, ">= 0"]
    n_iter_: Annotated[int, ">= 0"]

    def _predictors(self, X: Any) -> np.ndarray:
        """Return the linear predictors, (m, c); their differences matter."""
        raise NotImplementedError

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the logit of the second of two classes, (m,), or the predictors of c, (m, c)."""
        check_is_fitted(self)
        eta = self._predictors(X)
        return eta[:, 1] - eta[:, 0] if len(self.classes_) == 2 else eta

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probabilities of the classes, (m, c), in the order of `classes_`."""
        check_is_fitted(self)
        return softmax(self._predictors(X), axis=1)

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Return the logarithms of the probabilities, (m, c)."""
        check_is_fitted(self)
        return log_softmax(self._predictors(X), axis=1)

    def predict(self, X: Any) -> np.ndarray:
        """Return the most probable class of each row, (m,)."""
        check_is_fitted(self)
        return self.classes_[self._predictors(X).argmax(axis=1)]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows whose class is predicted rightly, by weight.

        A labelled y goes to labelled rows by label.
        """
        predicted = self.predict(X)
        rows = Table(predicted, row_labels(X))
        right = predicted == labels_of(y, rows, type(self).__name__)
        w = weights(sample_weight, len(predicted), index=rows.index)
        return float(np.average(right, weights=w))
