"""Anderson's extrapolation: a few past steps tell where a slow iteration is going."""

from __future__ import annotations

import numpy as np

_FIRST = 5  # plain steps before the past is trusted
_DEPTH = 6  # steps that are remembered
_WORSE = 1.5  # how much longer a step may be than the one before


class Accelerator:
    """A stack of fixed-point iterations, each with its own past.

    From x and its step f(x) − x the next point is f(x) minus the combination of past changes of f
    that would have made the past steps cancel this one. Where a step is longer than the one before,
    the past is forgotten and the plain image taken: the iteration is then what it was without.
    """

    def __init__(self, count: int) -> None:
        self._steps = 0
        self._image: np.ndarray | None = None
        self._last: np.ndarray | None = None
        self._length = np.full(count, np.inf)
        self._d_step: list[np.ndarray] = []
        self._d_image: list[np.ndarray] = []

    def keep(self, rows: np.ndarray) -> None:
        """Forget the iterations that have come to rest."""
        self._length = self._length[rows]
        if self._image is not None and self._last is not None:
            self._image, self._last = self._image[rows], self._last[rows]
        self._d_step = [d[rows] for d in self._d_step]
        self._d_image = [d[rows] for d in self._d_image]

    def next(self, x: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Return where to look next, from points (b, …) and what the map adds to them."""
        self._steps += 1
        shape, step = x.shape, step.reshape(len(x), -1)
        image = x.reshape(len(x), -1) + step
        length = np.sqrt(np.einsum("bm,bm->b", step, step))
        if self._image is None or self._last is None:
            self._image, self._last, self._length = image, step, length
            return image.reshape(shape)
        astray = length > _WORSE * self._length
        for past, new in ((self._d_step, step - self._last), (self._d_image, image - self._image)):
            past.append(new)
            del past[: max(0, len(past) - _DEPTH)]
            for d in past:
                d[astray] = 0.0
        back = np.where(astray[:, None], self._image, image)
        self._image, self._last, self._length = image, step, length
        if self._steps <= _FIRST:
            return image.reshape(shape)
        return (back - self._correction(step)).reshape(shape)

    def _correction(self, step: np.ndarray) -> np.ndarray:
        """Return the combination of past images that goes with the best one of past steps."""
        D, E = np.stack(self._d_step, axis=2), np.stack(self._d_image, axis=2)
        normal = np.einsum("bmi,bmj->bij", D, D)
        size = np.einsum("bii->b", normal)
        ridge = (1e-12 * size + np.where(size > 0, 0.0, 1.0))[:, None, None] * np.eye(D.shape[2])
        share = np.linalg.solve(normal + ridge, np.einsum("bmi,bm->bi", D, step)[:, :, None])
        return (E @ share)[:, :, 0]
