"""
An algebra of kernels
=====================

Sums and products of kernels are kernels; the Gram matrix shows what is similar to what.
"""

import gramian as gm
from gramian.kernels import Gaussian, Linear, Polynomial

iris = gm.datasets.iris()
kernel = 0.5 * Gaussian() + Linear() * Polynomial(2, scale=0.1)
fit = gm.KernelPCA(3, kernel=kernel).fit(iris.data)
print(fit.inertia_ratio_.round(3))
gm.plots.gram(fit)
