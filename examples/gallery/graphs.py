"""
Graphs as rows
==============

A Weisfeiler-Lehman kernel compares graphs by their neighbourhoods.
"""

import networkx as nx

import gramian as gm

graphs = [nx.cycle_graph(n) for n in range(5, 12)] + [nx.star_graph(n) for n in range(5, 12)]
fit = gm.KernelPCA(2, kernel=gm.kernels.graph.WeisfeilerLehman(n_iter=2).normalized()).fit(graphs)
print(fit.inertia_ratio_.round(3))
gm.plots.individuals(fit, color=["cycle"] * 7 + ["star"] * 7)
