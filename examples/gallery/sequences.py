"""
Sequences as rows
=================

A spectrum kernel compares texts by the words of three letters in them.
"""

import gramian as gm

words = ["gattaca", "gattacca", "gatacca", "ttagcga", "ttagcgg", "tagcgga"]
fit = gm.KernelPCA(2, kernel=gm.kernels.sequence.Spectrum(k=3)).fit(words)
print(fit.coordinates_.round(2))
gm.plots.individuals(fit)
