"""Files are read in children that need not import their libraries again."""

from tests.io.forked import forked_readers  # noqa: F401
