"""
Supplementary columns
=====================

Columns that take no part in the axes are placed afterwards.
"""

import gramian as gm

wine = gm.datasets.wine()
active, passive = wine.data.iloc[:, :10], wine.data.iloc[:, 10:]
fit = gm.PCA(scale=True).fit(active)
print(fit.variables(passive)["correlation"].iloc[:, :2].round(2))
gm.plots.variables(fit, table=passive)
