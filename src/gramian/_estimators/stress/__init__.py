"""Scaling by stress: what is minimised, the loops, the starts, the map and its measures."""
