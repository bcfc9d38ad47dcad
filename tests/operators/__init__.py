"""Tests of gramian._core.operators."""
