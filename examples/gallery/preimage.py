"""
Back to the data
================

Pre-images of digits: what the leading axes keep of them.
"""

import gramian as gm

digits = gm.datasets.digits()
X = digits.data.iloc[:300]
fit = gm.KernelPCA(20).fit(X)
back = fit.inverse_transform(fit.coordinates_[:10])
print(back.shape)
gm.plots.images(X.iloc[:10], back, shape=(8, 8))
