"""Data to try things on: worked examples, known tables, and simulations with known answers.

Every function returns a `Dataset`: ``data`` (a labelled table, or distances), ``groups``
(supplementary columns), ``truth`` (what is known by construction) and a ``description``.
Nothing is downloaded; scikit-learn's tables are read only when asked for.
"""

import lazy_loader as _lazy_loader

# The list of the sets, in `__init__.pyi`, is there without the libraries that make them.
__getattr__, __dir__, __all__ = _lazy_loader.attach_stub(__name__, __file__)
