"""Gram operators: symmetric matrices one may multiply by, and their centring."""
