"""Models on kernels."""
