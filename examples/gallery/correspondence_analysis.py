"""
Correspondence analysis
=======================

Rows and columns of a table of counts on one map.
"""

import pandas as pd

import gramian as gm

hair = pd.DataFrame(
    {
        "black": [68, 15, 5, 20],
        "brown": [119, 54, 29, 84],
        "red": [26, 14, 14, 17],
        "blond": [7, 10, 16, 94],
    },
    index=["brown eyes", "hazel eyes", "green eyes", "blue eyes"],
)
fit = gm.CA(2).fit(hair)
print(fit.inertia_ratio_.round(3))
gm.plots.biplot(fit)
