"""Several kernels, tables or distances on the same individuals, as one."""
