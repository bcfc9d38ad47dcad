"""Solvers, for solvers of your own: a spectrum and the registry of what computes one."""

from gramian._core.spectral.dense import residual_norms
from gramian._core.spectral.solve import Solver, register
from gramian._core.spectral.spectrum import Spectrum

__all__ = ["Solver", "Spectrum", "register", "residual_norms"]
