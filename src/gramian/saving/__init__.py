"""Fitted estimators in files: arrays in safetensors, structure in JSON, and no code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from gramian.errors import InputError, InputTypeError, MemoryBudgetError, OutputError
from gramian.saving.nodes import Damage

__all__ = ["load", "save"]

_T = TypeVar("_T")


def save(fitted: Any, path: str | Path, *, force: bool = True) -> None:
    """Write a fitted estimator to a file, with its kernel and what its readings need.

    The file is written aside, synced and renamed: at any moment the old one or the new one is
    there. It holds numbers and names only. A function of yours (as kernel or metric) is refused.

    Parameters
    ----------
    fitted : estimator
    path : path
        By custom `name.gramian`.
    force : bool
        Whether a file that is there is replaced, as `joblib.dump` and `numpy.save` do, or refused.

    Examples
    --------
    >>> import tempfile, numpy as np, gramian as gm
    >>> fitted = gm.PCA(1).fit(np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.5]]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     gm.save(fitted, f"{folder}/pca.gramian")
    ...     round(gm.load(f"{folder}/pca.gramian").inertia_, 6)
    6.055556
    """
    from sklearn.base import BaseEstimator
    from sklearn.utils.validation import check_is_fitted

    from gramian._check import flag
    from gramian._check import path as checked_path
    from gramian.saving.container import write
    from gramian.saving.encode import Encoder
    from gramian.saving.whole import require_whole

    if not isinstance(fitted, BaseEstimator) or isinstance(fitted, type):
        raise InputTypeError(
            f"fitted is {type(fitted).__name__}: give an estimator of gramian that has been fitted"
        )
    check_is_fitted(fitted)
    if not flag(force, "force") and Path(checked_path(path)).exists():
        raise OutputError(f"{Path(path).name} exists: pass force=True to replace it")
    encoder = Encoder()
    try:
        tree = encoder.encode(fitted, type(fitted).__name__)
        require_whole(fitted)  # a file that could not be loaded is not written
    except RecursionError as error:
        raise InputError("fitted: its parameters are nested too deeply to be saved") from error
    except Damage as error:
        what = str(error).removeprefix("the model file ").rpartition(":")[0]
        raise InputError(
            f"fitted {what}: it was changed after the fit, or is not what fit makes; fit it again"
        ) from error
    write(path, {"model": tree, "version": _version()}, encoder.tensors)


def load(path: str | Path, *, device: str | None = None) -> Any:
    """Return the fitted estimator of a file that `save` wrote.

    A file that is damaged, cut off, written by a newer version or by something else is refused,
    and nothing in it is ever run.

    Parameters
    ----------
    path : path
    device : str, optional
        Where arrays of torch go ("cpu", "cuda"), in place of where they were.

    Returns
    -------
    estimator

    Examples
    --------
    >>> import gramian as gm
    >>> try:
    ...     gm.load("no such file.gramian")
    ... except ValueError as error:
    ...     len(str(error)) < 400
    True
    """
    from sklearn.base import BaseEstimator

    from gramian.saving.container import read
    from gramian.saving.decode import Decoder
    from gramian.saving.whole import require_fitted

    manifest, tensors, allowance = read(path)
    model = _proved(path, lambda: Decoder(tensors, device, allowance).decode(manifest["model"]))
    if not isinstance(model, BaseEstimator):
        raise InputError(f"{path} holds a {type(model).__name__}, not an estimator")
    _proved(path, lambda: require_fitted(model))
    if device is not None and getattr(model, "device", None) is not None:
        model.device = device
    return model


def _proved(path: str | Path, work: Callable[[], _T]) -> _T:
    """Return what comes of a file, or refuse it: whatever goes wrong, the file is the reason."""
    try:
        return work()
    except Damage as error:
        raise InputError(str(error)) from error
    except InputError:
        raise
    except MemoryError as error:
        raise MemoryBudgetError(f"memory: {path} does not fit into it: free some") from error
    except _WRONG as error:
        raise InputError(
            f"{path} does not hold what it says ({type(error).__name__}: {str(error)[:100]}): "
            "fit and save again"
        ) from error


_WRONG = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, OSError),
    *(RuntimeError, TypeError, ValueError),
)


def _version() -> str:
    from gramian import __version__

    return __version__
