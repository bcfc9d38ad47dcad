"""
A network of genes
==================

Links between genes from their correlations within conditions, with a false discovery rate: three
simulated modules.
"""

import gramian as gm

data = gm.datasets.gene_expression(random_state=0)
module = data.truth["modules"]
genes = module.index[module.isin(module.unique()[:3])]
condition = data.groups["temperature"].astype(str) + data.groups["co2"].astype(str)
network = gm.networks.infer(data.data[genes], condition=condition)
print(network)
gm.plots.network(network)
