"""Eigenpairs with certificates: the solvers and the choice between them."""
