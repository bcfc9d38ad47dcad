"""Kernels on strings and lists of tokens.

>>> from gramian.kernels import sequence
>>> float(sequence.Spectrum(k=2).normalized()(["kernel", "kernels"])[0, 1].round(6))
0.912871
"""

from gramian.kernels.sequence.spectrum import Mismatch, Spectrum
from gramian.kernels.sequence.subsequence import Subsequence

__all__ = ["Mismatch", "Spectrum", "Subsequence"]
