"""What a check of validity says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Verdict:
    """True or false, with the evidence.

    `margin` is the smallest eigenvalue that must not be negative: at least 0 but for rounding where
    the property holds, negative where it is violated. `tolerance` is what counts as rounding.

    >>> import numpy as np
    >>> from gramian.validity import is_psd
    >>> verdict = is_psd(np.array([[1.0, 2.0], [2.0, 1.0]]))
    >>> bool(verdict), round(verdict.margin, 12), round(verdict.value, 12)
    (False, -1.0, -1.0)
    """

    valid: bool
    margin: float
    tolerance: float
    # a vector of length 1 that violates the property
    witness: np.ndarray | None = field(default=None, repr=False)
    value: float = float("nan")  # the quadratic form of the witness
    relative_margin: float = float("nan")  # the margin over the size of the matrix
    points: Any = field(default=None, repr=False)  # where a search found the violation
    certain: bool = True  # False where a search found nothing, which proves nothing
    reason: str = ""

    def __bool__(self) -> bool:
        return self.valid

    def __str__(self) -> str:
        word = "holds" if self.valid else "is violated"
        return f"{word} (margin {self.margin:.3g}, tolerance {self.tolerance:.3g}): {self.reason}"
