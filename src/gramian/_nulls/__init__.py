"""Null distributions: random draws, p-values, stopping rules, deflation, multiple testing."""
