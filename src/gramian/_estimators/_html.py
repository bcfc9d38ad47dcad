"""A fitted estimator in a notebook: what was done, the inertia of its axes, why to believe it."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import estimator_html_repr

from gramian._estimators._overview import facts, title
from gramian._reading.summary import bars, facts_html


class NotebookFace:
    """Shows results once there are some, before that scikit-learn's diagram."""

    def _repr_html_(self) -> str:
        own = vars(self)
        if "record_" in own:
            return facts_html(title(self), facts(self)) + bars(np.asarray(own["inertia_ratio_"]))
        if "_published" not in own:
            return str(estimator_html_repr(self))
        return facts_html(type(self).__name__, _results(self, own))

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def _results(estimator: Any, own: dict[str, Any]) -> dict[str, str]:
    """Return what a fit without axes of its own has to say."""
    lines = {"estimator": " ".join(estimator.__repr__(N_CHAR_MAX=200).split())}
    for name, word in _WORDS.items():
        if own.get(name) is not None:
            lines[word] = " ".join(str(own[name]).split())[:200]
    return lines


_WORDS = {
    "kernel_": "kernel",
    "classes_": "classes",
    "n_components_": "axes",
    "penalty_": "penalty",
    "n_iter_": "steps",
    "rank_": "features",
    "approximation_error_": "trace left out",
}
