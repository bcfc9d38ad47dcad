"""
Samples and genes of an experiment
==================================

24 samples of a simulated experiment with two temperatures and two levels of CO2: the first axis
follows the temperature, and the genes that are best represented say what it is made of.
"""

import gramian as gm

plants = gm.datasets.gene_expression()
temperature = plants.groups["temperature"].astype(str)
fit = gm.PCA(5, scale=True).fit(plants.data)
gm.plots.individuals(fit, color=temperature, ellipses="confidence", labels=None)

# %%
# Genes whose plane holds most of them.
gm.plots.variables(fit, select=30, by="cos2")

# %%
# The same samples under a Gaussian kernel.
kernel = gm.KernelPCA(2, kernel="gaussian", scale=True).fit(plants.data)
gm.plots.individuals(kernel, color=temperature, labels=None)
