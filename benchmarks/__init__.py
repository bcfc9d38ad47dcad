"""Us and the peers on the same data: `python -m benchmarks SUITE`."""
