"""
A study in sentences
====================

Every sentence is tested or marked as a description.
"""

import gramian as gm

study = gm.study(gm.datasets.iris())
for claim in study.claims[:4]:
    print(claim.text)
gm.plots.individuals(study.fit, color=gm.datasets.iris().groups["species"], labels=None)
