"""Hartigan's dip: how far a sample is from having a single mode."""

import numpy as np

# √n·dip that uniform samples of n values exceed with these probabilities, from 20,000 of each.
_N = np.array([8, 12, 20, 35, 60, 100, 400])
_P = np.array([0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005])
_DIPS = np.array(
    [
        [0.3145, 0.3417, 0.3549, 0.4011, 0.4373, 0.4697, 0.4863, 0.5045, 0.519, 0.5429, 0.5674],
        [0.3149, 0.3558, 0.38, 0.4139, 0.4484, 0.486, 0.5124, 0.5365, 0.5614, 0.5834, 0.6036],
        [0.328, 0.3686, 0.3956, 0.4354, 0.4685, 0.5097, 0.5374, 0.5644, 0.593, 0.6124, 0.6298],
        [0.3394, 0.3811, 0.4087, 0.4511, 0.4899, 0.5329, 0.5652, 0.593, 0.6294, 0.649, 0.6759],
        [0.3481, 0.3899, 0.4183, 0.4623, 0.5008, 0.5506, 0.5835, 0.6124, 0.6486, 0.6819, 0.7092],
        [0.355, 0.398, 0.4273, 0.4724, 0.5112, 0.5562, 0.5911, 0.6223, 0.659, 0.6956, 0.7216],
        [0.3684, 0.4122, 0.4422, 0.4885, 0.5285, 0.5793, 0.6163, 0.6479, 0.6762, 0.6967, 0.7327],
    ]
)
FLOOR = float(_P[-1])


def dip(values: np.ndarray) -> float:
    """Return the dip of a sample, the distance of its distribution to the nearest unimodal one."""
    # A unimodal distribution is convex up to its mode and concave beyond. The modal interval
    # shrinks to where the convex minorant and the concave majorant are farthest apart, and what is
    # left outside must fit the one or the other, until the outside fits worse than the inside
    # (Hartigan and Hartigan 1985).
    x, counts = np.unique(np.asarray(values, dtype=float), return_counts=True)
    after = np.cumsum(counts) / counts.sum()
    before = after - counts / counts.sum()
    low, high, distance = 0, len(x) - 1, float((after - before).max())
    while True:
        part = slice(low, high + 1)
        minorant, below = _minorant(x[part], before[part])
        majorant, above = _minorant(-x[part][::-1], -after[part][::-1])
        majorant, above = -majorant[::-1], len(majorant) - 1 - above[::-1]
        apart = majorant - minorant
        left, right = _modal(apart, below, above)
        if apart[below].max() <= distance and apart[above].max() <= distance:
            return 0.5 * distance
        outside = (
            (after[part] - minorant)[: left + 1].max(),
            (majorant - before[part])[right:].max(),
        )
        distance = max(distance, *map(float, outside))
        if (left, right) == (0, high - low):
            return 0.5 * distance
        low, high = low + left, low + right


def _modal(apart: np.ndarray, below: np.ndarray, above: np.ndarray) -> tuple[int, int]:
    """Return the corners of minorant and majorant between which they are farthest apart."""
    if apart[above].max() > apart[below].max():
        right = int(above[len(above) - 1 - apart[above][::-1].argmax()])
        return int(below[below <= right][-1]), right
    left = int(below[apart[below].argmax()])
    return left, int(above[above >= left][0])


def _minorant(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the largest convex function below points, and its corners by their positions."""
    corners = np.array(_corners(x.tolist(), y.tolist()))
    return np.interp(x, x[corners], y[corners]), corners


def _corners(x: list[float], y: list[float]) -> list[int]:
    """Return where the convex minorant bends, by one pass over the points."""
    corners: list[int] = []
    for i, (c, top) in enumerate(zip(x, y, strict=True)):
        while len(corners) > 1:
            a, b = corners[-2], corners[-1]
            if (y[b] - y[a]) * (c - x[a]) < (top - y[a]) * (x[b] - x[a]):
                break
            corners.pop()
        corners.append(i)
    return corners


def dip_p_values(dips: np.ndarray, n: int) -> np.ndarray:
    """Return the chance of dips at least as large in uniform samples of n values."""
    # Between the sizes of the table √n·dip is taken along 1/√n, and log p along it; 1 above a half,
    # and no smaller than the last of them.
    law = np.array([np.interp(-(n**-0.5), -(_N**-0.5), column) for column in _DIPS.T])
    log_p = np.interp(np.sqrt(n) * dips, law, np.log(_P))
    return np.where(np.sqrt(n) * dips < law[0], 1.0, np.exp(log_p))
