"""
Numbers and categories together
===============================

FAMD gives numbers and categories the same weight.
"""

import gramian as gm

iris = gm.datasets.iris()
fit = gm.FAMD(2).fit(iris.data.join(iris.groups))
print(fit.inertia_ratio_.round(3))
gm.plots.individuals(fit, color=iris.groups["species"], labels=None)
