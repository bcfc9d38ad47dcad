"""Tests of `gramian.ecology`."""
