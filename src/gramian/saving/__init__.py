"""Fitted estimators in files: arrays in safetensors, structure in JSON, and no code."""

from pathlib import Path
from typing import Any, Literal

from gramian.errors import InputError, InputTypeError, MemoryBudgetError, OutputError

__all__ = ["load", "load_model", "register", "save", "save_model"]


def save(fitted: Any, path: str | Path, *, force: bool = True) -> None:
    """Write a fitted estimator to a file, with its kernel and what its readings need.

    The file is written aside, synced and renamed: at any moment the old one or the new one is
    there. It holds numbers and names only. A custom function (as kernel or metric) is refused.

    Parameters
    ----------
    fitted : estimator
        One of gramian, a custom one that `gramian.saving.register` knows, or a scikit-learn
        `Pipeline` with such estimators and common transformers.
    path : path
        By convention `name.gramian`.
    force : bool
        Whether a file that is there is replaced, as `joblib.dump` and `numpy.save` do, or refused.

    Examples
    --------
    >>> import tempfile
    >>> fitted = gm.PCA(1).fit(np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.5]]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     gm.save_model(fitted, f"{folder}/pca.gramian")
    ...     round(gm.load_model(f"{folder}/pca.gramian").inertia_, 6)
    6.055556
    """
    from sklearn.base import BaseEstimator
    from sklearn.utils.validation import check_is_fitted

    from gramian._core.check import flag
    from gramian._core.check import path as checked_path
    from gramian.saving.check import FieldError
    from gramian.saving.container import write
    from gramian.saving.encode import Encoder

    if not isinstance(fitted, BaseEstimator) or isinstance(fitted, type):
        raise InputTypeError(
            f"fitted is {type(fitted).__name__}: give an estimator of gramian that has been fitted"
        )
    if not any(name.endswith("_") for name in vars(fitted)):
        check_is_fitted(fitted)  # it is not, or one of its steps tells
    if not flag(force, "force") and Path(checked_path(path)).exists():
        raise OutputError(f"{Path(path).name} exists: pass force=True to replace it")
    encoder = Encoder()
    try:
        tree = encoder.encode(fitted, type(fitted).__name__)
    except RecursionError as error:
        raise InputError("fitted: its parameters are nested too deeply to be saved") from error
    except FieldError as error:
        raise InputError(
            f"fitted, {error}: it was changed after the fit, or is not what fit makes; fit it again"
        ) from error
    write(path, {"model": tree} | encoder.versions, encoder.tensors)


def load(
    path: str | Path, *, device: str | None = None, unregistered: Literal["raise", "base"] = "raise"
) -> Any:
    """Load a fitted estimator from a file written by `save_model`.

    A file that is damaged, truncated or of another origin or newer version raises an error, and
    nothing in it is ever executed. For transformers of another version of scikit-learn, the warning
    of scikit-learn is issued.

    Parameters
    ----------
    path : path
        The file to read.
    device : str, optional
        Device for arrays of torch ("cpu", "cuda"), instead of the one they were saved from.
    unregistered : "raise" or "base"
        What to do with a custom class that is not registered by `gramian.saving.register`: raise an
        error, or load the class of gramian that it is derived from instead.

    Returns
    -------
    estimator

    Examples
    --------
    >>> try:
    ...     gm.load_model("no such file.gramian")
    ... except ValueError as error:
    ...     len(str(error)) < 400
    True
    """
    from warnings import warn

    import sklearn
    from sklearn.base import BaseEstimator
    from sklearn.exceptions import InconsistentVersionWarning
    from sklearn.utils.validation import check_is_fitted

    from gramian._core.check import one_of
    from gramian.saving.check import FieldError
    from gramian.saving.container import read
    from gramian.saving.decode import Decoder

    as_base = one_of(unregistered, "unregistered", ["raise", "base"]) == "base"
    manifest, tensors, allowance = read(path)
    try:
        model = Decoder(tensors, device, allowance, as_base).decode(manifest["model"], "model")
        if not isinstance(model, BaseEstimator):
            raise InputError(f"{path} holds a {type(model).__name__}, not an estimator")
        check_is_fitted(model)
    except FieldError as error:
        raise InputError(f"the model file: {error}: fit and save again") from error
    except InputError:
        raise
    except MemoryError as error:
        raise MemoryBudgetError(f"memory: {path} does not fit into memory: free some") from error
    except _FORGERY_ERRORS as error:  # what pandas, SciPy or a constructor says to a forged part
        raise InputError(
            f"{path} does not hold what it says ({type(error).__name__}: {str(error)[:100]}): "
            "fit and save again"
        ) from error
    if device is not None and getattr(model, "device", None) is not None:
        model.device = device
    if (version := manifest.get("sklearn", sklearn.__version__)) != sklearn.__version__:
        what = {"estimator_name": type(model).__name__, "original_sklearn_version": version}
        current = sklearn.__version__
        warn(InconsistentVersionWarning(current_sklearn_version=current, **what), stacklevel=2)
    return model


_FORGERY_ERRORS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


def register(cls: Any = None, *, name: str | None = None) -> Any:
    """Register a custom estimator class for model files.

    A decorator or a call: `@register`, `@register(name="mine")`, `register(Mine)`. The file holds
    the name, the parameters and the fitted attributes, but no code: register the class before
    loading. A class that is redefined (by running a notebook cell twice) replaces the old one. For
    kernels, use `gramian.kernels.register`.

    Parameters
    ----------
    cls : class derived from an estimator of gramian or of scikit-learn
        The class to register.
    name : str, optional
        Its name in files; the name of the class by default.

    Returns
    -------
    the class, or a decorator

    Examples
    --------
    >>> from gramian.saving import register
    >>> @register
    ... class Map(gm.PCA):
    ...     def area(self):
    ...         return float(self.eigenvalues_[:2].prod())
    """
    from gramian.saving.classes import enter

    return enter(cls, name) if cls is not None else lambda own: enter(own, name)


save_model, load_model = save, load  # names that say what is read and written
