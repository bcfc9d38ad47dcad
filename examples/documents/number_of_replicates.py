"""
Networks, and how many replicates they need
===========================================

Networks of genes from samples drawn again: each is a point of a kernel PCA, and those of more
replicates lie nearer to the network of all of them.
"""

import gramian as gm

data = gm.datasets.replicated_expression(12, 60, n_modules=3)
study = gm.networks.replicate_study(
    data.data, data.groups["treatment"], n_resamples=6, n_permutations=0, random_state=0
)
gm.plots.networks(study)

# %%
# Agreement of two experiments of the same size.
gm.plots.replicates(study)

# %%
# The links that most of the networks share.
gm.plots.network(study.consensus())
