"""Shared contracts: classes of tests that a concrete class inherits."""
