"""
Three axes
==========

A map that can be turned with the plotly backend; drawn flat here.
"""

import gramian as gm

iris = gm.datasets.iris()
fit = gm.PCA(3, scale=True).fit(iris.data)
print(fit.inertia_ratio_.round(3))
gm.plots.map3d(fit, color=iris.groups["species"], labels=None)
