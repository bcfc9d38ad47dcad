"""Logistic regression: the likelihood maximised, and data that no finite maximum has."""
