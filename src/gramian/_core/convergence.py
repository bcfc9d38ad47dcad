"""The one warning that is scikit-learn's too; `gramian.errors` offers it when it is asked for."""

from __future__ import annotations

from sklearn.exceptions import ConvergenceWarning as SklearnConvergenceWarning


class ConvergenceWarning(SklearnConvergenceWarning):
    """Some axes did not reach the tolerance."""


ConvergenceWarning.__module__ = "gramian.errors"  # where it is found, by pickle too
