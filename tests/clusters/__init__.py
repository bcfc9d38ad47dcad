"""Tests of `gramian.clusters`."""
