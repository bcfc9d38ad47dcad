"""
Classes of rows
===============

A tree on the leading axes, cut where a test supports it.
"""

import gramian as gm

iris = gm.datasets.iris()
found = gm.clusters.find(gm.PCA(2, scale=True).fit(iris.data), random_state=0)
print(found.n_clusters)
gm.plots.dendrogram(found)
