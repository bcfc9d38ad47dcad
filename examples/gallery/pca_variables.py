"""
The circle of correlations
==========================

Columns near the circle are well represented by the two axes.
"""

import gramian as gm

fit = gm.PCA(scale=True).fit(gm.datasets.wine().data)
print(fit.inertia_ratio_[:2].round(3))
gm.plots.variables(fit)
