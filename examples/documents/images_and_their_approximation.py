"""
Nine images, and what three components keep of them
===================================================

The upper row holds the images, the lower one their projections on the first components.
"""

import gramian as gm

digits = gm.datasets.digits().data
fit = gm.PCA(3).fit(digits)
some = digits.sample(9, random_state=0)
gm.plots.images(some, fit.inverse_transform(fit.transform(some)), shape=(8, 8), n_images=9)

# %%
# The share of each component, and of all those before it.
gm.plots.scree(gm.PCA(12).fit(digits))
