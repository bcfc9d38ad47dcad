"""Tests of `gramian.stability`."""
