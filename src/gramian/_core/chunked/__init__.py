"""Rows that do not fit in memory: one engine for blocks of files and blocks of dask."""
