"""
Stress and Shepard's diagram
============================

Ordinal scaling keeps the order of the distances alone.
"""

import gramian as gm

cities = gm.datasets.cities()
fit = gm.MDS(2, metric="precomputed", scaling="ordinal", random_state=0).fit(cities.distances)
print(round(fit.stress_, 4))
gm.plots.shepard(fit)
