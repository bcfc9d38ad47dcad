"""Tests of gramian._core.spectral."""
