"""
Rotated axes
============

Varimax makes loadings easier to name.
"""

import gramian as gm

wine = gm.datasets.wine()
fit = gm.PCA(3, scale=True).fit(wine.data).rotate("varimax")
print(fit.variables()["correlation"].iloc[:4].round(2))
gm.plots.variables(fit)
