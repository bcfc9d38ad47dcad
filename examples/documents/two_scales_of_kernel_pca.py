"""
Coordinates under two conventions
=================================

Axes are eigenvectors of the centred Gram matrix K. Where the axis has length 1 in feature space,
coordinates are √λ·u; where the vector u has length 1 instead, they are K·u = λ·u. The map is the
same up to one factor for each axis, √λ.
"""

import numpy as np
import pandas as pd

import gramian as gm

rings = gm.datasets.rings(n=100)
kernel = gm.kernels.Gaussian(1.0)
fit = gm.KernelPCA(2, kernel=kernel).fit(rings.data)
gm.plots.individuals(fit, labels=None)

# %%
# The other convention: axes are stretched, the second less than the first.
K = np.asarray(kernel(rings.data))
K = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
values, vectors = np.linalg.eigh(K)
other = pd.DataFrame((K @ vectors)[:, [-1, -2]], columns=["K·u, axis 1", "K·u, axis 2"])
ratio = np.abs(other).max().to_numpy() / np.abs(np.asarray(fit.coordinates_)).max(axis=0)
print(ratio.round(3), np.sqrt(values[[-1, -2]]).round(3))
gm.plots.scatter(other)
