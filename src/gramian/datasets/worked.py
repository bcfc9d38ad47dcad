"""Small data of textbook examples: five by five, triples, nine cities."""

import numpy as np
import pandas as pd

from gramian._core.check import flag, generator, whole
from gramian._core.types import SeedLike
from gramian.datasets._dataset import Dataset, listed, remember_call, row_labels


@remember_call
def example_matrix() -> Dataset:
    """Five observations of five variables, small enough to follow a PCA by hand.

    ``truth`` holds the numbers of the analysis, rounded to the digits shown: the column
    means, the rank after centring (4: centring a square table costs one), the squared
    singular values of the centred table, and the Frobenius error of the reconstruction
    with 0 to 5 axes, ``error[k]² = Σ_{j>k} σ_j²``. There are no groups.

    Examples
    --------
    >>> A = example_matrix().data
    >>> sigma = np.linalg.svd(A - A.mean(), compute_uv=False)
    >>> round(float(sigma[3]), 4)
    1.2074
    """
    values = [
        [5, 3, 6, 7, 6],
        [4, 5, 7, 1, 3],
        [5, 7, 6, 1, 0],
        [6, 10, 12, 12, 11],
        [9, 10, 12, 13, 9],
    ]
    columns = [f"x{j}" for j in range(1, 6)]
    return listed(
        "example_matrix",
        pd.DataFrame(values, row_labels("a", 5), columns, dtype=float),
        truth={
            "mean": pd.Series([5.8, 7.0, 8.6, 6.8, 5.8], columns),
            "rank": 4,
            "squared_singular_values": [264.8458, 27.9766, 9.3198, 1.4579, 0.0],
            "reconstruction_error": [17.42412, 6.22529, 3.28293, 1.20742, 0.0, 0.0],
        },
    )


@remember_call
def triples(correlated: bool = True, *, n: int = 30, random_state: SeedLike = 12) -> Dataset:
    """Three Gaussian variables, independent or with one made of the others.

    x1, x2 and x3 are independent standard normal; if `correlated`, x1 becomes
    ``x1 + 4 x2 + 2 x3``, so that the points nearly fill a plane. The same seed gives the
    same x2 and x3 in both cases. ``truth`` holds the exact covariance; there are no groups.

    Parameters
    ----------
    correlated : bool
        Whether x1 depends on x2 and x3.
    n : int
        Number of rows.
    random_state : int, Generator or None
        Seed; with the default the error of two axes is 3.9193 (independent) or 0.9728.

    Examples
    --------
    >>> X = triples(correlated=True).data
    >>> error = np.linalg.svd(X - X.mean(), compute_uv=False)[2]
    >>> round(float(error), 4)
    0.9728
    """
    columns = ["x1", "x2", "x3"]
    mixing = np.eye(3)
    whole(n, "n")
    if flag(correlated, "correlated"):
        mixing[0, 1:] = 4.0, 2.0
    points = generator(random_state).standard_normal((n, 3))
    points[:, 0] += points[:, 1:] @ mixing[0, 1:]
    return listed(
        "triples",
        pd.DataFrame(points, row_labels("s", n), columns),
        truth={
            "correlated": correlated,
            "mixing": pd.DataFrame(mixing, columns, columns),
            "covariance": pd.DataFrame(mixing @ mixing.T, columns, columns),
        },
    )


# city, region, longitude, latitude, then the miles to the cities above it
_CITIES: list[tuple[str, str, float, float, list[int]]] = [
    ("Boston", "East", -71.06, 42.36, []),
    ("New York", "East", -74.01, 40.71, [206]),
    ("Washington", "East", -77.04, 38.91, [429, 233]),
    ("Miami", "East", -80.19, 25.76, [1504, 1308, 1075]),
    ("Chicago", "Interior", -87.63, 41.88, [963, 802, 671, 1329]),
    ("Seattle", "West", -122.33, 47.61, [2976, 2815, 2684, 3273, 2013]),
    ("San Francisco", "West", -122.42, 37.77, [3095, 2934, 2799, 3053, 2142, 808]),
    ("Los Angeles", "West", -118.24, 34.05, [2979, 2786, 2631, 2687, 2054, 1131, 379]),
    ("Denver", "Interior", -104.99, 39.74, [1949, 1771, 1616, 2037, 996, 1307, 1235, 1059]),
]


@remember_call
def cities() -> Dataset:
    """Road distances in miles between nine cities of the United States, (9, 9).

    Roads wind and the Earth is round, so these are not distances of a Euclidean
    configuration: three eigenvalues of the doubly centred table are negative, although
    every triangle inequality holds. ``truth["coordinates"]`` has the longitude and the
    latitude of each city in degrees; multiply longitudes by cos(latitude) before comparing
    shapes, since a degree of longitude is the shorter one. The groups are regions.

    Examples
    --------
    >>> float(cities().distances.loc["Boston", "Miami"])
    1504.0
    """
    names = [city for city, *_ in _CITIES]
    miles = np.zeros((len(names), len(names)))
    for i, (*_, above) in enumerate(_CITIES):
        miles[i, :i] = above
    places = [(longitude, latitude) for _, _, longitude, latitude, _ in _CITIES]
    regions = pd.Categorical([region for _, region, *_ in _CITIES], ["East", "Interior", "West"])
    return listed(
        "cities",
        pd.DataFrame(miles + miles.T, names, names),
        pd.DataFrame({"region": regions}, index=names),
        truth={
            "coordinates": pd.DataFrame(places, names, ["longitude", "latitude"]),
            "euclidean": False,
            "n_negative": 3,
        },
    )
