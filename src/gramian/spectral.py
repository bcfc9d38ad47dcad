"""Interface for custom eigensolvers: a spectrum and the registry of solvers."""

from gramian._core.spectral.dense import residual_norms
from gramian._core.spectral.solve import Solver, register
from gramian._core.spectral.spectrum import Spectrum

__all__ = ["Solver", "Spectrum", "register", "residual_norms"]
