"""
Circles that a kernel takes apart
=================================

Three circles share a centre, so that no straight line separates them. On the first axes of a
Gaussian kernel PCA each circle has a place of its own.
"""

import gramian as gm

circles = gm.datasets.circles()
gm.plots.scatter(circles.data, color=circles.groups["circle"])

# %%
# The same points on three axes, with true proportions, and on each pair of them.
fit = gm.KernelPCA(3, kernel="gaussian").fit(circles.data)
print(fit.inertia_ratio_.round(3))
gm.plots.map3d(fit, color=circles.groups["circle"], labels=None)

# %%
gm.plots.pairs(fit, 3, color=circles.groups["circle"])
