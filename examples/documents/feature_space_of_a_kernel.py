"""
From points to a feature space
==============================

A kernel stands for inner products in a space that one need not see. Of the polynomial kernel of
degree 2 it can be seen: two columns become three, and circles become slices.
"""

import numpy as np
import pandas as pd

import gramian as gm

circles = gm.datasets.circles(radii=(1.0, 2.0))
circle = circles.groups["circle"]
gm.plots.scatter(circles.data, color=circle)

# %%
# The map behind (xᵀy)², and the same products.
x, y = circles.data.to_numpy().T
features = pd.DataFrame({"x²": x**2, "√2·xy": np.sqrt(2) * x * y, "y²": y**2})
kernel = gm.kernels.Polynomial(degree=2, offset=0.0)
print(np.allclose(features @ features.T, kernel(circles.data)))
gm.plots.scatter(features, color=circle.to_numpy())

# %%
# The kernel matrix itself, rows in the order of a clustering.
gm.plots.gram(np.asarray(kernel(circles.data)))
