"""
Kernel PCA of three rings
=========================

A Gaussian kernel separates what no plane can.
"""

import gramian as gm

rings = gm.datasets.rings()
fit = gm.KernelPCA(2).fit(rings.data)
print(fit.inertia_ratio_.round(3), fit.certificate_.complete)
gm.plots.individuals(fit, color=rings.groups.iloc[:, 0], labels=None)
