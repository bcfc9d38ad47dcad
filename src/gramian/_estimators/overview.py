"""A fitted estimator as text: its summary, and its page in a notebook."""

from typing import Any, cast

import numpy as np
from sklearn.utils import estimator_html_repr

from gramian._core.embedding import FeatureModel
from gramian._reading.summary import bars, facts_html


def title(est: Any) -> str:
    """Return the method and the size of the table it was fitted on."""
    training = est.training_
    columns = vars(est).get("n_features_in_")
    more = "" if columns is None or training.kind == "square" else f", {columns} variables"
    return f"{type(est).__name__} of {training.n} individuals{more}"


def facts(est: Any) -> dict[str, str]:
    """Return what was analysed and how, and the numbers of the whole fit."""
    training, own = est.training_, vars(est)
    lines = {"estimator": " ".join(est.__repr__(N_CHAR_MAX=200).split())}
    if "kernel_" in own and training.kind not in ("square", "gram"):
        lines["kernel"] = repr(est.kernel_)
    if training.weights is not None:
        lines["weights"] = f"given; {training.n_live} of {training.n} rows have one"
    lines["solver"] = est.solver_
    is_map = "stress_" in own  # whose axes are those of its own points
    model, unit = est.record_.model, est.record_.model.eigenvalue_unit
    if not is_map:
        certificate = est.certificate_ if unit == 1.0 else model.spectrum.certificate()
        lines["certificate"] = certificate.text
    left_out = own.get("approximation_error_")
    if left_out is not None and left_out == left_out and isinstance(est.model_, FeatureModel):
        lines["approximation"] = (
            f"leaves out {left_out:.2%} of the kernel's trace; inertia and cos² are of the rest"
        )
    if is_map:
        lines["stress"] = f"{est.stress_:.4g} (stress-1: 0 for a map without any distortion)"
    q = est.n_components_
    of_map = " of the map" if is_map else ""
    total = est.inertia_ if unit == 1.0 else model.spectrum.total
    lines["inertia"] = f"{total:.6g}{of_map}, of which axes 1 to {q} hold {est.quality_[-1]:.2%}"
    negative = est.negative_inertia_ if unit == 1.0 else model.spectrum.negative
    if est.axis_shares is not own["inertia_ratio_"] or own.get("indefinite") == "krein":
        # The trace is less than what its positive part holds: a share of it may exceed 1.
        s = model.spectrum
        held = np.abs(s.values).sum() / (s.total + 2.0 * s.negative)
        whole = "the sum of absolute eigenvalues"
        lines["inertia"] = f"{total:.6g}; axes 1 to {q} hold {held:.2%} of {whole}"
    if unit != 1.0:
        lines["unit"] = (
            f"inertia and eigenvalues are in squares of {unit:.6g}: in the unit of X they are out "
            "of range"
        )
    if hasattr(est, "benzecri_ratio_"):
        shares = {"Benzécri": est.benzecri_ratio_, "Greenacre": est.greenacre_ratio_}
        texts = [
            f"{name} {', '.join(f'{share:.1%}' for share in ratios[:3])}"
            for name, ratios in shares.items()
        ]
        lines["adjusted inertia"] = "; ".join(texts)
    log = est.log_generalized_variance_
    value = "out of range" if unit != 1.0 else f"{est.generalized_variance_:.6g}"
    lines["generalized variance"] = f"{value} (logarithm {log:.6g})"
    if negative > 0:
        lines["negative inertia"] = f"{negative:.6g}"
    if est.tied_axes_:
        lines["tied axes"] = ", ".join(str(group) for group in est.tied_axes_)
    return lines


class NotebookFace:
    """Shows results once there are some, before that scikit-learn's diagram."""

    def _repr_html_(self) -> str:
        own, estimator = vars(self), cast(Any, self)
        if "record_" in own:
            return facts_html(title(self), facts(self)) + bars(np.asarray(estimator.axis_shares))
        if "_published" not in own:
            return str(estimator_html_repr(self))
        lines = {"estimator": " ".join(estimator.__repr__(N_CHAR_MAX=200).split())}
        for name, word in _ATTRIBUTE_WORDS.items():
            if own.get(name) is not None:
                lines[word] = " ".join(str(own[name]).split())[:200]
        return facts_html(type(self).__name__, lines)

    def _repr_mimebundle_(self, **options: object) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


_ATTRIBUTE_WORDS = {  # of a fit without axes of its own
    "kernel_": "kernel",
    "classes_": "classes",
    "n_components_": "axes",
    "penalty_": "penalty",
    "n_iter_": "steps",
    "rank_": "features",
    "approximation_error_": "trace left out",
}
