"""Junk for every argument of every public entry: what leaves is a refusal in words."""
