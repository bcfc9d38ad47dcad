"""
Circles that a kernel takes apart
=================================

Three circles share a centre, so that no straight line separates them. On the first axis of
a kernel PCA each circle has a place of its own, where the Gaussian is narrower than the gaps.
"""

import gramian as gm

circles = gm.datasets.circles()
gm.plots.scatter(circles.data, color=circles.groups["circle"])

# %%
# The same points on three axes, with true proportions, and on each pair of them.
fit = gm.KernelPCA(3, kernel=gm.kernels.Gaussian(0.3)).fit(circles.data)
print(fit.categories(circles.groups)["eta2"].round(2).iloc[0].tolist())
gm.plots.map3d(fit, color=circles.groups["circle"], labels=None)

# %%
gm.plots.pairs(fit, 3, color=circles.groups["circle"])
