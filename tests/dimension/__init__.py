"""Tests of `gramian.dimension` and of the rules it is made of."""
