"""
How well is each row represented?
=================================

Cos² of rows: 1 where the plane holds all of a row.
"""

import gramian as gm

fit = gm.PCA(2, scale=True).fit(gm.datasets.wine().data)
print(fit.individuals()["quality"][2].describe().round(2))
gm.plots.individuals(fit, color="cos2", labels=None)
