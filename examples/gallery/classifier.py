"""
Logistic regression on kernel components
========================================

The kernel's axes feed a classifier that scikit-learn can tune.
"""

from sklearn.model_selection import cross_val_score

import gramian as gm

rings = gm.datasets.rings()
model = gm.PrincipalComponentClassifier(5, kernel="gaussian")
print(cross_val_score(model, rings.data, rings.groups.iloc[:, 0], cv=3).mean().round(2))

# %%
# What the model predicts at each place, under the true rings.
model.fit(rings.data, rings.groups.iloc[:, 0])
gm.plots.regions(model, rings.data, rings.groups.iloc[:, 0])
