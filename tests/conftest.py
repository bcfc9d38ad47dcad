"""What every test may ask for."""

import pytest
from tests.libraries import LIBRARIES, Library


@pytest.fixture(params=LIBRARIES, ids=lambda library: library.name)
def library(request: pytest.FixtureRequest) -> Library:
    """Each array library in turn: NumPy, NumPy that cannot be written to, the standard, torch."""
    return request.param
