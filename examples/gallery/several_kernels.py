"""
Several kernels in one
======================

STATIS weighs kernels by how much they agree.
"""

import gramian as gm

wine = gm.datasets.wine()
kernels = {
    "linear": gm.kernels.Standardized(gm.kernels.Linear()),
    "gaussian": gm.kernels.Standardized(gm.kernels.Gaussian()),
}
fit = gm.MultiKernelPCA(2, kernels=kernels).fit(wine.data)
print(fit.weights_)
gm.plots.individuals(fit, color=wine.groups["cultivar"], labels=None)
