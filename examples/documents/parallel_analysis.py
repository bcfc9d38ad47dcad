"""
Parallel analysis of images
===========================

Each pixel is shuffled over the images: the table keeps its columns and loses their relations.
Components above the limit of such tables are kept.
"""

import numpy as np

import gramian as gm

digits = gm.datasets.digits().data
shuffled = np.random.default_rng(0).permuted(digits.to_numpy(), axis=0)
gm.plots.images(shuffled, shape=(8, 8), n_images=9, columns=9)

# %%
# Eigenvalues of the images and of shuffled tables.
found = gm.dimension.parallel_analysis(digits, n_permutations=99, random_state=0)
print(found.n_components)
gm.plots.dimension(found)

# %%
# The same at the logarithms of both.
gm.plots.scree(gm.PCA(40).fit(digits), n_axes=40, scale="log-log", reference=found)
