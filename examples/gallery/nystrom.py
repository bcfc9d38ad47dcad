"""
Landmarks
=========

A low-rank kernel PCA from a hundred landmarks, beside the exact one.
"""

import gramian as gm

digits = gm.datasets.digits()
exact = gm.KernelPCA(2).fit(digits.data)
quick = gm.KernelPCA(2, approximation=gm.Nystrom(100, random_state=0)).fit(digits.data)
print(gm.stability.procrustes(exact.coordinates_, quick.coordinates_))
gm.plots.individuals(quick, color=digits.groups["digit"], labels=None)
