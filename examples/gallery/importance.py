"""
Which columns matter to kernel PCA
==================================

How far points move when one column is shuffled.
"""

import gramian as gm

wine = gm.datasets.wine()
X = (wine.data - wine.data.mean()) / wine.data.std()
fit = gm.KernelPCA(2).fit(X)
table = gm.importance.permutation(fit, n_permutations=5, random_state=0)
print(table["share"].squeeze().nlargest(3).round(3))
gm.plots.variables(fit, table=X)
