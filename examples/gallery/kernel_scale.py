"""
Choosing the scale of a kernel
==============================

Criteria over a grid of scales around the median heuristic.
"""

import gramian as gm

wine = gm.datasets.wine()
X = (wine.data - wine.data.mean()) / wine.data.std()
found = gm.kernels.select(X, criterion="parallel", random_state=0)
print(found)
gm.plots.selection(found)
