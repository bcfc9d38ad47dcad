"""
The mean image and 24 components
================================

Principal components of images are images. Each has a grey scale of its own here, since the last
ones are as contrasted as the first, and the mean has nothing to do with their signs.
"""

import gramian as gm

digits = gm.datasets.digits()
fit = gm.PCA(24).fit(digits.data)
print(f"{fit.inertia_ratio_.sum():.1%} of the inertia")
gm.plots.images(fit, shape=(8, 8), n_images=24, columns=5, mean=True, each=True)
