"""
Communities and their environment
=================================

Redundancy analysis: how much of the communities the environment explains.
"""

import numpy as np
import pandas as pd

import gramian as gm

rng = np.random.default_rng(0)
moisture = pd.DataFrame({"moisture": rng.normal(size=30)})
species = pd.DataFrame(rng.poisson(np.exp(1 + np.outer(moisture["moisture"], rng.normal(size=8)))))
profiles = gm.ecology.transform(species.add_prefix("sp"), "hellinger")
found = gm.ecology.rda(profiles, moisture)
print(round(found.r2, 3))
gm.plots.individuals(found.rest, color=moisture["moisture"].to_numpy(), labels=None)
