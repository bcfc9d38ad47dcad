"""Tests of gramian.operators."""
