"""
A map from distances
====================

Classical scaling of the road distances between cities.
"""

import gramian as gm

cities = gm.datasets.cities()
fit = gm.ClassicalMDS(2, metric="precomputed", correction="lingoes").fit(cities.distances)
print(fit.eigenvalues_.round(0))
gm.plots.individuals(fit)
