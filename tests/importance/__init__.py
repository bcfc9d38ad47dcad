"""Tests of `gramian.importance`."""
