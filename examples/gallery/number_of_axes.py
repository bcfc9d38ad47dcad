"""
How many axes
=============

The rules side by side; parallel analysis compares with tables whose columns are permuted.
"""

import gramian as gm

wine = gm.datasets.wine()
fit = gm.PCA(scale=True).fit(wine.data)
found = gm.dimension.parallel_analysis(wine.data, n_permutations=99, scale=True, random_state=0)
print(found.n_components)
gm.plots.scree(fit, reference=found)
