"""
Two spheres, one inside the other
=================================

Every direction of this cloud is as long as any other: PCA has no axis to prefer, and its map shows
no more than two of the columns.
"""

import gramian as gm

spheres = gm.datasets.spheres()
sphere = spheres.groups["sphere"]
gm.plots.scatter(spheres.data, color=sphere)

# %%
# The plane of PCA.
gm.plots.individuals(gm.PCA(2).fit(spheres.data), color=sphere, labels=None)

# %%
# Two of the columns.
gm.plots.scatter(spheres.data, ["x", "y"], color=sphere)

# %%
# The plane of a Gaussian kernel PCA, on which the two spheres lie apart.
fit = gm.KernelPCA(2, kernel="gaussian").fit(spheres.data)
gm.plots.individuals(fit, color=sphere, labels=None)
