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
# The plane of a Gaussian kernel PCA whose scale is near the gap between them: its first axis
# separates the two spheres.
fit = gm.KernelPCA(2, kernel=gm.kernels.Gaussian(1.2)).fit(spheres.data)
print(fit.categories(spheres.groups)["eta2"].round(2).iloc[0].tolist())
gm.plots.individuals(fit, color=sphere, labels=None)
