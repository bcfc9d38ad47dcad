"""Stress scaling: maps whose distances are close to given dissimilarities, by majorisation."""
