"""
Distances that no map keeps
===========================

Road distances are longer than straight lines: some eigenvalues of the centred table are negative.
They are drawn, and shares are of the sum of all moduli, so that none exceeds 100 %.
"""

import gramian as gm

cities = gm.datasets.cities()
fit = gm.ClassicalMDS(None, metric="precomputed").fit(cities.distances)
print(fit.eigenvalues_.round(0))
gm.plots.scree(fit)

# %%
# The map of the first two axes.
gm.plots.individuals(fit)

# %%
# Shepard's diagram: distances in the map against those given.
gm.plots.shepard(fit, n_axes=2)
