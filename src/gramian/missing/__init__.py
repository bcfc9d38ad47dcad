"""Missing values: filled in by the axes of the table itself, with what is not known about them.

`impute` completes a table, `choose` says with how many axes, and `multiple` gives many completed
tables, whose differences are the uncertainty of what was filled in.
"""

from gramian.missing.choice import choose
from gramian.missing.imputation import Imputation, impute
from gramian.missing.multiple import MultipleImputation, multiple

__all__ = ["Imputation", "MultipleImputation", "choose", "impute", "multiple"]
