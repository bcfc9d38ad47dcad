"""Tests, in the tree of the source; tests/slow.py says which the inner loop leaves out."""
