"""
Missing values and their uncertainty
====================================

Multiple imputation shows how far a map depends on values that nobody saw.
"""

import gramian as gm

air = gm.datasets.airquality()
many = gm.missing.multiple(air.data, n_components=2, n_tables=20, random_state=0)
print(int(air.data.isna().to_numpy().sum()), "missing values")
gm.plots.imputations(many)
