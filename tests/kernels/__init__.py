"""Tests of gramian.kernels."""
