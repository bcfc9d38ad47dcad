"""The tables that scikit-learn carries, with labels a reader understands."""

from __future__ import annotations

from typing import Any

import pandas as pd

from .._check import flag
from ._dataset import Dataset, one_group, remembered, row_labels


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
    description = (
        "Length and width of the sepals and petals of fifty irises from each of three species. "
        "One species stands apart, the two others touch: the oldest test of any method that "
        "draws groups."
    )
    levels = [str(level) for level in bunch.target_names]
    return _classes("iris", description, bunch, "flower_", "species", levels)


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
    description = (
        "Thirteen measures of Italian wines (alcohol, acids, phenols, colour, proline …) made "
        "from three grape cultivars of one region. Proline varies by hundreds and most other "
        "columns by a few units, so the table shows what scaling does to an analysis."
    )
    levels = [f"cultivar {k}" for k in (1, 2, 3)]
    return _classes("wine", description, bunch, "wine_", "cultivar", levels)


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
    description = (
        "Small grey images of the digits 0 to 9 written by several people, one column per pixel. "
        "Some border pixels are blank in every image, so a few columns are constant and cannot "
        "be scaled to unit variance."
    )
    return _classes("digits", description, bunch, "image_", "digit", [str(k) for k in range(10)])


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
    description = (
        "Ten properties of cell nuclei seen in needle samples of breast masses (radius, texture, "
        "concavity …), each summed up by its mean, its standard error and its worst values. "
        "Many columns say nearly the same, and the first axis of the scaled table goes a long way "
        "towards the diagnosis."
    )
    levels = [str(level) for level in bunch.target_names]
    return _classes("breast_cancer", description, bunch, "tumour_", "diagnosis", levels)


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
        description=(
            "Age, sex, body mass index, blood pressure and six blood serum measures of diabetes "
            "patients. How far the disease went a year later is a supplementary number, to be "
            "read on the axes or predicted from them."
        ),
        data=bunch.data.set_axis(rows),
        groups=pd.DataFrame({"progression": bunch.target.to_numpy(dtype=float)}, index=rows),
    )


def _classes(
    name: str, description: str, bunch: Any, prefix: str, group: str, levels: list[str]
) -> Dataset:
    """Label the rows and the classes of a scikit-learn bunch."""
    rows = row_labels(prefix, len(bunch.data))
    return Dataset(
        name=name,
        description=description,
        data=bunch.data.set_axis(rows).astype(float),
        groups=one_group(group, bunch.target.to_numpy(), levels, rows),
    )
