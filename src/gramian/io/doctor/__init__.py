"""The doctor: what may be wrong with a table, and what mends it."""
