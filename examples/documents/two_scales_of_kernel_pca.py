"""
Coordinates under two conventions
=================================

Eigenvectors of length 1 in the table of products, or in feature space: coordinates differ by one
factor for each axis, and the map has the same points up to it.
"""

import numpy as np
from sklearn.decomposition import KernelPCA

import gramian as gm

X = gm.datasets.rings(n=60).data
ours = gm.KernelPCA(2, kernel=gm.kernels.Gaussian(1.0)).fit(X)
gamma = 1.0 / (2.0 * 1.0**2)
theirs = KernelPCA(2, kernel="rbf", gamma=gamma).fit_transform(X)
print(np.abs(np.asarray(ours.coordinates_)).max(axis=0) / np.abs(theirs).max(axis=0))
gm.plots.procrustes(ours, theirs, labels=None)
