"""Maps that start from distances: classical scaling and scaling by stress."""
