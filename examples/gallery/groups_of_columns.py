"""
Groups of columns
=================

Multiple factor analysis balances two groups of columns.
"""

import gramian as gm

iris = gm.datasets.iris()
groups = {"sepal": list(iris.data.columns[:2]), "petal": list(iris.data.columns[2:])}
fit = gm.MFA(2, groups=groups).fit(iris.data)
print(fit.inertia_ratio_.round(3))
gm.plots.individuals(fit, color=iris.groups["species"], labels=None)
