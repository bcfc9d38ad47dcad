"""Fits of other libraries, and reductions made elsewhere, with the face of ours."""
