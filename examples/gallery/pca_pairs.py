"""
Several axes at once
====================

Each panel is the map of two axes, with their densities on the diagonal.
"""

import gramian as gm

iris = gm.datasets.iris()
fit = gm.PCA(3, scale=True).fit(iris.data)
print(fit.eigenvalues_.round(2))
gm.plots.pairs(fit, 3, color=iris.groups["species"])
