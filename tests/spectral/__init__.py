"""Tests of gramian.spectral."""
