"""The tables that scikit-learn carries, with labels a reader understands."""

from __future__ import annotations

from typing import Any

import pandas as pd

from gramian._core.check import flag
from gramian.datasets._dataset import Dataset, one_group, remembered, row_labels
from gramian.datasets.entries import ENTRIES


@remembered
def iris() -> Dataset:
    """Sepals and petals of 150 irises of three species (Anderson, Fisher 1936).

    Returns
    -------
    Dataset
        (150, 4), in centimetres; groups: the species.

    Examples
    --------
    >>> from gramian.datasets import iris
    >>> iris().data.shape
    (150, 4)
    """
    from sklearn.datasets import load_iris

    bunch = load_iris(as_frame=True)
    levels = [str(level) for level in bunch.target_names]
    return _classes("iris", bunch, "flower_", "species", levels)


@remembered
def wine() -> Dataset:
    """Chemical analyses of 178 wines from three cultivars.

    Returns
    -------
    Dataset
        (178, 13); groups: the cultivar. Units differ widely between columns: scale them.

    Examples
    --------
    >>> from gramian.datasets import wine
    >>> wine().data.shape
    (178, 13)
    """
    from sklearn.datasets import load_wine

    bunch = load_wine(as_frame=True)
    levels = [f"cultivar {k}" for k in (1, 2, 3)]
    return _classes("wine", bunch, "wine_", "cultivar", levels)


@remembered
def digits() -> Dataset:
    """Handwritten digits as 1797 grey images of 8 × 8 pixels.

    Returns
    -------
    Dataset
        (1797, 64), intensities 0 to 16, columns ``pixel_row_column``; groups: the digit.

    Examples
    --------
    >>> from gramian.datasets import digits
    >>> digits().data.shape
    (1797, 64)
    """
    from sklearn.datasets import load_digits

    bunch = load_digits(as_frame=True)
    return _classes("digits", bunch, "image_", "digit", [str(k) for k in range(10)])


@remembered
def breast_cancer() -> Dataset:
    """Thirty measures of cell nuclei in 569 breast tumours.

    Returns
    -------
    Dataset
        (569, 30); groups: the diagnosis.

    Examples
    --------
    >>> from gramian.datasets import breast_cancer
    >>> breast_cancer().groups["diagnosis"].value_counts(sort=False).tolist()
    [212, 357]
    """
    from sklearn.datasets import load_breast_cancer

    bunch = load_breast_cancer(as_frame=True)
    levels = [str(level) for level in bunch.target_names]
    return _classes("breast_cancer", bunch, "tumour_", "diagnosis", levels)


@remembered
def diabetes(*, scaled: bool = False) -> Dataset:
    """Ten measures of 442 diabetes patients, and how the disease progressed.

    Parameters
    ----------
    scaled : bool
        If True, columns centred and divided so that their squares sum to 1.

    Returns
    -------
    Dataset
        (442, 10), `sex` being coded by two numbers; groups: the numeric column
        ``progression``, one year after the measures.

    Examples
    --------
    >>> from gramian.datasets import diabetes
    >>> diabetes().groups["progression"].max().item()
    346.0
    """
    from sklearn.datasets import load_diabetes

    bunch = load_diabetes(as_frame=True, scaled=flag(scaled, "scaled"))
    rows = row_labels("patient_", len(bunch.data))
    return Dataset(
        name="diabetes",
        description=ENTRIES["diabetes"].description,
        data=bunch.data.set_axis(rows),
        groups=pd.DataFrame({"progression": bunch.target.to_numpy(dtype=float)}, index=rows),
    )


def _classes(name: str, bunch: Any, prefix: str, group: str, levels: list[str]) -> Dataset:
    """Label the rows and the classes of a scikit-learn bunch."""
    rows = row_labels(prefix, len(bunch.data))
    return Dataset(
        name=name,
        description=ENTRIES[name].description,
        data=bunch.data.set_axis(rows).astype(float),
        groups=one_group(group, bunch.target.to_numpy(), levels, rows),
    )
