"""
Rings, and classifiers on kernel components
===========================================

Two noisy rings cannot be divided by a line. A logistic regression on kernel components divides
them, and how well it predicts new points depends on the number of components.
"""

import gramian as gm

rings, new = gm.datasets.rings(), gm.datasets.rings(random_state=1)
gm.plots.scatter(rings.data, color=rings.groups["ring"])

# %%
# Share of new points that are predicted rightly. No rule could do better than the last number.
for q in (1, 2, 5, 10, 20):
    model = gm.PrincipalComponentClassifier(q, kernel="gaussian")
    model.fit(rings.data, rings.groups["ring"])
    print(q, round(model.score(new.data, new.groups["ring"]), 3))
print("best", round(rings.truth["bayes_accuracy"], 3))

# %%
model = gm.KernelLogisticRegression(kernel="gaussian").fit(rings.data, rings.groups["ring"])
gm.plots.regions(model, new.data, new.groups["ring"])
