"""Explicit features of a kernel: exact on a subspace (Nyström) or at random (Fourier)."""
