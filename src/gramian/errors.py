"""Errors and warnings of the library, each with a class of its own.

A warning is silenced, or turned into an error, by its class:

>>> import warnings
>>> warnings.simplefilter("ignore", gm.errors.RankWarning)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:

    class ConvergenceWarning(UserWarning):
        """Some axes did not reach the tolerance."""


__all__ = [
    "BlockError",
    "ClusterError",
    "ConstantColumnWarning",
    "ConvergenceWarning",
    "EmptyProfileWarning",
    "FitIgnoredWarning",
    "IndefiniteError",
    "InputError",
    "InputTypeError",
    "MemoryBudgetError",
    "MissingExtraError",
    "NearlyEmptyWarning",
    "NotEuclideanWarning",
    "NotTestable",
    "OutputError",
    "RankWarning",
    "SeparationWarning",
    "TiedAxesWarning",
    "UnitsWarning",
    "UnknownLevelWarning",
    "ZeroRowWarning",
    "ZerosReplacedWarning",
]


_MAX_MESSAGE_LENGTH = 400  # characters of a message, however long the name of a column may be


class _Message(Exception):
    """An error or a warning of a bounded length.

    `argument` names the argument it is about and `found` is its value as a text, or None.
    """

    def __init__(self, *words: Any, argument: str | None = None, found: Any = None) -> None:
        super().__init__(*(_shorten(word) if isinstance(word, str) else word for word in words))
        self.argument = argument
        self.found = None if argument is None else _shorten(str(found))


def _shorten(text: str) -> str:
    """Leave the middle out of a text that is too long.

    >>> len(_shorten("a" * 10_000)), _shorten("short")
    (400, 'short')
    """
    half = _MAX_MESSAGE_LENGTH // 2
    return text if len(text) <= _MAX_MESSAGE_LENGTH else f"{text[: half - 3]} … {text[-half:]}"


class InputError(_Message, ValueError):
    """An argument has a value that the method cannot use.

    `argument` is the name of the argument and `found` its value as a text, where the error is
    about one argument; both are None otherwise.

    >>> from gramian.errors import InputError
    >>> try:
    ...     gm.study([[1.0, 2.0], [3.0, 5.0], [4.0, 4.0]], seed=-1)
    ... except InputError as error:
    ...     print(error.argument, error.found)
    seed -1
    """


class NotTestable(InputError):
    """The data do not allow the requested test, for the reason given in the message.

    A study reports it as a claim of kind "not-tested" and continues.

    >>> try:
    ...     gm.evidence.directions([[1.0], [1.0]], 1)
    ... except gm.errors.NotTestable as error:
    ...     print(error.argument)
    X
    """


class InputTypeError(_Message, TypeError):
    """An argument has a type that the method cannot use.

    >>> issubclass(gm.errors.InputTypeError, TypeError)
    True
    """


class MissingExtraError(InputError, ImportError):
    """An optional library is not installed; the message gives the command to install it.

    >>> issubclass(gm.errors.MissingExtraError, ImportError)
    True
    """


class OutputError(InputError):
    """A file cannot be written; an existing file is left unchanged.

    >>> issubclass(gm.errors.OutputError, gm.errors.InputError)
    True
    """


class IndefiniteError(_Message, ValueError):
    """The centred Gram matrix has negative eigenvalues and `indefinite="raise"`.

    >>> issubclass(gm.errors.IndefiniteError, ValueError)
    True
    """


class MemoryBudgetError(_Message, ValueError, MemoryError):
    """The computation needs more memory than its budget; raised before anything is allocated.

    >>> issubclass(gm.errors.MemoryBudgetError, MemoryError)
    True
    """


class BlockError(_Message, RuntimeError):
    """Code that makes a block of rows raised an exception, the cause of this one.

    >>> issubclass(gm.errors.BlockError, RuntimeError)
    True
    """


class ClusterError(RuntimeError):
    """The computing machines were lost; the estimator is left unchanged.

    >>> issubclass(gm.errors.ClusterError, RuntimeError)
    True
    """


class TiedAxesWarning(UserWarning):
    """Two kept eigenvalues are equal to rounding: only the plane they span is determined."""


class RankWarning(_Message, UserWarning):
    """More axes were requested than carry inertia."""


class SeparationWarning(UserWarning):
    """Classes can be separated without error: no maximum likelihood estimate exists."""


class ConstantColumnWarning(UserWarning):
    """A constant column cannot be scaled and contributes nothing."""


class UnitsWarning(UserWarning):
    """Columns have very different scales: the largest ones dominate distances."""


class FitIgnoredWarning(UserWarning):
    """Only the parameters of a fitted estimator are used, not its fit."""


class ZeroRowWarning(UserWarning):
    """A row of zeros has no direction: its cosine with every row counts as 0."""


class NearlyEmptyWarning(UserWarning):
    """A row or a column has so few known values that imputed ones are hardly informative."""


class ZerosReplacedWarning(UserWarning):
    """Zeros have no logarithm and were replaced by a small amount."""


class NotEuclideanWarning(_Message, UserWarning):
    """The distances cannot be realised in a Euclidean space; the negative inertia is reported."""


class UnknownLevelWarning(UserWarning):
    """A new row has a category that no row of the fit has and that does not affect its place."""


class EmptyProfileWarning(UserWarning):
    """A row or a column without counts has no profile: it lies at the origin and has no weight."""


def __getattr__(name: str) -> Any:
    # Its base is scikit-learn's warning, which takes a second to load: reading a file needs none.
    if name == "ConvergenceWarning":
        base = import_module("sklearn.exceptions").ConvergenceWarning
        members = {"__module__": __name__, "__doc__": "Some axes did not reach the tolerance."}
        globals()[name] = kind = type(name, (base,), members)
        return kind
    raise AttributeError(f"module 'gramian.errors' has no attribute {name!r}")
