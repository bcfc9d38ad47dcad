"""
New rows on an old map
======================

`transform` places rows that the fit never saw, with their cos².
"""

import gramian as gm

wine = gm.datasets.wine()
old, new = wine.data[::2], wine.data[1::2]
fit = gm.KernelPCA(2, kernel=gm.kernels.Standardized(gm.kernels.Gaussian())).fit(old)
print(fit.individuals(new)["cos2"].iloc[:3].round(3))
gm.plots.individuals(fit, X=new, labels=None)
