"""
Where rows lie when rows are resampled
======================================

Ellipses of the positions of rows over bootstrap samples.
"""

import gramian as gm

X = gm.datasets.wine().data[::4]
fit = gm.PCA(2, scale=True).fit(X)
study = gm.stability.bootstrap(gm.PCA(2, scale=True), X, n_resamples=50, random_state=0)
print(study.axes["angle"].round(1))
gm.plots.individuals(fit, ellipses=study, labels=None)
