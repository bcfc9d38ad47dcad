"""A fitted estimator in words, for its summary."""

from __future__ import annotations

from typing import Any

__all__ = ["facts", "title"]


def title(est: Any) -> str:
    """Return the method and the size of the table it was fitted on."""
    p = getattr(est, "n_features_in_", None)
    columns = "" if p is None or est._is_precomputed else f", {p} variables"
    return f"{type(est).__name__} of {est._n_points} individuals{columns}"


def facts(est: Any) -> dict[str, str]:
    """Return what was analysed and how, and the numbers of the whole fit."""
    found = {"estimator": " ".join(est.__repr__(N_CHAR_MAX=200).split())}
    if hasattr(est, "kernel_") and not est._is_precomputed:
        found["kernel"] = repr(est.kernel_)
    if getattr(est, "weights_", None) is not None:
        found["weights"] = f"given; {est._n_active} of {est._n_points} rows have one"
    found["solver"] = est.solver_
    left_out = getattr(est, "approximation_error_", None)
    if left_out is not None and left_out == left_out and hasattr(est, "_features"):
        found["approximation"] = (
            f"leaves out {left_out:.2%} of the kernel's trace; inertia and cos² are of the rest"
        )
    if hasattr(est, "stress_"):
        found["stress"] = f"{est.stress_:.4g} (stress-1: 0 for a map without any distortion)"
    q, quality = len(est.eigenvalues_), est.quality_[-1]
    found["inertia"] = f"{est.inertia_:.6g}, of which axes 1 to {q} hold {quality:.2%}"
    log = est.log_generalized_variance_
    found["generalized variance"] = f"{est.generalized_variance_:.6g} (logarithm {log:.6g})"
    if est.negative_inertia_ > 0:
        found["negative inertia"] = f"{est.negative_inertia_:.6g}"
    if est.tied_axes_:
        found["tied axes"] = ", ".join(str(group) for group in est.tied_axes_)
    return found
