"""
A solid from its best side
==========================

A cloud in the shape of a fish, and its projection on the plane of the first two axes: the view in
which it takes up most room.
"""

import numpy as np
import pandas as pd

import gramian as gm

rng = np.random.default_rng(0)
t = rng.uniform(0, 2 * np.pi, 500)
body = np.column_stack([3 * np.cos(t), 1.2 * np.sin(t), 0.3 * rng.normal(size=500)])
u = rng.uniform(0, 1, 200)
tail = np.column_stack(
    [-3 - 1.5 * u, 1.3 * u * rng.uniform(-1, 1, 200), 0.2 * rng.normal(size=200)]
)
turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
fish = pd.DataFrame(np.vstack([body, tail]) @ turn, columns=["x", "y", "z"])
part = pd.Series(["body"] * 500 + ["tail"] * 200, name="part")
gm.plots.scatter(fish, color=part)

# %%
fit = gm.PCA(2).fit(fish)
print(fit.inertia_ratio_.round(3))
gm.plots.individuals(fit, color=part)
