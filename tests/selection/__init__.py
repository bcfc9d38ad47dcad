"""Tests of `gramian.selection`."""
