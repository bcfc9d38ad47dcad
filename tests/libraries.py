"""The array libraries that tests are run on: one `Library` each, given by the fixture `library`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import array_api_strict as strict
import numpy as np
import pandas as pd
import torch


def read_only(values: np.ndarray) -> np.ndarray:
    """Return a copy that refuses to be written to."""
    copy = np.array(values)
    copy.setflags(write=False)
    return copy


@dataclass(frozen=True)
class Library:
    """A library's name, its type of array, and the ways to it from NumPy and back."""

    name: str
    kind: type
    array: Callable[[np.ndarray], Any]
    numbers: Callable[[Any], np.ndarray] = np.asarray

    def agree(self, actual: Any, expected: np.ndarray, rtol: float = 1e-9) -> None:
        """Assert that an array is of this library and holds NumPy's numbers."""
        assert type(actual) is self.kind, f"{type(actual)} in place of {self.kind}"
        # Small entries of a table carry the rounding of its largest.
        scale = np.abs(expected).max(initial=0.0)
        np.testing.assert_allclose(self.numbers(actual), expected, rtol=rtol, atol=rtol * scale)


def tables_agree(actual: pd.DataFrame, expected: pd.DataFrame, rtol: float = 1e-9) -> None:
    """Assert that two tables have the same labels and the same numbers, whatever they came from."""
    pd.testing.assert_frame_equal(actual, expected, rtol=rtol, atol=rtol)


# Copies: a library that wrote into its input would write into the others' too.
LIBRARIES = [
    Library("numpy", np.ndarray, np.array),
    Library("read-only", np.ndarray, read_only),
    Library("strict", type(strict.zeros(1)), lambda a: strict.asarray(a.copy())),
    Library("torch", torch.Tensor, torch.tensor, lambda a: a.numpy()),
]
