"""Well-known tables with readable labels: those of scikit-learn, and air quality."""

import io
import pkgutil

import pandas as pd

from gramian._core.check import flag
from gramian.datasets._dataset import Dataset, listed, one_group, remember_call, row_labels


@remember_call
def iris() -> Dataset:
    """Sepals and petals of 150 irises of three species (Anderson, Fisher 1936).

    (150, 4), in centimetres; groups: the species.

    Examples
    --------
    >>> iris().data.shape
    (150, 4)
    """
    return _classes("iris", "flower_", "species")


@remember_call
def wine() -> Dataset:
    """Chemical analyses of 178 wines from three cultivars.

    (178, 13); groups: the cultivar. Units differ widely between columns: scale them.

    Examples
    --------
    >>> wine().data.shape
    (178, 13)
    """
    return _classes("wine", "wine_", "cultivar", [f"cultivar {k}" for k in (1, 2, 3)])


@remember_call
def digits() -> Dataset:
    """Handwritten digits as 1797 grey images of 8 × 8 pixels.

    (1797, 64), intensities 0 to 16, columns ``pixel_row_column``; groups: the digit.

    Examples
    --------
    >>> digits().data.shape
    (1797, 64)
    """
    return _classes("digits", "image_", "digit")


@remember_call
def breast_cancer() -> Dataset:
    """Thirty measures of cell nuclei in 569 breast tumours.

    (569, 30); groups: the diagnosis.

    Examples
    --------
    >>> breast_cancer().groups["diagnosis"].value_counts(sort=False).tolist()
    [212, 357]
    """
    return _classes("breast_cancer", "tumour_", "diagnosis")


def _classes(name: str, prefix: str, group: str, levels: list[str] | None = None) -> Dataset:
    """Label the rows and the classes of a table of scikit-learn."""
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, f"load_{name}")(as_frame=True)
    rows = row_labels(prefix, len(bunch.data))
    levels = levels or [str(level) for level in bunch.target_names]
    groups = one_group(group, bunch.target.to_numpy(), levels, rows)
    return listed(name, bunch.data.set_axis(rows).astype(float), groups)


@remember_call
def diabetes(*, scaled: bool = False) -> Dataset:
    """Ten measures of 442 diabetes patients, and how the disease progressed.

    (442, 10), `sex` being coded by two numbers; groups: the numeric column ``progression``, one
    year after the measures. With `scaled`, columns are centred and their squares sum to 1.

    Examples
    --------
    >>> diabetes().groups["progression"].max().item()
    346.0
    """
    from sklearn.datasets import load_diabetes

    bunch = load_diabetes(as_frame=True, scaled=flag(scaled, "scaled"))
    rows = row_labels("patient_", len(bunch.data))
    groups = pd.DataFrame({"progression": bunch.target.to_numpy(dtype=float)}, index=rows)
    return listed("diabetes", bunch.data.set_axis(rows), groups)


@remember_call
def airquality() -> Dataset:
    """Ozone, sun, wind and temperature in New York on 153 days of 1973, with 44 values missing.

    (153, 4): ozone in parts per billion (37 days are missing), solar radiation in langleys (7 are
    missing), wind in miles per hour and the largest temperature of the day in degrees Fahrenheit;
    groups: the month and the day.

    Examples
    --------
    >>> airquality().data.isna().sum().tolist()
    [37, 7, 0, 0]
    """
    # Chambers, Cleveland, Kleiner and Tukey (1983), from the New York State Department of
    # Conservation (ozone) and the National Weather Service: public data.
    table = pd.read_csv(io.BytesIO(pkgutil.get_data(__package__, "airquality.csv") or b""))
    table.index = pd.Index(table["month"] + " " + table["day"].astype(str))
    month = pd.Categorical(table["month"], table["month"].unique(), ordered=True)
    groups = table[["day"]].assign(month=month)[["month", "day"]]
    return listed("airquality", table.iloc[:, 2:].astype(float), groups)
