"""
Questions and answers
=====================

Multiple correspondence analysis of categories made from measurements.
"""

import pandas as pd

import gramian as gm

iris = gm.datasets.iris()
answers = iris.data.apply(lambda c: pd.qcut(c, 3, labels=["low", "middle", "high"]).astype(str))
fit = gm.MCA(2).fit(answers)
print(fit.benzecri_ratio_.round(3))
gm.plots.categories(fit)
