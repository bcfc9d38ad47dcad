"""
Regions of a classifier on kernel components
============================================

The class that the model predicts at each place of the plane.
"""

import gramian as gm

rings = gm.datasets.rings()
model = gm.PrincipalComponentClassifier(5, kernel="gaussian")
model.fit(rings.data, rings.groups.iloc[:, 0])
print(model.score(rings.data, rings.groups.iloc[:, 0]))
gm.plots.regions(model, rings.data)
