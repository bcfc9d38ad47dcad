"""Tests, in the tree of the source; the inner loop leaves out what is marked slow."""
