"""
PCA and its readings
====================

Coordinates, quality and contributions of rows; correlations of columns with the axes.
"""

import gramian as gm

wine = gm.datasets.wine()
fit = gm.PCA(scale=True).fit(wine.data)
print(fit.variables()["correlation"].iloc[:4, :2].round(2))
gm.plots.individuals(fit, color=wine.groups["cultivar"], ellipses="confidence")
