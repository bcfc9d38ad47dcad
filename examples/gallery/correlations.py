"""
Correlations in a sensible order
================================

Columns that are alike stand side by side.
"""

import gramian as gm

print(gm.datasets.wine().data.shape)
gm.plots.correlations(gm.datasets.wine().data)
