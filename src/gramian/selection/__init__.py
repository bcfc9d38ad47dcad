"""Choosing the kernel: candidates, evidence, and what is wrong with those that are of no use."""

from gramian.selection.compare import KernelSelection, select

__all__ = ["KernelSelection", "select"]
