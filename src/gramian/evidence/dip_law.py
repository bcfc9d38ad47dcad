"""The law of the dip of a uniform sample, the hardest one that has a single mode."""

from __future__ import annotations

import numpy as np

__all__ = ["FLOOR", "dip_p_values"]

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


def dip_p_values(dips: np.ndarray, n: int) -> np.ndarray:
    """Return the chance of dips at least as large in uniform samples of n values.

    Between the sizes of the table √n·dip is taken along 1/√n, and log p along it; 1 above a half,
    and no smaller than the last of them.

    >>> dip_p_values(np.array([0.02, 0.05112, 0.2]), 100).round(4).tolist()
    [1.0, 0.05, 0.0005]
    """
    law = np.array([np.interp(-(n**-0.5), -(_N**-0.5), column) for column in _DIPS.T])
    log_p = np.interp(np.sqrt(n) * dips, law, np.log(_P))
    return np.where(np.sqrt(n) * dips < law[0], 1.0, np.exp(log_p))
