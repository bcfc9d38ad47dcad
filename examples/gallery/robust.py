"""
An axis that a few rows cannot turn
===================================

Robust PCA beside the classical one when a tenth of the rows are wild.
"""

import numpy as np

import gramian as gm

rng = np.random.default_rng(0)
X = rng.standard_normal((100, 5)) * [5, 3, 1, 1, 1]
X[:10] += [0, 0, 0, 30, 0]
fit = gm.RobustPCA(2).fit(X)
print(fit.components_[0].round(2))
gm.plots.individuals(fit, labels=None)
