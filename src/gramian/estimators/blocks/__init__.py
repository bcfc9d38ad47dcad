"""Fits of rows that are not all here: read block by block, held by dask, or still arriving."""
