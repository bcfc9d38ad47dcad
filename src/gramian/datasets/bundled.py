"""Known tables with labels a reader understands: those of scikit-learn, and air quality."""

from typing import Any

import numpy as np
import pandas as pd

from gramian._core.check import flag
from gramian.datasets._dataset import Dataset, one_group, remember_call, row_labels
from gramian.datasets.catalogue import ENTRIES


@remember_call
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


@remember_call
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


@remember_call
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


@remember_call
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


@remember_call
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


# Chambers, Cleveland, Kleiner and Tukey (1983), from the New York State Department of Conservation
# (ozone) and the National Weather Service: public data. One value a day, "-" where there is none.
_OZONE = """
    41 36 12 18 - 28 23 19 8 - 7 16 11 14 18 14 34 6 30 11 1 11 4 32 - - - 23 45 115 37 - - -
    - - - 29 - 71 39 - - 23 - - 21 37 20 12 13 - - - - - - - - - - 135 49 32 - 64 40 77 97 97
    85 - 10 27 - 7 48 35 61 79 63 16 - - 80 108 20 52 82 50 64 59 39 9 16 78 35 66 122 89 110
    - - 44 28 65 - 22 59 23 31 44 21 9 - 45 168 73 - 76 118 84 85 96 78 73 91 47 32 20 23 21
    24 44 21 28 9 13 46 18 13 24 16 13 23 36 7 14 30 - 14 18 20
"""
_SOLAR = """
    190 118 149 313 - - 299 99 19 194 - 256 290 274 65 334 307 78 322 44 8 320 25 92 66 266 -
    13 252 223 279 286 287 242 186 220 264 127 273 291 323 259 250 148 332 322 191 284 37 120
    137 150 59 91 250 135 127 47 98 31 138 269 248 236 101 175 314 276 267 272 175 139 264 175
    291 48 260 274 285 187 220 7 258 295 294 223 81 82 213 275 253 254 83 24 77 - - - 255 229
    207 222 137 192 273 157 64 71 51 115 244 190 259 36 255 212 238 215 153 203 225 237 188
    167 197 183 189 95 92 252 220 230 259 236 259 238 24 112 237 224 27 238 201 238 14 139 49
    20 193 145 191 131 223
"""
_WIND = """
    7.4 8 12.6 11.5 14.3 14.9 8.6 13.8 20.1 8.6 6.9 9.7 9.2 10.9 13.2 11.5 12 18.4 11.5 9.7
    9.7 16.6 9.7 12 16.6 14.9 8 12 14.9 5.7 7.4 8.6 9.7 16.1 9.2 8.6 14.3 9.7 6.9 13.8 11.5
    10.9 9.2 8 13.8 11.5 14.9 20.7 9.2 11.5 10.3 6.3 1.7 4.6 6.3 8 8 10.3 11.5 14.9 8 4.1 9.2
    9.2 10.9 4.6 10.9 5.1 6.3 5.7 7.4 8.6 14.3 14.9 14.9 14.3 6.9 10.3 6.3 5.1 11.5 6.9 9.7
    11.5 8.6 8 8.6 12 7.4 7.4 7.4 9.2 6.9 13.8 7.4 6.9 7.4 4.6 4 10.3 8 8.6 11.5 11.5 11.5 9.7
    11.5 10.3 6.3 7.4 10.9 10.3 15.5 14.3 12.6 9.7 3.4 8 5.7 9.7 2.3 6.3 6.3 6.9 5.1 2.8 4.6
    7.4 15.5 10.9 10.3 10.9 9.7 14.9 15.5 6.3 10.9 11.5 6.9 13.8 10.3 10.3 8 12.6 9.2 10.3
    10.3 16.6 6.9 13.2 14.3 8 11.5
"""
_TEMP = """
    67 72 74 62 56 66 65 59 61 69 74 69 66 68 58 64 66 57 68 62 59 73 61 61 57 58 57 67 81 79
    76 78 74 67 84 85 79 82 87 90 87 93 92 82 80 79 77 72 65 73 76 77 76 76 76 75 78 73 80 77
    83 84 85 81 84 83 83 88 92 92 89 82 73 81 91 80 81 82 84 87 85 74 81 82 86 85 82 86 88 86
    83 81 81 81 82 86 85 87 89 90 90 92 86 86 82 80 79 77 79 76 78 78 77 72 75 79 81 86 88 97
    94 96 94 91 92 93 93 87 84 80 78 75 73 81 76 77 71 71 78 67 76 68 82 64 71 81 69 63 70 77
    75 76 68
"""
_MONTHS = {"May": 31, "June": 30, "July": 31, "August": 31, "September": 30}


@remember_call
def airquality() -> Dataset:
    """Ozone, sun, wind and temperature in New York on 153 days of 1973, with 44 values missing.

    Returns
    -------
    Dataset
        (153, 4): ozone in parts per billion (37 days are missing), solar radiation in langleys (7
        are missing), wind in miles per hour and the largest temperature of the day in degrees
        Fahrenheit; groups: the month and the day.

    Examples
    --------
    >>> from gramian.datasets import airquality
    >>> airquality().data.isna().sum().tolist()
    [37, 7, 0, 0]
    """
    days = [(month, day) for month, last in _MONTHS.items() for day in range(1, last + 1)]
    index = pd.Index([f"{month} {day}" for month, day in days])
    columns = {"ozone": _OZONE, "solar radiation": _SOLAR, "wind": _WIND, "temperature": _TEMP}
    data = {
        name: [np.nan if x == "-" else float(x) for x in text.split()]
        for name, text in columns.items()
    }
    months = pd.Categorical([month for month, _ in days], list(_MONTHS), ordered=True)
    return Dataset(
        name="airquality",
        description=ENTRIES["airquality"].description,
        data=pd.DataFrame(data, index=index),
        groups=pd.DataFrame({"month": months, "day": [day for _, day in days]}, index=index),
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
