"""
A network of genes
==================

Links between genes from their correlations, with a false discovery rate.
"""

import gramian as gm

data = gm.datasets.gene_expression(random_state=0)
genes = data.data.std().nlargest(60).index
network = gm.networks.infer(data.data[genes])
print(network)
gm.plots.network(network)
