"""
Do two samples differ?
======================

The maximum mean discrepancy sees differences beyond means.
"""

import numpy as np

import gramian as gm

rng = np.random.default_rng(0)
X, Y = rng.standard_normal((60, 3)), rng.standard_normal((60, 3)) * 1.6
print(gm.rkhs.mmd(gm.kernels.Gaussian(), X, Y, n_permutations=199, random_state=0))

# %%
# The means are the same; the second sample is wider.
sample = ["first"] * len(X) + ["second"] * len(Y)
gm.plots.scatter(np.vstack([X, Y]), color=sample)
