"""
How much is lost
================

The error of reconstruction falls as axes are added.
"""

import gramian as gm

fit = gm.PCA(scale=True).fit(gm.datasets.wine().data)
print(fit.reconstruction_error().total.iloc[:3].round(2))
gm.plots.reconstruction(fit)
