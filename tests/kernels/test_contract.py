"""Every kernel keeps the contract."""

import pytest
from tests.contracts.kernel import (
    KernelContract,
    PositiveContract,
    ProfileContract,
    RadialContract,
    SparseContract,
    TorchContract,
    VectorContract,
    rows,
)

from .rows import DOT, EVERY, NUMPY, RADIAL, VECTOR


@rows(EVERY)
class TestKernels(KernelContract):
    pass


# The others are known to be positive semidefinite, and must keep that contract too.
NOT_KNOWN = ["callback", "city blocks", "polynomial -1", "precomputed", "scikit-learn's"]
NOT_KNOWN += ["sigmoid", "squared distance"]


def test_which_kernels_are_known_to_be_positive():
    assert sorted(row.name for row in EVERY if row.kernel.psd is not True) == NOT_KNOWN


@pytest.mark.slow
@rows([row for row in [*VECTOR, *NUMPY] if row.kernel.psd is True])
class TestPositiveKernels(PositiveContract):
    pass


@pytest.mark.slow
@rows([*VECTOR, *NUMPY])
class TestKernelsOnVectors(VectorContract):
    pass


@pytest.mark.slow
@rows([row for row in VECTOR if row.kernel.takes_sparse])
class TestKernelsOnSparseRows(SparseContract):
    pass


@pytest.mark.slow
@rows(VECTOR)
class TestKernelsOnTorch(TorchContract):
    pass


@pytest.mark.slow
@rows([*RADIAL, *DOT])
class TestProfiles(ProfileContract):
    pass


@rows(RADIAL)
class TestRadialKernels(RadialContract):
    pass
