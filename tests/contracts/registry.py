"""Registrations that do not outlive a test."""

from contextlib import contextmanager
from unittest import mock

import gramian.kernels.graph
import gramian.kernels.sequence  # noqa: F401  (kernels that register later would be forgotten)
from gramian.kernels.registry import KERNELS


@contextmanager
def borrowed():
    """What is registered inside is gone afterwards."""
    with mock.patch.dict(KERNELS):
        yield
