"""
Which rows make an axis
=======================

Contributions are shares of the inertia of an axis; they sum to one.
"""

import gramian as gm

fit = gm.PCA(scale=True).fit(gm.datasets.wine().data)
print(fit.individuals()["contribution"][1].nlargest(3).round(3))
gm.plots.contributions(fit, axis=1)
