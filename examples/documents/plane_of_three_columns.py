"""
A plane in a cloud of three columns
===================================

One column of these data is a sum of the two others: the first two axes of PCA hold the cloud.
Where columns are independent, a plane loses a part of it.
"""

import pandas as pd

import gramian as gm

correlated, independent = gm.datasets.triples(), gm.datasets.triples(correlated=False)
for data in (correlated, independent):
    fit = gm.PCA(2).fit(data.data)
    print(f"{1 - fit.inertia_ratio_.sum():.1%} of the inertia is lost")

# In standard deviations, so that no column is too long for the picture.
gm.plots.scatter(correlated.data / correlated.data.std())

# %%
# Points and their projections on the plane, column against column.
fit = gm.PCA(2).fit(independent.data)
projected = pd.DataFrame(fit.inverse_transform(fit.transform(independent.data)))
both = pd.concat([independent.data, projected.set_axis(independent.data.columns, axis=1)])
kind = ["original"] * len(projected) + ["projected"] * len(projected)
gm.plots.scatter(both.reset_index(drop=True), color=kind)
