"""
Rows and columns in one figure
==============================

A biplot: the projection of a row on an arrow approximates its value.
"""

import gramian as gm

iris = gm.datasets.iris()
fit = gm.PCA(2, scale=True).fit(iris.data)
print(fit.inertia_ratio_.sum().round(3))
gm.plots.biplot(fit, color=iris.groups["species"])
